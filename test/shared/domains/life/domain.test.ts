import { expect, test } from 'vitest';
import { claimOf, Domain, ManagedRecord, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { claimed, TARGET, TRAFFIC } from '../claimed-domain.ts';

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
