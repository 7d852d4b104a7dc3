import { describe, expect, test } from 'vitest';
import {
  claimOf,
  Domain,
  domainFromItem,
  domainItem,
  ManagedRecord,
  nextRevision,
} from '../../../../shared/domains/life/domain.ts';
import { claimed, live, TARGET, TRAFFIC } from '../claimed-domain.ts';

test('claimOf returns the label of the target', () => {
  expect(`${claimOf(claimed())}.apps.petstore.example`).toBe(TARGET);
});

test('nextRevision increments the revision and changes nothing else', () => {
  const domain = claimed({ revision: 41 });
  expect(nextRevision(domain)).toEqual({ ...domain, revision: 42 });
});

test.each([
  ...['traffic', 'ownership', 'certificate'].map(purpose => ({ purpose })),
  ...['CNAME', 'ALIAS', 'TXT'].map(type => ({ type })),
  ...['ok', 'missing', 'mismatch', 'conflict', 'unreachable', 'spreading'].map(state => ({ state })),
])('a domain is read with a record of %j', differing => {
  const record = { ...TRAFFIC, state: 'ok', observed: [], action: null, ...differing };
  expect(Domain.parse({ ...claimed(), records: [record] }).records).toEqual([record]);
});

test('a domain is read with its endpoint at API Gateway', () => {
  const gateway = { host: 'd-1.execute-api.example', hostedZoneId: 'Z1' };
  expect(Domain.parse(claimed({ gateway })).gateway).toEqual(gateway);
});

test('a domain is read with the lease of the delivery that takes it down', () => {
  const takeDownLease = { holder: 'first', until: '2026-01-31T12:01:30.000Z' };
  expect(Domain.parse({ ...claimed(), takeDownLease })).toMatchObject({ takeDownLease });
});

test.each(['CNAME', 'TXT', 'A'])('a managed record of the type %s is read', type => {
  const record = { zoneId: 'Z1', type, name: 'a.example', value: 'b.example', ttl: 60, aliasZoneId: null };
  expect(ManagedRecord.parse(record)).toEqual(record);
});

describe('the item of a domain', () => {
  const removal = { phase: 'removal', reason: 'gateway_busy', status: 'stalled' } as const;

  test.each<[string, Domain]>([
    ['a live domain', live()],
    ['one that needs attention', live({ status: 'needs_attention', reason: 'mapping_changed' })],
    ['a removal', live({ status: 'removing', phase: 'removal' })],
    ['a removal that has stalled', live(removal)],
    ['a verification with a reason', claimed({ status: 'verifying', reason: 'traffic_record_missing' })],
  ])('is read as it was written: %s', (_, domain) => {
    expect(domainFromItem(domainItem(domain))).toEqual(domain);
  });

  test('has the status and phase of version 1.0, which has no others', () => {
    expect(domainItem(live({ status: 'needs_attention', reason: 'mapping_changed' }))).toMatchObject({
      status: 'live',
      phase: 'live',
      reason: 'mapping_changed',
    });
    expect(domainItem(live(removal))).toMatchObject({
      status: 'removing',
      phase: 'live',
      reason: 'gateway_busy',
    });
  });
});
