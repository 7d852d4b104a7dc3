import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../infra/local/simulation.ts';
import { calmRun, WWW } from './faults/calm-run.ts';
import { MAX_HISTORY_EVENTS } from './invariants/idle.ts';
import { type Outcome, simulate } from './simulate.ts';

/** SIMULATION_SEEDS is the number of seeds to run, SIMULATION_FIRST_SEED the first of them. CI runs 1,000: .ci/run. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 25);
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);

/** Thousands of seeds take minutes. */
const TIMEOUT_MS = 60 * MINUTE_MS;

describe('simulate', () => {
  test(`violates no invariant in ${SEEDS} runs from seed ${FIRST_SEED} on`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const outcomes: Outcome[] = [];
    const violations: Error[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      await simulate(seed).then(
        outcome => outcomes.push(outcome),
        (error: Error) => violations.push(error),
      );
    }
    const [first] = violations;
    if (first) throw new Error([...violations.map(firstLine), first.message].join('\n'));
    const longest = Math.max(...outcomes.map(({ historyEvents }) => historyEvents));
    expect(longest).toBeLessThan(MAX_HISTORY_EVENTS);
    // Runs in which hardly any domain goes live would leave most invariants unchecked.
    const wentLive = outcomes.reduce((sum, outcome) => sum + outcome.wentLive, 0);
    if (SEEDS >= 25) expect(wentLive).toBeGreaterThan(SEEDS);
  });

  test('repeats the same run for the same seed', async () => {
    const traceOf = async (seed: number) => (await simulate(seed)).trace();
    const first = await traceOf(6);
    await traceOf(5);
    expect(first.split('\n').length).toBeGreaterThan(100);
    expect(await traceOf(6)).toBe(first);
  });
});

function firstLine({ message }: Error): string {
  return message.slice(0, message.indexOf('\n'));
}

describe('the invariants', () => {
  test.each<[fault: string, inject: (run: ReturnType<typeof calmRun>) => void]>([
    ['has no mapping', ({ world }) => world.domainNames.map(WWW, undefined)],
    ['is missing from the routing of its project', ({ world }) => world.staging.addProject('alpha')],
    ['has no platform host', ({ world }) => world.route53.clear()],
    [
      'is missing from the table',
      ({ world }) => world.dynamodb.items(world.staging.tables.domains).delete(`${WWW} alpha`),
    ],
  ])('detect a live domain that %s', async (_, inject) => {
    const run = calmRun();
    await run.goLive();
    inject(run);
    await expect(run.ask('add', { domain: 'zoo.com' })).rejects.toThrow(/is live|was live|live domains/);
  });
});
