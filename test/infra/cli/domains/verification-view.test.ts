import { expect, test } from 'vitest';
import { changesOf } from '../../../../infra/cli/domains/verification-view.ts';
import type { DomainRecord } from '../../../../shared/operator/contract.ts';
import { ADDED, CERTIFICATE, ISSUING, LIVE, TRAFFIC, VERIFYING } from './domain-fixture.ts';

test('lists everything in the first report', () => {
  expect(changesOf(undefined, VERIFYING)).toEqual([
    `www.example.com: verifying. ${TRAFFIC.action}`,
    'traffic record, CNAME www.example.com: missing',
    'certificate record, CNAME _acm.www.example.com: missing',
    'certificate: PENDING_VALIDATION',
  ]);
});

test('lists only what differs from the report before', () => {
  expect(changesOf(VERIFYING, VERIFYING)).toEqual([]);
  expect(changesOf(VERIFYING, { ...VERIFYING, nextCheckAt: '2026-01-01T12:02:00.000Z' })).toEqual([]);
  expect(changesOf(ISSUING, LIVE)).toEqual([
    'www.example.com: live. https://www.example.com is live.',
    'certificate: ISSUED',
  ]);
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
