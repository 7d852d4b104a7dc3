import { beforeAll, describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore } from '../../../../shared/domains/life/domain-store.ts';
import { managedRecords } from '../../../../shared/domains/steps/managed-records.ts';
import { changeOf } from '../../../infra/local/route53/served-route53.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { domainWithRecords, servedZone } from './managed-zone.ts';

const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

let store: DomainStore;
beforeAll(async () => {
  store = domainStore(await tableLike('DomainsTable'));
});

describe('createAlias', () => {
  const gateway = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' };
  const apex = { domain: 'zoo.example', kind: 'apex' as const, gateway };

  test('creates an alias of an apex to its domain name at API Gateway', async () => {
    const { zoneId, records, parts } = await servedZone(store);
    const after = await managedRecords(parts).createAlias(await domainWithRecords(store, 'missing', apex));
    expect(records()).toEqual([`A zoo.example. ${HOST}.`]);
    expect(after.managed).toEqual([
      { zoneId, type: 'A', name: 'zoo.example', value: HOST, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' },
    ]);
  });

  test('keeps an A record of the owner', async () => {
    const { route53, zoneId, records, parts } = await servedZone(store);
    await route53.change(zoneId, changeOf('CREATE', 'A', 'zoo.example', '192.0.2.1'));
    const after = await managedRecords(parts).createAlias(await domainWithRecords(store, 'mismatch', apex));
    expect(after.managed).toEqual([]);
    expect(records()).toEqual(['A zoo.example. 192.0.2.1']);
  });

  test.each<[string, Domain['records'][number]['state'], Partial<Domain>]>([
    ['for an apex that points here', 'ok', apex],
    ['for an apex without a domain name at API Gateway', 'missing', { ...apex, gateway: null }],
    ['for a subdomain', 'missing', { gateway }],
  ])('creates no alias %s', async (_, state, changes) => {
    const { records, parts } = await servedZone(store);
    const domain = await domainWithRecords(store, state, changes);
    expect(await managedRecords(parts).createAlias(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });
});
