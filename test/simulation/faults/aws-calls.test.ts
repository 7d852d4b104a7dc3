import { describe, expect, test } from 'vitest';
import type { ServiceName } from '../calls.ts';
import { type CalmLife, calmLife, fateAt, WWW } from '../calm-life.ts';
import { MANAGED_ZONE } from '../service.ts';
import { MINUTE_MS, SECOND_MS } from '../virtual-time.ts';

/** A subdomain of someone else's zone, and an apex whose records the flow makes itself. */
const NAMES = [WWW, MANAGED_ZONE.name];

async function wholeLife(life: CalmLife, domain: string): Promise<void> {
  await life.goLive({ domain });
  await life.ask('remove', { domain });
  await life.untilRest();
  await life.removeEverything();
}

describe.each(NAMES)('%s', domain => {
  test('every task delivered twice, at once and late', async () => {
    for (const delayMs of [0, 30, SECOND_MS, 10 * MINUTE_MS]) {
      await wholeLife(calmLife({ secondDeliveryMs: () => delayMs }), domain);
    }
  });

  test.each(['crash before', 'crash after', 'answer lost'] as const)(
    '%s of every single call of a life',
    async kind => {
      const { counted, fateOf } = fateAt(0, kind);
      await wholeLife(calmLife({ fateOf }), domain);
      expect(counted.calls).toBeGreaterThan(50);
      for (let number = 1; number <= counted.calls; number += 1) {
        await wholeLife(calmLife({ fateOf: fateAt(number, kind).fateOf }), domain);
      }
    },
  );

  test.each<ServiceName>(['dynamodb', 'acm', 'apigateway', 'route53', 'states'])(
    '%s turns everything away for 20 minutes, at any step',
    async service => {
      for (const fromMinutes of [0, 2, 4]) {
        const life = calmLife();
        const startMs = life.world.time.nowMs + fromMinutes * MINUTE_MS;
        const isAway = (nowMs: number) => startMs <= nowMs && nowMs < startMs + 20 * MINUTE_MS;
        life.world.weather = {
          ...life.world.weather,
          fateOf: call => ({
            kind: call.service === service && isAway(life.world.time.nowMs) ? 'throttled' : 'answered',
            latencyMs: 20,
          }),
        };
        await wholeLife(life, domain);
      }
    },
  );
});

test('of two deliveries that note the same record, the one that makes it crashes: it is still ours', async () => {
  const makers: string[] = [];
  const life = calmLife({
    secondDeliveryMs: () => 0,
    fateOf({ operation, actor }) {
      const isMaking = operation === 'ChangeResourceRecordSets' && actor.name.startsWith('CheckDns');
      if (isMaking && !makers.includes(actor.name)) makers.push(actor.name);
      const isFirst = isMaking && makers.length === 1;
      return { kind: isFirst ? 'crash after' : 'answered', latencyMs: 20 };
    },
  });
  await wholeLife(life, MANAGED_ZONE.name);
});
