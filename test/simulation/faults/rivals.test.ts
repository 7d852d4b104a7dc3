import { expect, test } from 'vitest';
import { type Call, HOUR_MS, MINUTE_MS, OK } from '../../../infra/local/simulation.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import { type CalmRun, calmRun } from './calm-run.ts';

const NAME = 'zoo.com';

/** The name of a live domain, whose records are gone, is proven by two other projects, an hour apart. */
async function contestTwice(): Promise<CalmRun> {
  const run = calmRun();
  await run.goLive({ domain: NAME });
  run.people.deleteRecords(NAME);
  for (const project of ['beta', 'delta']) {
    await run.ask('add', { project, domain: NAME });
    await run.pass(5 * MINUTE_MS);
    run.people.setRecords(NAME, { project, isBeside: true });
    await run.ask('verify', { project, domain: NAME });
    await run.pass(HOUR_MS);
  }
  return run;
}

const claimOf = (run: CalmRun, project: string) => run.world.staging.domain(NAME, project);
const sinceOf = (run: CalmRun, project: string) => claimOf(run, project)?.contestedSinceMs ?? Number.NaN;
const lossOf = (run: CalmRun) => claimOf(run, 'alpha')?.lossAtMs;

/** What the owner of the name was told of its rivals. That its visitors left, it was told before. */
async function toldTo(run: CalmRun): Promise<string[]> {
  await run.pass(5 * MINUTE_MS);
  const events = run.delivered().filter(({ detail }) => detail.domain === NAME && detail.project === 'alpha');
  return events.slice(2).map(({ detailType, detail }) => `${detailType}: ${detail.message}`);
}

const ANNOUNCED = expect.stringMatching(/^Domain needs attention: .* has proven that it owns the domain/);
const OVER = expect.stringMatching(/: No other project is about to take over zoo\.com any more\. /);

test('the owner of a name sees the earliest time of two rivals, and is told once; each rival has its own', async () => {
  const run = await contestTwice();
  expect(sinceOf(run, 'delta')).toBeGreaterThan(sinceOf(run, 'beta') + HOUR_MS / 2);
  expect(lossOf(run)).toBe(sinceOf(run, 'beta') + 6 * HOUR_MS);
  const messages = ['beta', 'delta'].map(project => claimOf(run, project)?.message);
  expect(new Set(messages).size).toBe(2);
  await run.pass(2 * HOUR_MS);
  expect(await toldTo(run)).toEqual([ANNOUNCED]);
  // Checks are up to half an hour apart by then.
  await run.pass(3.5 * HOUR_MS);
  expect(run.world.staging.ownerOf(NAME)).toBe('beta');
  expect(claimOf(run, 'delta')).toMatchObject({ status: 'failed', reason: 'domain_taken' });
  await run.removeEverything();
});

test('a rival that drops out leaves the later time of the other, of which nobody is told, and the last one ends it', async () => {
  const run = await contestTwice();
  await run.ask('remove', { project: 'beta', domain: NAME });
  await run.pass(10 * MINUTE_MS);
  expect(lossOf(run)).toBe(sinceOf(run, 'delta') + 6 * HOUR_MS);
  expect(await toldTo(run)).toEqual([ANNOUNCED]);
  run.world.dns.set(`${CHALLENGE_LABEL}.${NAME}`, 'TXT');
  await run.pass(HOUR_MS);
  expect(lossOf(run)).toBe(null);
  expect(await toldTo(run)).toEqual([ANNOUNCED, OVER]);
  await run.removeEverything();
});

test('a rival that drops out by its records does not end the notice while the other contests', async () => {
  const run = await contestTwice();
  const { dns } = run.world;
  dns.set(`${CHALLENGE_LABEL}.${NAME}`, 'TXT', claimOf(run, 'delta')?.challenge ?? '');
  await run.pass(HOUR_MS);
  expect(sinceOf(run, 'beta')).toBeNaN();
  expect(lossOf(run)).toBe(sinceOf(run, 'delta') + 6 * HOUR_MS);
  await run.pass(6 * HOUR_MS);
  expect(run.world.staging.ownerOf(NAME)).toBe('delta');
  await run.removeEverything();
});

test('a rival that nobody can check any more fails, and no longer counts', async () => {
  const run = await contestTwice();
  await run.ask('remove', { project: 'delta', domain: NAME });
  const fateOf = ({ actor }: Call) =>
    ({ kind: actor.name.startsWith('TendDomain') ? 'crash before' : 'ok', latencyMs: 20 }) as const;
  run.change({ fateOf });
  await run.pass(5 * HOUR_MS);
  expect(claimOf(run, 'beta')).toMatchObject({ status: 'failed', reason: 'internal_error' });
  expect(lossOf(run)).toBe(null);
  expect(await toldTo(run)).toEqual([ANNOUNCED, OVER]);
  run.change({ fateOf: () => OK });
  await run.removeEverything();
});

test('a claim that is proven after two days contests the name for its six hours', async () => {
  const run = calmRun();
  await run.goLive({ domain: NAME });
  run.people.deleteRecords(NAME);
  await run.ask('add', { project: 'beta', domain: NAME });
  await run.ask('verify', { project: 'beta', domain: NAME });
  await run.pass(47.9 * HOUR_MS);
  run.people.setRecords(NAME, { project: 'beta', isBeside: true });
  await run.pass(1.2 * HOUR_MS);
  expect(claimOf(run, 'beta')).toMatchObject({ status: 'verifying', reason: 'takeover_pending' });
  await run.pass(6 * HOUR_MS);
  expect(run.world.staging.ownerOf(NAME)).toBe('beta');
  await run.removeEverything();
});
