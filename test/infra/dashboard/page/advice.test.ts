import { expect, test } from 'vitest';
import { adviceFor } from '../../../../infra/dashboard/page/advice.ts';
import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';
import { ADDED, FAILED, ISSUING, LIVE, TRAFFIC, VERIFYING } from '../../cli/domains/domain-fixture.ts';

const HOUR_MS = 60 * 60_000;
/** Long after LIVE went live. */
const NOW = Date.parse('2026-01-02T12:00:00.000Z');

const titles = (report: DomainReport, now = NOW) => adviceFor(report, now).map(({ title }) => title);

test('a domain without trouble needs no advice', () => {
  for (const report of [ADDED, ISSUING, LIVE]) expect(titles(report)).toEqual([]);
});

test('a conflicting record: it is in the way', () => {
  const records: DomainRecord[] = [{ ...TRAFFIC, state: 'conflict', observed: ['192.0.2.1'] }];
  expect(titles({ ...VERIFYING, records })).toEqual(['Another record is in the way']);
});

test('another value: compare it; but not while a right one is spreading', () => {
  const mismatch: DomainRecord = { ...TRAFFIC, state: 'mismatch', observed: ['other.example'] };
  expect(titles({ ...VERIFYING, records: [mismatch] })).toEqual(['The value is another one']);
  expect(titles({ ...VERIFYING, records: [{ ...mismatch, action: null }] })).toEqual([]);
});

test.each(['caa_blocked', 'certificate_delayed', 'certificate_timeout', 'certificate_failed'] as const)(
  '%s: what to check when there is no certificate',
  reason => {
    const status = reason === 'certificate_delayed' ? 'issuing' : 'failed';
    expect(titles({ ...FAILED, status, reason })).toEqual(['The certificate is not there after 30 minutes']);
  },
);

test('a domain that just went live: browsers may remember the old certificate', () => {
  const wentLive = Date.parse(LIVE.milestones.liveAt ?? '');
  expect(titles(LIVE, wentLive + HOUR_MS - 1)).toEqual([
    'If a browser says that the connection is not private',
  ]);
  expect(titles(LIVE, wentLive + HOUR_MS)).toEqual([]);
  const { milestones, ...ofEarlierVersion } = LIVE;
  expect(titles(ofEarlierVersion as DomainReport, wentLive)).toEqual([]);
});

test('a redirect: browsers remember it, and curl tells the truth', () => {
  const report = {
    ...LIVE,
    primary: false,
    redirect: { to: 'example.com', status: 301 },
  };
  expect(adviceFor(report, NOW)).toMatchObject([
    { title: 'If a redirect goes to the wrong place', command: 'curl -sI https://www.example.com' },
  ]);
});
