import { describe, expect, test } from 'vitest';
import { type Call, HOUR_MS, MINUTE_MS, OK, SECOND_MS } from '../../../infra/local/simulation.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { ThirdParty } from '../people/people.ts';
import { redirectApiOf } from '../service.ts';
import { type CalmRun, calmRun, WWW } from './calm-run.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;

const isCallOf =
  (actorName: string, expected: string) =>
  ({ operation, actor }: Call) =>
    operation === expected && actor.name.startsWith(actorName);

/** Delays the matching calls of an invocation that makes one, by its place among them. */
function delayOf(place: number, isMatch: (call: Call) => boolean, delayMs: number) {
  const actors: string[] = [];
  return (call: Call) => {
    if (isMatch(call) && !actors.includes(call.actor.name)) actors.push(call.actor.name);
    const isLate = isMatch(call) && actors.indexOf(call.actor.name) === place;
    return isLate ? { kind: 'stall' as const, latencyMs: delayMs } : OK;
  };
}

const delayOfSecond = (isMatch: (call: Call) => boolean, delayMs: number) => delayOf(1, isMatch, delayMs);

test('the late second delivery of a verify leaves the host pointing at the attached domain name', async () => {
  const run = calmRun({ issueDelayMs: () => 0 });
  await run.claim();
  const isHostChange = isCallOf('Operate', 'ChangeResourceRecordSets');
  run.change({ fateOf: delayOfSecond(isHostChange, 50 * SECOND_MS) });
  const payload = { command: 'domains.verify', requestId: 'twice', project: 'alpha', domain: WWW };
  await run.until(Promise.all([run.world.staging.operate(payload), run.world.staging.operate(payload)]));
  await run.isAfterAnHour('live');
});

test.each([
  ['redirect', WWW, redirectApiOf('staging')],
  ['move', 'beta', 'staging-beta'],
] as const)(
  'the late second delivery of an attachment leaves the mapping of a %s since',
  async (command, to, api) => {
    const run = calmRun();
    await run.goLive();
    await run.claim({ domain: OTHER });
    const isMapping = isCallOf('TendDomain', 'CreateBasePathMapping');
    run.change({ secondDeliveryMs: () => 200, fateOf: delayOfSecond(isMapping, 40 * SECOND_MS) });
    await run.ask('verify', { domain: OTHER });
    await run.untilStatus('live', OTHER);
    await run.ask(command, { domain: OTHER, to });
    await run.pass(HOUR_MS);
    expect(run.apiOf(OTHER)).toBe(api);
    await run.removeEverything();
  },
);

test('the late second delivery of a removal task does not harm a new claim that is live by then', async () => {
  for (const operation of ['DeleteBasePathMapping', 'GetDomainName', 'DeleteDomainName']) {
    const run = calmRun({ issueDelayMs: () => 0, recordDelayMs: () => 0, inUseMs: () => 0 });
    await run.goLive();
    run.change({
      secondDeliveryMs: () => 10,
      fateOf: delayOfSecond(isCallOf('TendDomain', operation), 55 * SECOND_MS),
    });
    await run.ask('remove');
    await run.untilStatus(undefined);
    await run.ask('add');
    run.people.setRecords(WWW);
    await run.ask('verify');
    await run.isAfterAnHour('live');
  }
});

describe('the mapping of another team that has the name since', () => {
  const expectTheirs = async (run: CalmRun, second?: Promise<unknown>) => {
    await run.untilDeleted();
    expect(new ThirdParty(run.world).occupy(WWW)).toBe(true);
    await run.until(Promise.resolve(second));
    await run.pass(MINUTE_MS);
    await run.untilIdle();
    expect([run.status(), run.apiOf()]).toEqual([undefined, 'foreign-api']);
  };

  test('is left by the late second delivery of a remove', async () => {
    const run = calmRun();
    await run.goLive();
    const isUnmapping = isCallOf('Operate', 'DeleteBasePathMapping');
    run.change({ fateOf: delayOfSecond(isUnmapping, 50 * SECOND_MS) });
    const payload = { command: 'domains.remove', requestId: 'twice', project: 'alpha', domain: WWW };
    await run.until(run.world.staging.operate(payload));
    await run.pass(88 * SECOND_MS);
    await expectTheirs(run, run.world.staging.operate(payload));
  });

  const isUnmapping = isCallOf('TendDomain', 'DeleteBasePathMapping');
  test.each([
    ['the late second delivery of a removal task', 0.01, 1, 50],
    ['a first delivery that stalls, although a second one comes after ten seconds', 10, 0, 52],
    ['a first delivery that stalls, although a second one comes after 45 seconds', 45, 0, 52],
  ])('is left by %s', async (_, secondAfter, late, stall) => {
    const run = calmRun();
    await run.goLive();
    const fateOf = delayOf(late, isUnmapping, stall * SECOND_MS);
    run.change({ secondDeliveryMs: () => secondAfter * SECOND_MS, fateOf });
    await run.ask('remove');
    await expectTheirs(run);
  });
});
