import { describe, expect, test } from 'vitest';
import { type Call, MINUTE_MS, OK, SECOND_MS, type ServiceName } from '../../../infra/local/simulation.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { calmRun, fateAt, fatesAt, SLOW, sampledCalls, sampledPairs, WWW } from './calm-run.ts';

/** A subdomain whose owner creates the records, and an apex in a managed zone, whose records the flow creates. */
const NAMES = [WWW, MANAGED_ZONE.name];

describe.each(NAMES)('%s goes live and is removed', domain => {
  test('although every task is delivered twice, at once or late', async () => {
    for (const delayMs of [0, 30, SECOND_MS, 10 * MINUTE_MS]) {
      await calmRun({ secondDeliveryMs: () => delayMs }).goLiveAndRemove({ domain });
    }
  });

  test('although every third request to DynamoDB would get its response after a minute', async () => {
    let requests = 0;
    const fateOf = ({ service }: Call) => {
      if (service === 'dynamodb') requests += 1;
      return service === 'dynamodb' && requests % 3 === 0 ? { ...OK, latencyMs: MINUTE_MS } : OK;
    };
    await calmRun({ fateOf, pageLength: () => 1 }).goLiveAndRemove({ domain });
  });

  // In a sample the fates take turns, so that every call meets one of them.
  test.each([
    ['crash before', 0],
    ['crash after', 1],
    ['response lost', 2],
  ] as const)('whichever single call meets the fate "%s"', SLOW, async (kind, offset) => {
    const { counted, fateOf } = fateAt(0, kind);
    await calmRun({ fateOf }).goLiveAndRemove({ domain });
    expect(counted.calls).toBeGreaterThan(50);
    for (const number of sampledCalls(counted.calls, 3, offset)) {
      await calmRun({ fateOf: fateAt(number, kind).fateOf }).goLiveAndRemove({ domain });
    }
  });

  // All pairs would take hours: test/simulation/README.md.
  test('although two calls meet a fault each, in a sample of the pairs', SLOW, async () => {
    const { counted, fateOf } = fateAt(0, 'ok');
    await calmRun({ fateOf }).goLiveAndRemove({ domain });
    for (const fates of sampledPairs(counted.calls, 12)) {
      await calmRun({ fateOf: fatesAt(fates).fateOf })
        .goLiveAndRemove({ domain })
        .catch(cause => {
          throw new Error(`Calls ${JSON.stringify([...fates])}: ${cause.message}`, { cause });
        });
    }
  });

  test.each<ServiceName>(['dynamodb', 'acm', 'apigateway', 'route53', 'states', 'events'])(
    'although %s throttles every call for 20 minutes, early or late',
    async service => {
      for (const fromMinutes of [0, 2, 4]) {
        const run = calmRun();
        const startMs = run.world.time.nowMs + fromMinutes * MINUTE_MS;
        const isThrottled = (nowMs: number) => startMs <= nowMs && nowMs < startMs + 20 * MINUTE_MS;
        run.change({
          fateOf: call => ({
            kind: call.service === service && isThrottled(run.world.time.nowMs) ? 'throttled' : 'ok',
            latencyMs: 20,
          }),
        });
        await run.goLiveAndRemove({ domain });
      }
    },
  );
});

test('a record is removed with its domain although the delivery that created it crashed and a second one found it', async () => {
  const creators: string[] = [];
  const run = calmRun({
    secondDeliveryMs: () => 0,
    fateOf({ operation, actor }) {
      const isCreation = operation === 'ChangeResourceRecordSets' && actor.name.startsWith('TendDomain');
      if (isCreation && !creators.includes(actor.name)) creators.push(actor.name);
      const isFirst = isCreation && creators.length === 1;
      return { kind: isFirst ? 'crash after' : 'ok', latencyMs: 20 };
    },
  });
  await run.goLiveAndRemove({ domain: MANAGED_ZONE.name });
});
