import { describe, expect, test } from 'vitest';
import { watchDomain } from '../../../../infra/cli/domains/verify-domain.ts';
import { CommandError } from '../../../../infra/cli/framework/command-error.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { FAILED, ISSUING, LIVE, TRAFFIC, VERIFYING } from './domain-fixture.ts';

type Answer = DomainReport | CommandError;

/** Watches with a simulated clock. Polls get the answers in turn, and then the last one again. */
async function watch(answers: readonly Answer[], timeoutMs = 600_000, sameFaults?: number) {
  const sleptMs: number[] = [];
  const shown: string[] = [];
  let nowMs = 0;
  const outcome = await watchDomain(VERIFYING, {
    async poll() {
      const answer = answers[Math.min(sleptMs.length, answers.length) - 1];
      if (answer instanceof CommandError) throw answer;
      return answer ?? VERIFYING;
    },
    update: report => shown.push(report.status),
    timeoutMs,
    intervalMs: 5_000,
    sameFaults,
    now: () => nowMs,
    async sleep(ms) {
      sleptMs.push(ms);
      nowMs += ms;
    },
  }).catch((error: unknown) => error as CommandError);
  const { report: last, end } = outcome instanceof CommandError ? { report: outcome, end: 'error' } : outcome;
  return { last, end, shown, sleptMs };
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

describe('the same fault', () => {
  const wrong = (minute: number, observed = '192.0.2.1', state: 'conflict' | 'mismatch' = 'conflict') => ({
    ...VERIFYING,
    checkedAt: `2026-01-01T12:1${minute}:00.000Z`,
    records: [{ ...TRAFFIC, state, observed: [observed] }],
  });

  test('ends the watch when three checks in a row have found it', async () => {
    const answers = [wrong(1), wrong(1), wrong(1), wrong(2), wrong(2), wrong(3)];
    const { end, last, sleptMs } = await watch(answers, 600_000, 3);
    expect([end, last]).toEqual(['same_fault', wrong(3)]);
    expect(sleptMs).toHaveLength(6);
  });

  test('is also a CAA record that forbids the certificate', async () => {
    const blocked = [1, 2, 3].map(minute => ({
      ...ISSUING,
      checkedAt: wrong(minute).checkedAt,
      reason: 'caa_blocked' as const,
      message: 'The CAA record at example.com forbids it.',
    }));
    expect((await watch(blocked, 600_000, 3)).end).toBe('same_fault');
  });

  test('is counted from one again when another value is found, or the records were right', async () => {
    const other = [wrong(1), wrong(2), wrong(3, '192.0.2.2'), wrong(4, '192.0.2.2'), LIVE];
    expect((await watch(other, 600_000, 3)).end).toBe('decided');
    const right = [wrong(1), wrong(2), { ...ISSUING, checkedAt: 'later' }, wrong(4), wrong(5), LIVE];
    expect((await watch(right, 600_000, 3)).end).toBe('decided');
  });

  test('is not counted from the report before the watch, nor while a record spreads', async () => {
    const stale = { ...wrong(1), checkedAt: VERIFYING.checkedAt };
    expect((await watch([stale, wrong(2), wrong(3), LIVE], 600_000, 3)).end).toBe('decided');
    const spreading = [1, 2, 3, 4].map(minute => ({
      ...wrong(minute),
      reason: 'traffic_record_spreading' as const,
    }));
    expect((await watch([...spreading, LIVE], 600_000, 3)).end).toBe('decided');
  });

  test('is not a missing record', async () => {
    const missing = [1, 2, 3, 4].map(minute => ({ ...VERIFYING, checkedAt: wrong(minute).checkedAt }));
    expect((await watch([...missing, LIVE], 600_000, 3)).end).toBe('decided');
  });

  test('does not end a watch that was not told so', async () => {
    expect((await watch([wrong(1), wrong(2), wrong(3), wrong(4), LIVE])).end).toBe('decided');
  });
});
