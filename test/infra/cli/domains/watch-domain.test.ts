import { expect, test } from 'vitest';
import { CommandError } from '../../../../infra/cli/command-error.ts';
import type { DomainReport } from '../../../../infra/cli/domains/domain-report.ts';
import { watchDomain } from '../../../../infra/cli/domains/watch-domain.ts';
import { FAILED, ISSUING, LIVE, VERIFYING } from './domain-fixture.ts';

type Look = DomainReport | CommandError;

/** Watches with a clock of its own. The looks come in turn, the last one from then on. */
async function watched(looks: readonly Look[], timeoutMs = 600_000) {
  const sleptMs: number[] = [];
  const shown: string[] = [];
  let nowMs = 0;
  const last = await watchDomain(VERIFYING, {
    async look() {
      const look = looks[Math.min(sleptMs.length, looks.length) - 1];
      if (look instanceof CommandError) throw look;
      return look ?? VERIFYING;
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

test('ends when the domain is live; looks are further and further apart', async () => {
  const looks = [...Array<Look>(6).fill(VERIFYING), ISSUING, LIVE];
  const { last, shown, sleptMs } = await watched(looks);
  expect(last).toBe(LIVE);
  expect(shown.slice(-3)).toEqual(['verifying', 'issuing', 'live']);
  expect(sleptMs).toEqual([1000, 2000, 3000, 4000, 5000, 5000, 5000, 5000]);
});

test('ends when it has failed', async () => {
  expect((await watched([FAILED])).last).toBe(FAILED);
});

test('does not end because a record is missing, but when the time is over, to the second', async () => {
  const { last, sleptMs } = await watched([VERIFYING], 8_000);
  expect(last).toBe(VERIFYING);
  expect(sleptMs).toEqual([1000, 2000, 3000, 2000]);
});

test('a live domain that has gone astray is waited for', async () => {
  expect((await watched([{ ...LIVE, reason: 'traffic_record_missing' }, LIVE])).last).toBe(LIVE);
});

test('two looks that fail are forgotten, three are not', async () => {
  const lost = new CommandError('network', 'No answer came.');
  expect((await watched([lost, lost, LIVE])).last).toBe(LIVE);
  expect((await watched([lost, lost, VERIFYING, lost, lost, lost, LIVE])).last).toBe(lost);
});

test('a look that cannot succeed is an error at once', async () => {
  const gone = new CommandError('not_found', 'It is no domain of the project.');
  expect(await watched([gone, LIVE])).toMatchObject({ last: gone, sleptMs: [1000] });
});
