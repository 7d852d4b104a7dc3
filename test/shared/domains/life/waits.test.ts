import { expect, test } from 'vitest';
import { clock } from '../../../../shared/domains/clock.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import {
  claimEndsAt,
  inUseWaitSeconds,
  newRequestWaitSeconds,
  waitSeconds,
} from '../../../../shared/domains/life/waits.ts';
import { AT, AT_MS, claimed, live } from '../claimed-domain.ts';

/** The clock at a time. */
const at = (nowMs: number) => clock(1, () => nowMs);

test('waitSeconds grows from 15 seconds to an hour', () => {
  expect([0, 7, 8, 17].map(waitSeconds)).toEqual([15, 15, 60, 60]);
  expect([18, 19, 41, 46, 47].map(waitSeconds)).toEqual([69, 79, 1718, 3455, 3600]);
});

test('newRequestWaitSeconds doubles from one minute to half an hour', () => {
  expect([0, 1, 2, 8].map(newRequestWaitSeconds)).toEqual([60, 120, 240, 1800]);
});

test('inUseWaitSeconds is five minutes for an hour, then half an hour', () => {
  expect([0, 11, 12, 100].map(inUseWaitSeconds)).toEqual([300, 300, 1800, 1800]);
});

test.each<[what: string, changes: Partial<Domain>, endsAt: string]>([
  ['it was added', {}, '2026-03-02T12:00:00.000Z'],
  [
    'its last verification was started, which failed',
    { status: 'failed', verifyStartedAt: '2026-02-01T12:00:00.000Z' },
    '2026-03-03T12:00:00.000Z',
  ],
  [
    'its verification was started, which waits for its records',
    { status: 'verifying', verifyStartedAt: '2026-02-01T12:00:00.000Z' },
    '2026-03-03T12:00:00.000Z',
  ],
])('an unproven claim ends 30 days after %s', (_, changes, endsAt) => {
  const claim = claimed(changes);
  expect(claimEndsAt(claim, at(0))).toBe(endsAt);
});

test.each([
  ['failed after it was proven', claimed({ status: 'failed', provenAt: AT })],
  ['live', live()],
  ['being verified again after it was proven', claimed({ status: 'verifying', provenAt: AT })],
  ['being removed', claimed({ status: 'removing' })],
])('a claim that is %s does not end by itself', (_, claim) => {
  const later = at(AT_MS + 100 * 24 * 60 * 60 * 1000);
  expect(claimEndsAt(claim, later)).toBeNull();
});
