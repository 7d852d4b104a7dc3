import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../infra/local/simulation.ts';
import { type CalmRun, calmRun, fateAt, WWW } from './calm-run.ts';

const OLD = 'old.zoo.com';

/** A domain that redirects to another one, whose visitors then get elsewhere. */
async function leaveTarget(afterMs = 2 * HOUR_MS): Promise<CalmRun> {
  const run = calmRun();
  await run.goLive();
  await run.goLive({ domain: OLD });
  await run.ask('redirect', { domain: OLD, to: WWW });
  expect(run.apiOf(OLD)).toBe(run.world.staging.redirectApi);
  run.people.pointElsewhere(WWW);
  await run.pass(afterMs);
  return run;
}

/** The events of the domain that redirects, the latest last. */
async function toldOf(run: CalmRun): Promise<string[]> {
  await run.pass(5 * MINUTE_MS);
  const events = run.delivered().filter(({ detail }) => detail.domain === OLD);
  return events.map(({ detailType, detail }) => `${detailType}: ${detail.reason}`);
}

test('a redirect is suspended by the check that finds its target away, and resumed by the one that finds it back; each is told once', async () => {
  const run = await leaveTarget();
  await run.until(run.world.staging.tendAll());
  expect(run.apiOf(OLD)).toBe('staging-alpha');
  expect(run.domain(OLD)).toMatchObject({ status: 'live', reason: 'redirect_suspended', hasVisitors: true });
  await run.until(run.world.staging.tendAll());
  const suspended = ['Domain live: null', 'Domain needs attention: redirect_suspended'];
  expect(await toldOf(run)).toEqual(suspended);

  run.people.setRecords(WWW);
  await run.pass(2 * HOUR_MS);
  await run.until(run.world.staging.tendAll());
  expect(run.apiOf(OLD)).toBe(run.world.staging.redirectApi);
  await run.until(run.world.staging.tendAll());
  expect(await toldOf(run)).toEqual([...suspended, 'Domain live: null']);
  await run.removeEverything();
});

test('where the look can not map it, the next one does', async () => {
  const run = await leaveTarget(0);
  const isMapping = ({ operation }: { operation: string }) => operation === 'UpdateBasePathMapping';
  const { counted, fateOf } = fateAt(1, 'crash before', isMapping);
  run.change({ fateOf });
  await run.pass(2 * HOUR_MS);
  expect(counted.calls).toBe(2);
  expect(run.apiOf(OLD)).toBe('staging-alpha');
  expect(await toldOf(run)).toEqual(['Domain live: null', 'Domain needs attention: redirect_suspended']);
  await run.removeEverything();
});

test('a redirect to a domain that is away already is suspended from the start, and its end is told', async () => {
  const run = await leaveTarget();
  await run.ask('unredirect', { domain: OLD });
  await run.until(run.world.staging.tendAll());
  await run.ask('redirect', { domain: OLD, to: WWW });
  expect(run.apiOf(OLD)).toBe('staging-alpha');
  expect(run.domain(OLD)?.reason).toBe('redirect_suspended');
  await run.ask('unredirect', { domain: OLD });
  expect(run.domain(OLD)?.reason).toBe(null);
  expect(await toldOf(run)).toEqual([
    'Domain live: null',
    ...['Domain needs attention: redirect_suspended', 'Domain live: null'],
    ...['Domain needs attention: redirect_suspended', 'Domain live: null'],
  ]);
  await run.removeEverything();
});
