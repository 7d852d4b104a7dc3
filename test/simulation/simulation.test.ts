import { expect, test } from 'vitest';
import { calmLife, WWW } from './calm-life.ts';
import { MOST_HISTORY_EVENTS } from './endings.ts';
import { type Outcome, simulate } from './simulate.ts';
import { MINUTE_MS } from './virtual-time.ts';

/** SIMULATION_SEEDS=1000 for more of them, SIMULATION_FIRST_SEED to go on elsewhere or to replay one. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 60);
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);

/** Thousands of seeds take minutes. */
const TIMEOUT_MS = 60 * MINUTE_MS;

test(`${SEEDS} lives of custom domains, from seed ${FIRST_SEED} on: every invariant holds all the time`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const outcomes: Outcome[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) outcomes.push(await simulate(seed));
  const most = Math.max(...outcomes.map(({ historyEvents }) => historyEvents));
  expect(most).toBeLessThan(MOST_HISTORY_EVENTS);
  // Lives in which nothing is ever reached would prove nothing.
  const live = outcomes.reduce((sum, { wentLive }) => sum + wentLive, 0);
  if (SEEDS >= 50) expect(live).toBeGreaterThan(SEEDS);
});

test('the same seed gives the same life, up to the names that are drawn at random', async () => {
  const told = async () => (await simulate(3)).trace().replaceAll(/[0-9a-f]{20,32}/g, 'random');
  const first = await told();
  expect(first.split('\n').length).toBeGreaterThan(100);
  expect(await told()).toBe(first);
});

test.each<[what: string, harm: (life: ReturnType<typeof calmLife>) => void]>([
  ['is not mapped', ({ world }) => Object.assign(world.gateway.names.get(WWW) ?? {}, { mapping: undefined })],
  ['is not in the routing of its project', ({ world }) => world.addProject('alpha')],
  ['has a host that is gone', ({ world }) => world.route53.clear()],
  ['is forgotten', ({ world }) => world.dynamodb.items('domains').delete(WWW)],
])('a live domain that %s is noticed', async (_, harm) => {
  const life = calmLife();
  await life.goLive();
  harm(life);
  await expect(life.ask('add', { domain: 'zoo.com' })).rejects.toThrow(/is live|was live|live domains/);
});
