import { expect, test } from 'vitest';
import { type Call, MINUTE_MS, OK, SECOND_MS } from '../../../infra/local/simulation.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { redirectApiOf } from '../service.ts';
import { calmRun, fateAt, fatesAt, SLOW, sampledCalls, sampledPairs, WWW } from './calm-run.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;

const isStepCall = ({ actor }: Call) => !actor.name.startsWith('Operate');
const isRemoveCall = ({ actor }: Call) => actor.name.startsWith('Operate domains.remove');

test.each([
  [WWW, 0],
  [MANAGED_ZONE.name, 1],
] as const)('%s can be removed during any call of its verification', SLOW, async (domain, offset) => {
  const counting = fateAt(0, 'ok', isStepCall);
  await calmRun({ fateOf: counting.fateOf }).goLive({ domain });
  for (const number of sampledCalls(counting.counted.calls, 2, offset)) {
    const run = calmRun();
    const { fateOf, counted } = fateAt(0, 'ok', isStepCall);
    run.change({
      fateOf(call) {
        const before = counted.calls;
        const fate = fateOf(call);
        if (before < number && counted.calls === number) {
          void run.people.ask('remove', { project: 'alpha', domain });
          // The removal is acknowledged while this call is under way.
          return { kind: 'stall', latencyMs: 2000 };
        }
        return fate;
      },
    });
    await run.verify({ domain });
    await run.endsAs(undefined, domain);
  }
});

test('a second delivery of a removal task does not touch a new claim of the same name', async () => {
  // Both claims have as many attempts when the task is delivered again. A claim numbers its attempts from its own time
  // on, so the task still recognizes that the attempt is not its own.
  const run = calmRun({ secondDeliveryMs: () => 10 * MINUTE_MS });
  await run.verify();
  await run.ask('remove');
  await run.pass(5 * MINUTE_MS);
  expect(run.status()).toBeUndefined();
  await run.verify();
  await run.ask('verify');
  await run.endsAs('live');
});

test(
  'a removal ends the redirects to the domain, whichever call the operator function crashes at',
  SLOW,
  async () => {
    const redirectedRun = async () => {
      const run = calmRun();
      await run.goLive();
      await run.goLive({ domain: OTHER });
      await run.ask('redirect', { domain: OTHER, to: WWW });
      await run.ask('primary');
      expect(run.apiOf(OTHER)).toBe(redirectApiOf('staging'));
      return run;
    };
    const counting = fateAt(0, 'ok', isRemoveCall);
    const counted = await redirectedRun();
    counted.change({ fateOf: counting.fateOf });
    await counted.ask('remove');
    const { calls } = counting.counted;
    const singles = sampledCalls(calls, 2).map(number => new Map([[number, 'crash before'] as const]));
    for (const fates of [...singles, ...sampledPairs(calls, 3)]) {
      const run = await redirectedRun();
      run.change({ fateOf: fatesAt(fates, isRemoveCall).fateOf });
      await run.ask('remove');
      await run.untilIdle();
      expect(run.apiOf(OTHER)).toBe('staging-alpha');
    }
  },
);

test.each([0, 1, 2])(
  'a domain that an unredirect maps during its removal is unmapped, if its look afterwards fails after %i reads, too',
  async reads => {
    const run = calmRun();
    await run.goLive();
    await run.goLive({ domain: OTHER });
    await run.ask('redirect', { domain: OTHER, to: WWW });
    let [isMapping, count] = [false, 0];
    run.change({
      fateOf({ actor, operation }) {
        if (!actor.name.startsWith('Operate domains.unredirect')) return OK;
        if (operation === 'CreateBasePathMapping' && !isMapping) {
          isMapping = true;
          void run.people.ask('remove', { project: 'alpha', domain: OTHER });
          return { kind: 'stall', latencyMs: 2 * SECOND_MS };
        }
        if (isMapping && operation === 'GetItem') count += 1;
        return count > reads ? { kind: 'throttled', latencyMs: 20 } : OK;
      },
    });
    await run.ask('unredirect', { domain: OTHER });
    expect(isMapping).toBe(true);
    await run.endsAs(undefined, OTHER);
  },
);

test('the calls of a remove do not grow with the number of live domains of the project', async () => {
  const callsOfRemove = async (siblings: readonly string[]) => {
    const run = calmRun();
    await run.goLive();
    for (const domain of siblings) await run.goLive({ domain });
    const { fateOf, counted } = fateAt(0, 'ok', isRemoveCall);
    run.change({ fateOf });
    await run.ask('remove');
    await run.pass(MINUTE_MS);
    return counted.calls;
  };
  const siblings = ['zoo.com', 'dev.zoo.com', 'shop.dev.zoo.com', 'managed-zoo.com', 'www.managed-zoo.com'];
  expect(await callsOfRemove(siblings)).toBe(await callsOfRemove(siblings.slice(0, 1)));
});
