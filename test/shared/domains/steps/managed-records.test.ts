import { describe, expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/route53/aws-names.ts';
import { changeOf, servedRoute53 } from '../../../../infra/local/test/route53/served-route53.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { type AccountZones, accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged, domainStore } from '../../../../shared/domains/life/domain-store.ts';
import type { Holder } from '../../../../shared/domains/life/lease.ts';
import { managedRecords } from '../../../../shared/domains/steps/managed-records.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { stubEndpoint } from '../aws/client-endpoint.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  HOST,
  NAME,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { zoneLookup } from '../dns/zone-lookup.ts';
import { forget } from '../stored-claims.ts';

const TRAFFIC = { type: 'CNAME', name: NAME, value: TARGET, ttl: 3600, aliasZoneId: null };
const BOTH_RECORDS = [`CNAME ${VALIDATION.name}. ${VALIDATION.value}`, `CNAME ${NAME}. ${TARGET}`];

const store = domainStore(await tableLike('DomainsTable'));
const HOLDER: Holder = { commit: transact, requireTime() {} };

interface ZoneOptions {
  /** The name servers of the delegation, if not those of the zone. */
  readonly delegatedTo?: (own: readonly string[]) => readonly string[];
  readonly isPrivate?: boolean;
  readonly zoneName?: string;
}

/** The zone zoo.example at the local Route 53, on the allow-list and delegated to. */
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
  const records = () =>
    (route53.zones.find(zoneId)?.recordSets ?? [])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ type, name, values, aliasTarget }) => [type, name, aliasTarget?.dnsName ?? values].join(' '));
  const shared = new Set<string>();
  const certificates = { isRecordShared: async (_: Domain, name: string) => shared.has(name) };
  const parts = { domains: store, accountZones: zones, certificates, vantagePoints };
  const { create, createAlias, removeAll } = managedRecords(parts);
  return {
    route53,
    zoneId,
    records,
    zones,
    shared,
    parts,
    create: (domain: Domain) => create(domain, HOLDER),
    createAlias: (domain: Domain) => createAlias(domain, HOLDER),
    removeAll,
  };
}

/** A stored domain whose records were all found in this state. */
async function domainWithRecords(
  state: Domain['records'][number]['state'],
  changes: Partial<Domain> = {},
): Promise<Domain> {
  const domain = claimed({
    status: 'verifying',
    verifiedAt: AT,
    certificate: certified({ status: 'PENDING_VALIDATION' }),
    ...changes,
  });
  const before = await store.find(domain.domain, 'zoo');
  if (before) await forget(store, before, AT_MS);
  await transact([store.claim(domain)]);
  const needed = requiredRecords(domain).filter(({ isOptional }) => !isOptional);
  const records = needed.map(required => ({
    ...required,
    state,
    observed: [],
    advice: [],
    action: 'Create it.',
  }));
  return { ...domain, records };
}

describe('create', () => {
  test('creates missing records and stores them in the domain for its removal; repeated it changes nothing', async () => {
    const { zoneId, records, create } = await servedZone();
    const after = await create(await domainWithRecords('missing'));
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    expect(after.managed).toEqual([
      { zoneId, ...TRAFFIC },
      { zoneId, ...TRAFFIC, ...VALIDATION },
    ]);
    expect(after.records.map(({ action }) => action)).toEqual([null, null]);
    expect(await create(after)).toEqual(after);
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    const { managed, revision } = after;
    expect(await store.find(NAME, 'zoo')).toMatchObject({ managed, revision });
  });

  test('leaves the validation record, which all claims of the name share, until the claim is proven', async () => {
    const { records, create } = await servedZone();
    await create(await domainWithRecords('missing', { verifiedAt: null }));
    expect(records()).toEqual(BOTH_RECORDS.filter(record => !record.includes('acm-validations')));
  });

  test('creates the TXT record of an apex, but not its alias', async () => {
    const { records, create } = await servedZone();
    const certificate = certified({ validations: [] });
    await create(await domainWithRecords('missing', { domain: 'zoo.example', kind: 'apex', certificate }));
    expect(records()).toEqual([`TXT _petstore-challenge.zoo.example. "${CHALLENGE}"`]);
  });

  test.each(['ok', 'mismatch', 'conflict', 'unreachable'] as const)(
    'creates no record whose state is %s',
    async state => {
      const { records, create } = await servedZone();
      const domain = await domainWithRecords(state);
      expect(await create(domain)).toBe(domain);
      expect(records()).toEqual([]);
    },
  );

  test.each<[string, ZoneOptions]>([
    ['is delegated to other name servers', { delegatedTo: () => ['ns1.elsewhere.example'] }],
    ['is delegated to other name servers too', { delegatedTo: own => [...own, 'ns1.elsewhere.example'] }],
    ['is not delegated to', { delegatedTo: () => [] }],
    ['is private', { isPrivate: true }],
    ['has another name', { zoneName: 'farm.example' }],
    ['is a suffix of the name, but not at a dot', { zoneName: 'o.example' }],
    ['is below the name', { zoneName: 'deep.www.zoo.example' }],
  ])('creates nothing in a zone that %s', async (_, options) => {
    const { records, create } = await servedZone(options);
    const domain = await domainWithRecords('missing');
    expect(await create(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test('creates nothing when the closest zone is not delegated to, although its parent is', async () => {
    const { route53, zoneId, parts, records } = await servedZone();
    const closer = await route53.created(NAME);
    const zones = accountZones([zoneId, closer]);
    const domain = await domainWithRecords('missing');
    expect(await managedRecords({ ...parts, accountZones: zones }).create(domain, HOLDER)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test.each([
    ['before', async () => {}],
    ['after', (zones: AccountZones, record: Domain['managed'][number]) => zones.create(record)],
  ])('creates and manages all records after a crash right %s the creation of the first', async (_, done) => {
    const { zoneId, records, zones, parts, create } = await servedZone();
    const dying = async (record: Domain['managed'][number]) => {
      await done(zones, record);
      throw new Error('The function ended.');
    };
    const domain = await domainWithRecords('missing');
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: dying } });
    await expect(interrupted.create(domain, HOLDER)).rejects.toThrow('The function ended.');
    const stored = (await store.find(NAME, 'zoo')) as Domain;
    expect(stored.managed).toEqual([{ zoneId, ...TRAFFIC }]);
    const after = await create({ ...stored, records: domain.records });
    expect(records().toSorted()).toEqual(BOTH_RECORDS);
    expect(after.managed).toHaveLength(2);
  });

  test('throws DomainChanged and creates nothing for a domain that was removed in the meantime', async () => {
    const { records, create } = await servedZone();
    const domain = await domainWithRecords('missing');
    await forget(store, domain, AT_MS);
    await expect(create(domain)).rejects.toThrow(DomainChanged);
    expect(records()).toEqual([]);
  });
});

describe('createAlias', () => {
  const gateway = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' };
  const apex = { domain: 'zoo.example', kind: 'apex' as const, gateway };

  test('creates the aliases of an apex to its domain name at API Gateway', async () => {
    const { zoneId, records, createAlias } = await servedZone();
    const after = await createAlias(await domainWithRecords('missing', apex));
    expect(records()).toEqual([`A zoo.example. ${HOST}.`, `AAAA zoo.example. ${HOST}.`]);
    expect(after.managed).toEqual([
      { zoneId, type: 'A', name: 'zoo.example', value: HOST, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' },
    ]);
  });

  test.each(['missing', 'mismatch'] as const)(
    'replaces its alias to a former domain name, whose answers are %s',
    async state => {
      const { records, createAlias, removeAll } = await servedZone();
      const before = await createAlias(await domainWithRecords('missing', apex));
      const OTHER_HOST = HOST.replace('d-1', 'd-2');
      const found = before.records.map(record => ({ ...record, state }));
      const after = await createAlias({
        ...before,
        records: found,
        gateway: { ...gateway, host: OTHER_HOST },
      });
      expect(records()).toEqual([`A zoo.example. ${OTHER_HOST}.`, `AAAA zoo.example. ${OTHER_HOST}.`]);
      expect(after.managed.map(({ value }) => value)).toEqual([HOST, OTHER_HOST]);
      await removeAll(after);
      expect(records()).toEqual([]);
    },
  );

  test('keeps an A record of the owner', async () => {
    const { route53, zoneId, records, createAlias } = await servedZone();
    await route53.change(zoneId, changeOf('CREATE', 'A', 'zoo.example', '192.0.2.1'));
    const after = await createAlias(await domainWithRecords('mismatch', apex));
    expect(after.managed).toEqual([]);
    expect(records()).toEqual(['A zoo.example. 192.0.2.1']);
  });

  test.each<[string, Domain['records'][number]['state'], Partial<Domain>]>([
    ['for an apex that points here', 'ok', apex],
    ['for an apex without a domain name at API Gateway', 'missing', { ...apex, gateway: null }],
    ['for a subdomain', 'missing', { gateway }],
  ])('creates no alias %s', async (_, state, changes) => {
    const { records, createAlias } = await servedZone();
    const domain = await domainWithRecords(state, changes);
    expect(await createAlias(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });
});

test('removeAll deletes the managed records and no others, and may be repeated', async () => {
  const { route53, zoneId, records, create, removeAll } = await servedZone();
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'mine.zoo.example', 'elsewhere.example'));
  const after = await create(await domainWithRecords('missing'));
  // The owner has changed the value of a managed record, which makes the record the owner's.
  await route53.change(zoneId, changeOf('UPSERT', 'CNAME', NAME, 'elsewhere.example'));
  await removeAll(after);
  await removeAll(after);
  expect(records().toSorted()).toEqual([
    'CNAME mine.zoo.example. elsewhere.example',
    `CNAME ${NAME}. elsewhere.example`,
  ]);
});

test.each(['another project that has taken the name over', 'a certificate of others'])(
  'removeAll leaves the validation record to %s',
  async needed => {
    const { records, shared, parts, create, removeAll } = await servedZone();
    const after = await create(await domainWithRecords('missing'));
    if (needed === 'a certificate of others') {
      shared.add(VALIDATION.name);
      await removeAll(after);
    } else {
      await managedRecords({ ...parts, domains: { ...store, ownerOf: async () => 'farm' } }).removeAll(after);
    }
    expect(records()).toEqual([`CNAME ${VALIDATION.name}. ${VALIDATION.value}`]);
  },
);
