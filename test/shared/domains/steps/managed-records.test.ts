import { beforeAll, describe, expect, test } from 'vitest';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore, Superseded } from '../../../../shared/domains/life/domain-store.ts';
import { managedRecords } from '../../../../shared/domains/steps/managed-records.ts';
import { changeOf } from '../../../infra/local/route53/served-route53.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { CHALLENGE, certified, VALIDATION } from '../claimed-domain.ts';
import {
  BOTH_RECORDS,
  domainWithRecords,
  NAME,
  servedZone,
  TRAFFIC,
  type ZoneOptions,
} from './managed-zone.ts';

let store: DomainStore;
beforeAll(async () => {
  store = domainStore(await tableLike('DomainsTable'));
});

describe('create', () => {
  test('creates missing records and stores them in the domain for its removal', async () => {
    const { zoneId, records, parts } = await servedZone(store);
    const after = await managedRecords(parts).create(await domainWithRecords(store, 'missing'));
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    expect(after.managed).toEqual([
      { zoneId, ...TRAFFIC },
      { zoneId, ...TRAFFIC, ...VALIDATION },
    ]);
    expect((await store.find(NAME, 'zoo'))?.managed).toEqual(after.managed);
    expect(after.records.map(({ action }) => action)).toEqual([null, null]);
  });

  test('leaves the validation record, which all claims of the name share, until the claim is proven', async () => {
    const { records, parts } = await servedZone(store);
    await managedRecords(parts).create(await domainWithRecords(store, 'missing', { verifiedAt: null }));
    expect(records()).toEqual(BOTH_RECORDS.filter(record => !record.includes('acm-validations')));
  });

  test('changes nothing when it is repeated', async () => {
    const { records, parts } = await servedZone(store);
    const after = await managedRecords(parts).create(await domainWithRecords(store, 'missing'));
    expect(await managedRecords(parts).create(after)).toEqual(after);
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    expect((await store.find(NAME, 'zoo'))?.revision).toBe(after.revision);
  });

  test('creates the TXT record of an apex, but not its alias', async () => {
    const { records, parts } = await servedZone(store);
    const domain = await domainWithRecords(store, 'missing', {
      domain: 'zoo.example',
      kind: 'apex',
      certificate: certified({ validations: [] }),
    });
    await managedRecords(parts).create(domain);
    expect(records()).toEqual([`TXT _petstore-challenge.zoo.example. "${CHALLENGE}"`]);
  });

  test.each(['ok', 'mismatch', 'conflict', 'unreachable'] as const)(
    'creates no record whose state is %s',
    async state => {
      const { records, parts } = await servedZone(store);
      const domain = await domainWithRecords(store, state);
      expect(await managedRecords(parts).create(domain)).toBe(domain);
      expect(records()).toEqual([]);
    },
  );

  test('keeps an existing record with another value, and so does removeAll', async () => {
    const { route53, zoneId, records, parts } = await servedZone(store);
    await route53.change(zoneId, changeOf('CREATE', 'CNAME', NAME, 'elsewhere.example'));
    const managed = managedRecords(parts);
    const after = await managed.create(await domainWithRecords(store, 'missing'));
    expect(records()).toContain(`CNAME ${NAME}. elsewhere.example`);
    await managed.removeAll(after);
    expect(records()).toEqual([`CNAME ${NAME}. elsewhere.example`]);
  });

  test.each<[string, ZoneOptions]>([
    ['is delegated to other name servers', { delegatedTo: () => ['ns1.elsewhere.example'] }],
    ['is delegated to other name servers too', { delegatedTo: own => [...own, 'ns1.elsewhere.example'] }],
    ['is not delegated to', { delegatedTo: () => [] }],
    ['is private', { isPrivate: true }],
    ['has another name', { zoneName: 'farm.example' }],
    ['is a suffix of the name, but not at a dot', { zoneName: 'o.example' }],
    ['is below the name', { zoneName: 'deep.www.zoo.example' }],
  ])('creates nothing in a zone that %s', async (_, options) => {
    const { records, parts } = await servedZone(store, options);
    const domain = await domainWithRecords(store, 'missing');
    expect(await managedRecords(parts).create(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test('creates nothing when the closest zone is not delegated to, although its parent is', async () => {
    const { route53, zoneId, parts, records } = await servedZone(store);
    const closer = await route53.created(NAME);
    const zones = accountZones([zoneId, closer]);
    const domain = await domainWithRecords(store, 'missing');
    expect(await managedRecords({ ...parts, accountZones: zones }).create(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test('creates a record that was stored but not created before a crash', async () => {
    const { zoneId, records, zones, parts } = await servedZone(store);
    const crash = async () => {
      throw new Error('The function ended.');
    };
    const domain = await domainWithRecords(store, 'missing');
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: crash } });
    await expect(interrupted.create(domain)).rejects.toThrow('The function ended.');
    const stored = (await store.find(NAME, 'zoo')) as Domain;
    expect(stored.managed).toEqual([{ zoneId, ...TRAFFIC }]);
    const after = await managedRecords(parts).create({ ...stored, records: domain.records });
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    expect(after.managed).toHaveLength(2);
  });

  test('keeps a record as managed that was created right before a crash', async () => {
    const { zoneId, zones, parts } = await servedZone(store);
    const domain = await domainWithRecords(store, 'missing');
    const createAndCrash = async (record: Domain['managed'][number]) => {
      await zones.create(record);
      throw new Error('The function ended.');
    };
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: createAndCrash } });
    await expect(interrupted.create(domain)).rejects.toThrow('The function ended.');
    const stored = (await store.find(NAME, 'zoo')) as Domain;
    const after = await managedRecords(parts).create({ ...stored, records: domain.records });
    expect(after.managed[0]).toEqual({ zoneId, ...TRAFFIC });
  });

  test('throws Superseded and creates nothing for a domain that was removed in the meantime', async () => {
    const { records, parts } = await servedZone(store);
    const domain = await domainWithRecords(store, 'missing');
    await store.forget(domain);
    await expect(managedRecords(parts).create(domain)).rejects.toThrow(Superseded);
    expect(records()).toEqual([]);
  });
});
