import { expect, test, vi } from 'vitest';
import { MOST_HISTORY_EVENTS } from './endings.ts';
import { simulate } from './simulate.ts';

const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 300);
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);

test(`${SEEDS} seeds`, { timeout: 30 * 60_000 }, async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  let most = 0;
  const started = process.cpuUsage();
  let happenings = 0;
  let wentLive = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const outcome = await simulate(seed);
    most = Math.max(most, outcome.historyEvents);
    wentLive += outcome.wentLive;
    happenings += outcome.happenings;
  }
  vi.restoreAllMocks();
  process.stderr.write(
    `${(process.cpuUsage(started).user / 1000 / SEEDS).toFixed(1)} ms a seed, ${happenings / SEEDS} happenings, most history ${most}, live ${wentLive / SEEDS}\n`,
  );
  expect(most).toBeLessThan(MOST_HISTORY_EVENTS);
});
