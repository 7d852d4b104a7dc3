import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../../infra/cli/domains/verify-domain.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { ADDED, FAILED, ISSUING, LIVE, TRAFFIC, VERIFYING } from './domain-fixture.ts';

const withTraffic = (state: DomainReport['records'][number]['state']): DomainReport => ({
  ...ISSUING,
  status: 'verifying',
  records: [{ ...TRAFFIC, state }],
});

test.for([
  [0, 'live', LIVE],
  [3, 'live, but the last check found a fault', { ...LIVE, reason: 'traffic_record_mismatch' }],
  [3, 'added, and its records are missing', ADDED],
  [3, 'a record is missing', VERIFYING],
  [3, 'a record has another value', withTraffic('mismatch')],
  [3, 'a record is in conflict with another', withTraffic('conflict')],
  [3, 'a CAA record forbids the certificate', { ...ISSUING, reason: 'caa_blocked' }],
  [3, 'failed', FAILED],
  [4, 'the certificate is being issued', ISSUING],
  [3, 'the certificate is delayed', { ...ISSUING, reason: 'certificate_delayed' }],
  [
    4,
    'a DNS server does not answer',
    { ...withTraffic('unreachable'), reason: 'traffic_record_unreachable' },
  ],
  [4, 'being removed', { ...VERIFYING, status: 'removing', reason: null }],
  [3, 'its removal has stalled', { ...VERIFYING, status: 'removing', reason: 'certificate_in_use' }],
] as const)('%i: %s', ([exitCode, , report]) => expect(exitCodeOf(report)).toBe(exitCode));
