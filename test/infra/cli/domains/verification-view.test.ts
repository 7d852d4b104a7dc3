import { expect, onTestFinished, test, vi } from 'vitest';
import type { DomainSession } from '../../../../infra/cli/domains/domain-session.ts';
import { changesOf, verificationView } from '../../../../infra/cli/domains/verification-view.ts';
import type { DomainRecord } from '../../../../shared/operator/contract.ts';
import {
  ADDED,
  CERTIFICATE,
  ISSUING,
  LIVE,
  READY,
  TRAFFIC,
  VERIFYING,
} from '../../operator/domains/domain-fixture.ts';

test('lists only what differs from the report before', () => {
  expect(changesOf(VERIFYING, VERIFYING)).toEqual([]);
  expect(changesOf(VERIFYING, { ...VERIFYING, nextCheckAt: '2026-01-01T12:02:00.000Z' })).toEqual([]);
  expect(changesOf(ISSUING, LIVE)).toEqual(['www.example.com: live', 'certificate: issued']);
  expect(changesOf(LIVE, READY)[0]).toMatch(/^www\.example\.com: Ready\. Point /);
});

test('lists what DNS answers for a record, without control characters', () => {
  const records: DomainRecord[] = [
    { ...TRAFFIC, state: 'conflict', observed: ['192.0.2.1', '\u001b[2J'] },
    CERTIFICATE,
  ];
  expect(changesOf(VERIFYING, { ...VERIFYING, records })).toEqual([
    'traffic record, CNAME www.example.com: conflict (seen: 192.0.2.1, �[2J)',
  ]);
});

test('lists a record that was not in the report before', () => {
  expect(changesOf({ ...ADDED, records: ADDED.records.slice(0, 1) }, ADDED)).toEqual([
    'certificate record, CNAME _acm.www.example.com: not checked',
  ]);
});

test('says when reports no longer come in time, and why, once until they do', () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const session = { wantsJson: false, progress: (line: string) => lines.push(line) };
  const view = verificationView(session as unknown as DomainSession, 600_000);
  const passed = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
  view.update(LIVE, Date.now());
  lines.length = 0;
  passed(30);
  view.fail(new Error('AWS is busy.'));
  view.update(LIVE, Date.now() - 8_000);
  passed(1);
  view.update(LIVE, Date.now());
  passed(8);
  view.fail(new Error('AWS is busy.'));
  passed(20);
  view.end(false);
  passed(60);
  expect(lines).toEqual([
    '2026-01-01T12:00:11Z  Updated 11 s ago. Waiting for a response.',
    '2026-01-01T12:00:42Z  Updated 11 s ago. AWS is busy. Trying again.',
  ]);
});
