import { describe, expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/testing/public-addresses.ts';
import { changeOf, servedRoute53 } from '../../../../infra/local/testing/served-route53.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { type AccountZones, accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import type { Domain, ManagedRecord } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged, domainStore } from '../../../../shared/domains/life/domain-store.ts';
import type { Holder } from '../../../../shared/domains/life/lease.ts';
import { managedRecords } from '../../../../shared/domains/pass/managed-records.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { stubEndpoint } from '../aws/client-endpoint.ts';
import { AT_MS, certified, claimed, HOST, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import { zoneLookup } from '../dns/zone-lookup.ts';
import { forget } from '../stored-claims.ts';

const store = domainStore(await tableLike('DomainsTable'));
const HOLDER: Holder = { commit: transact, requireTime() {} };

interface ZoneOptions {
  /** The name servers of the delegation, if not those of the zone. */
  readonly delegatedTo?: (own: readonly string[]) => readonly string[];
  readonly isPrivate?: boolean;
  readonly zoneName?: string;
}

/** The zone zoo.example at the local Route 53, on the allow-list and delegated to, and a domain of it. */
async function servedZone({
  delegatedTo = own => own.toReversed(),
  isPrivate = false,
  zoneName = 'zoo.example',
}: ZoneOptions = {}) {
  const route53 = await servedRoute53({ waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created(zoneName);
  const all = accountZones([zoneId]);
  const zones: AccountZones = {
    ...all,
    list: async () => (await all.list()).map(zone => ({ ...zone, isPrivate })),
  };
  const lookup = zoneLookup(() => ({ [`${zoneName} NS`]: delegatedTo(nameServers(zoneId)) }));
  const vantagePoints = async () => ({
    zone: zoneName,
    isApex: false,
    authoritative: undefined,
    resolvers: [lookup],
  });
  const shared = new Set<string>();
  const certificates = { isRecordShared: async (_: Domain, name: string) => shared.has(name) };
  const parts = { domains: store, accountZones: zones, certificates, vantagePoints };
  const record = (fields: Partial<ManagedRecord> = {}): ManagedRecord => ({
    zoneId,
    type: 'CNAME',
    name: NAME,
    value: TARGET,
    ttl: 3600,
    aliasZoneId: null,
    ...fields,
  });
  return {
    route53,
    zoneId,
    zones,
    shared,
    parts,
    record,
    both: [record(), record(VALIDATION)],
    ...managedRecords(parts),
    /** What the zone has but for its own records. */
    records: () =>
      (route53.zones.find(zoneId)?.recordSets ?? [])
        .filter(({ type }) => type !== 'NS' && type !== 'SOA')
        .map(({ type, name, values, aliasTarget }) => [type, name, aliasTarget?.dnsName ?? values].join(' '))
        .toSorted(),
  };
}

const BOTH_RECORDS = [`CNAME ${VALIDATION.name}. ${VALIDATION.value}`, `CNAME ${NAME}. ${TARGET}`];

async function storedDomain(): Promise<Domain> {
  const before = await store.find(NAME, 'zoo');
  if (before) await forget(store, before, AT_MS);
  const domain = claimed({ status: 'verifying', certificate: certified({ status: 'PENDING_VALIDATION' }) });
  await transact([store.claim(domain)]);
  return domain;
}

describe('the zone of a name', () => {
  test('is the closest one that is delegated to', async () => {
    const { zoneIdOf, zoneId, route53, parts } = await servedZone();
    expect(await zoneIdOf(NAME)).toBe(zoneId);
    const closer = await route53.created(NAME);
    const zones = accountZones([zoneId, closer]);
    expect(await managedRecords({ ...parts, accountZones: zones }).zoneIdOf(NAME)).toBeUndefined();
  });

  test.each<[string, ZoneOptions]>([
    ['is delegated to other name servers', { delegatedTo: () => ['ns1.elsewhere.example'] }],
    ['is delegated to other name servers too', { delegatedTo: own => [...own, 'ns1.elsewhere.example'] }],
    ['is not delegated to', { delegatedTo: () => [] }],
    ['is private', { isPrivate: true }],
    ['has another name', { zoneName: 'farm.example' }],
    ['is a suffix of the name, but not at a dot', { zoneName: 'o.example' }],
    ['is below the name', { zoneName: 'deep.www.zoo.example' }],
  ])('is none that %s', async (_, options) => {
    const { zoneIdOf } = await servedZone(options);
    expect(await zoneIdOf(NAME)).toBeUndefined();
  });
});

describe('make', () => {
  test('creates records and stores them in the domain for its removal; repeated it changes nothing', async () => {
    const { both, make, records } = await servedZone();
    const after = await make(await storedDomain(), both, HOLDER);
    expect([records(), after.managed]).toEqual([BOTH_RECORDS, both]);
    expect(await make(after, both, HOLDER)).toEqual(after);
    expect(records()).toEqual(BOTH_RECORDS);
    const { managed, revision } = after;
    expect(await store.find(NAME, 'zoo')).toMatchObject({ managed, revision });
  });

  test.each([
    ['before', async () => {}],
    ['after', (zones: AccountZones, record: ManagedRecord) => zones.create(record)],
  ])('makes all records after a crash right %s the creation of the first', async (_, done) => {
    const { both, make, records, zones, parts } = await servedZone();
    const dying = async (record: ManagedRecord) => {
      await done(zones, record);
      throw new Error('The function ended.');
    };
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: dying } });
    await expect(interrupted.make(await storedDomain(), both, HOLDER)).rejects.toThrow('The function ended.');
    const stored = (await store.find(NAME, 'zoo')) as Domain;
    expect(stored.managed).toEqual(both.slice(0, 1));
    const { managed } = await make(stored, both, HOLDER);
    expect([records(), managed]).toEqual([BOTH_RECORDS, both]);
  });

  test('throws DomainChanged and creates nothing for a domain that was removed in the meantime', async () => {
    const { both, make, records } = await servedZone();
    const domain = await storedDomain();
    await forget(store, domain, AT_MS);
    await expect(make(domain, both, HOLDER)).rejects.toThrow(DomainChanged);
    expect(records()).toEqual([]);
  });

  test('replaces an alias to a former domain name, which has one all the time; both are removed', async () => {
    const { route53, record, make, records, removeAll } = await servedZone();
    const aliasTo = (value: string) => record({ type: 'A', value, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' });
    const OTHER_HOST = HOST.replace('d-1', 'd-2');
    const before = await make(await storedDomain(), [aliasTo(HOST)], HOLDER);
    expect(records()).toEqual([`A ${NAME}. ${HOST}.`, `AAAA ${NAME}. ${HOST}.`]);
    const replace = route53.zones.replaceRecordSets.bind(route53.zones);
    const counts: number[] = [];
    route53.zones.replaceRecordSets = (...change) => {
      replace(...change);
      counts.push(records().length);
    };
    const after = await make(before, [aliasTo(OTHER_HOST)], HOLDER);
    expect(counts).toEqual([2, 2]);
    expect(records()).toEqual([`A ${NAME}. ${OTHER_HOST}.`, `AAAA ${NAME}. ${OTHER_HOST}.`]);
    await removeAll(after);
    expect(records()).toEqual([]);
  });
});

describe('removeAll', () => {
  test('deletes the managed records and no others, and may be repeated', async () => {
    const { route53, zoneId, both, make, records, removeAll } = await servedZone();
    await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'mine.zoo.example', 'elsewhere.example'));
    const after = await make(await storedDomain(), both, HOLDER);
    // The owner has changed the value of a managed record, which makes the record the owner's.
    await route53.change(zoneId, changeOf('UPSERT', 'CNAME', NAME, 'elsewhere.example'));
    await removeAll(after);
    await removeAll(after);
    expect(records()).toEqual([
      'CNAME mine.zoo.example. elsewhere.example',
      `CNAME ${NAME}. elsewhere.example`,
    ]);
  });

  test.each(['another project that has taken the name over', 'a certificate of others'])(
    'leaves the validation record to %s',
    async needed => {
      const { both, make, records, shared, parts } = await servedZone();
      const after = await make(await storedDomain(), both, HOLDER);
      if (needed === 'a certificate of others') shared.add(VALIDATION.name);
      const domains =
        needed === 'a certificate of others' ? store : { ...store, ownerOf: async () => 'farm' };
      await managedRecords({ ...parts, domains }).removeAll(after);
      expect(records()).toEqual(BOTH_RECORDS.slice(0, 1));
    },
  );
});
