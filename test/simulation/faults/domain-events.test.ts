import { describe, expect, test } from 'vitest';
import { CALM, type Call, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../infra/local/simulation.ts';
import { DOMAINS_TABLE } from '../../../shared/domains/life/domain.ts';
import {
  type CalmRun,
  calmRun,
  everyPair,
  FAULTS,
  type Fates,
  fatesAt,
  isExhaustive,
  SLOW,
  sampledPairs,
  WWW,
} from './calm-run.ts';

/** The events that subscribers received, in the order of the first deliveries. */
const received = (run: CalmRun) =>
  run.delivered().map(({ detailType, detail: { domain, reason } }) => [detailType, domain, reason]);

async function recheck({ until, pass, world }: CalmRun): Promise<void> {
  await until(world.staging.tendAll());
  await pass(3 * MINUTE_MS);
}

const isPublication = ({ actor }: Call) => actor.name.startsWith('PublishEvents');

describe('events of a domain', () => {
  test('are emitted once each, within three minutes, when it goes live, needs attention, is live again, and is removed', async () => {
    const run = calmRun();
    await run.goLive();
    await run.pass(3 * MINUTE_MS);
    expect(received(run)).toHaveLength(1);
    run.people.pointElsewhere(WWW);
    await run.pass(2 * HOUR_MS);
    for (let day = 0; day < 3; day += 1) await recheck(run);
    run.people.setRecords(WWW);
    await run.pass(2 * HOUR_MS);
    for (let day = 0; day < 3; day += 1) await recheck(run);
    await run.removeEverything();
    expect(received(run)).toEqual([
      ['Domain live', WWW, null],
      ['Domain needs attention', WWW, 'traffic_record_mismatch'],
      ['Domain live', WWW, null],
      ['Domain removed', WWW, null],
    ]);
  });
});

describe('events are delivered', () => {
  test('whichever call of the publication meets a fault, or whichever two', SLOW, async () => {
    const calm = calmRun();
    await calm.goLiveAndRemove();
    const publish = async (fates: Fates) => {
      const { counted, fateOf } = fatesAt(fates, isPublication);
      const run = calmRun({ fateOf });
      await run.goLiveAndRemove();
      expect(received(run), JSON.stringify([...fates])).toEqual(received(calm));
      return counted.calls;
    };
    const calls = await publish(new Map());
    // Two publications of a query, a request to EventBridge and a deletion, and the queries that find nothing more.
    expect(calls).toBeGreaterThanOrEqual(6);
    // The retries after a fault are calls, too, and the second fault may meet one of them.
    let longest = calls;
    for (let number = 1; number <= calls; number += 1) {
      for (const kind of FAULTS) longest = Math.max(longest, await publish(new Map([[number, kind]])));
    }
    const pairs = isExhaustive ? everyPair(longest) : sampledPairs(longest, 8);
    for (const fates of pairs) await publish(fates);
  });

  test('although EventBridge rejects them for a day, and accepts others meanwhile', async () => {
    const run = calmRun();
    const outcomes = [true, true, false];
    const isEventRejected = () => {
      const [next = true] = outcomes.splice(0, 1);
      outcomes.push(next);
      return next;
    };
    run.world.weather = { ...CALM, isEventRejected };
    for (const domain of [WWW, 'zoo.com', 'shop.zoo.com']) await run.goLive({ domain });
    await run.pass(DAY_MS);
    await run.removeEverything();
    expect(received(run).filter(([type]) => type === 'Domain live')).toHaveLength(3);
  });
});

describe('the invariants', () => {
  const inject = async (fault: (items: Map<string, Record<string, unknown>>) => void) => {
    const run = calmRun({ isEventRejected: () => true });
    await run.goLive();
    // No publication is under way in the middle of a period.
    await run.pass(3 * MINUTE_MS - (run.world.time.nowMs % (2 * MINUTE_MS)));
    const items = run.world.dynamodb.items(run.world.staging.tables.domains);
    expect(keysOf(items)).toHaveLength(1);
    fault(items);
    run.world.weather = CALM;
    await run.removeEverything();
  };
  const keysOf = (items: ReadonlyMap<string, unknown>) =>
    [...items.keys()].filter(key => key.startsWith(DOMAINS_TABLE.outboxPartitionKey));

  test('detect an event that is deleted before it was delivered', async () => {
    const deletion = inject(items => {
      for (const key of keysOf(items)) items.delete(key);
    });
    await expect(deletion).rejects.toThrow('is lost');
  });

  test.each([
    ['that no change requires', { id: 'another' }, 'no change requires it'],
    ['that is repeated with other content', { message: 'Other.' }, 'was repeated with a change'],
  ])('detect an event %s', async (_, changed, violation) => {
    const addition = inject(items => {
      for (const key of keysOf(items)) {
        const item = items.get(key) as { event: object };
        items.set(`${key} again`, { ...item, project: '#9', event: { ...item.event, ...changed } });
      }
    });
    await expect(addition).rejects.toThrow(violation);
  });
});
