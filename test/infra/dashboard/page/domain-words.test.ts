import { expect, test } from 'vitest';
import { domainState, recordState } from '../../../../infra/dashboard/page/domain-words.ts';
import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';
import { ADDED, FAILED, ISSUING, LIVE, TRAFFIC, VERIFYING } from '../../cli/domains/domain-fixture.ts';

const REMOVING: DomainReport = { ...LIVE, status: 'removing' };

test.each<[DomainReport, string, string]>([
  [ADDED, 'attention', 'Waiting for DNS records'],
  [VERIFYING, 'attention', 'DNS records need attention'],
  [{ ...VERIFYING, reason: null, records: LIVE.records }, 'progress', 'Checking DNS'],
  [ISSUING, 'progress', 'Issuing the certificate'],
  [{ ...ISSUING, certificate: LIVE.certificate }, 'progress', 'Attaching the domain'],
  [{ ...ISSUING, reason: 'caa_blocked' }, 'attention', 'Certificate needs attention'],
  [LIVE, 'ok', 'Live'],
  [{ ...LIVE, reason: 'traffic_record_missing' }, 'attention', 'Live, needs attention'],
  [FAILED, 'bad', 'Verification failed'],
  [REMOVING, 'muted', 'Being removed'],
  [{ ...REMOVING, reason: 'certificate_in_use' }, 'bad', 'Removal stalled'],
])('says the state of a domain in words, case %#', (report, tone, words) => {
  expect(domainState(report)).toEqual({ tone, words });
});

test.each<[Partial<DomainRecord>, string, string]>([
  [{ state: 'ok', action: null }, 'ok', 'Seen'],
  [{ state: 'missing' }, 'attention', 'Not seen yet'],
  [{ state: 'missing', action: null }, 'progress', 'Spreading'],
  [{ state: 'spreading', action: null }, 'progress', 'Spreading'],
  [{ state: 'mismatch' }, 'bad', 'Differs'],
  [{ state: 'conflict' }, 'bad', 'In conflict'],
  [{ state: 'unreachable' }, 'progress', 'No answer from DNS'],
])('says the state of a record in words, case %#', (record, tone, words) => {
  expect(recordState({ ...TRAFFIC, ...record }, true)).toEqual({ tone, words });
});

test('a record of a domain that was never checked is not called missing', () => {
  expect(recordState(TRAFFIC, false)).toEqual({ tone: 'muted', words: 'Not checked yet' });
});
