import { expect, test } from 'vitest';
import { CommandError } from '../../../../infra/cli/command-error.ts';
import { watchDomain } from '../../../../infra/cli/domains/watch-domain.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { FAILED, ISSUING, LIVE, VERIFYING } from './domain-fixture.ts';

type Answer = DomainReport | CommandError;

/** Watches with a simulated clock. Polls get the answers in turn, and then the last one again. */
async function watch(answers: readonly Answer[], timeoutMs = 600_000) {
  const sleptMs: number[] = [];
  const shown: string[] = [];
  let nowMs = 0;
  const last = await watchDomain(VERIFYING, {
    async poll() {
      const answer = answers[Math.min(sleptMs.length, answers.length) - 1];
      if (answer instanceof CommandError) throw answer;
      return answer ?? VERIFYING;
    },
    update: report => shown.push(report.status),
    timeoutMs,
    intervalMs: 5_000,
    now: () => nowMs,
    async sleep(ms) {
      sleptMs.push(ms);
      nowMs += ms;
    },
  }).catch((error: unknown) => error);
  return { last, shown, sleptMs };
}

test('ends when the domain is live; the polls are further and further apart', async () => {
  const answers = [...Array<Answer>(6).fill(VERIFYING), ISSUING, LIVE];
  const { last, shown, sleptMs } = await watch(answers);
  expect(last).toBe(LIVE);
  expect(shown.slice(-3)).toEqual(['verifying', 'issuing', 'live']);
  expect(sleptMs).toEqual([1000, 2000, 3000, 4000, 5000, 5000, 5000, 5000]);
});

test('ends when the domain has failed', async () => {
  expect((await watch([FAILED])).last).toBe(FAILED);
});

test('does not end because a record is missing, but exactly at the timeout', async () => {
  const { last, sleptMs } = await watch([VERIFYING], 8_000);
  expect(last).toBe(VERIFYING);
  expect(sleptMs).toEqual([1000, 2000, 3000, 2000]);
});

test('waits for a live domain with a fault', async () => {
  expect((await watch([{ ...LIVE, reason: 'traffic_record_missing' }, LIVE])).last).toBe(LIVE);
});

test('ignores two failed polls in a row, but not three', async () => {
  const lost = new CommandError('network', 'No answer came.');
  expect((await watch([lost, lost, LIVE])).last).toBe(LIVE);
  expect((await watch([lost, lost, VERIFYING, lost, lost, lost, LIVE])).last).toBe(lost);
});

test('throws at once when polling again cannot help', async () => {
  const gone = new CommandError('not_found', 'It is no domain of the project.');
  expect(await watch([gone, LIVE])).toMatchObject({ last: gone, sleptMs: [1000] });
});
