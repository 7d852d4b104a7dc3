import { beforeAll, describe, expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/route53/delegation-set.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { type AccountZones, accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore, Superseded } from '../../../../shared/domains/life/domain-store.ts';
import { managedRecords } from '../../../../shared/domains/steps/managed-records.ts';
import { changeOf, servedRoute53 } from '../../../infra/local/route53/served-route53.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { clientsFind } from '../aws/client-endpoint.ts';
import { CHALLENGE, certified, claimed, TARGET, VALIDATION } from '../claimed-domain.ts';
import { zoneLookup } from '../dns/zone-lookup.ts';

const NAME = 'www.zoo.example';
const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

let store: DomainStore;
beforeAll(async () => {
  store = domainStore(await tableLike('DomainsTable'));
});

interface Differences {
  /** The name servers that the world asks, if not those of the zone. */
  readonly delegatedTo?: (own: readonly string[]) => readonly string[];
  readonly isPrivate?: boolean;
  readonly zoneName?: string;
}

/** The zone zoo.example at Route 53 on one machine, on the allow-list and asked by the world. */
async function served({
  delegatedTo = own => own.toReversed(),
  isPrivate = false,
  zoneName = 'zoo.example',
}: Differences = {}) {
  const route53 = await servedRoute53();
  clientsFind('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created(zoneName);
  const all = accountZones([zoneId]);
  const zones: AccountZones = {
    ...all,
    list: async () => (await all.list()).map(zone => ({ ...zone, isPrivate })),
  };
  const lookup = zoneLookup(() => ({ [`${zoneName} NS`]: delegatedTo(nameServers(zoneId)) }));
  const vantagePoints = async () => ({ authoritative: undefined, resolvers: [lookup] });
  const records = () =>
    (route53.zones.find(zoneId)?.recordSets ?? [])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ type, name, values, aliasTarget }) => [type, name, aliasTarget?.dnsName ?? values].join(' '));
  return { route53, zoneId, records, zones, parts: { domains: store, accountZones: zones, vantagePoints } };
}

/** A stored domain whose records are all in this state. */
async function seen(state: Domain['records'][number]['state'], news: Partial<Domain> = {}): Promise<Domain> {
  const domain = claimed({
    status: 'verifying',
    certificate: certified({ status: 'PENDING_VALIDATION' }),
    ...news,
  });
  const before = await store.find(domain.domain);
  if (before) await store.forget(before);
  await transact([store.claim(domain)]);
  const records = requiredRecords(domain).map(required => ({
    ...required,
    state,
    observed: [],
    action: 'Create it.',
  }));
  return { ...domain, records };
}

const TRAFFIC = { type: 'CNAME', name: NAME, value: TARGET, ttl: 3600, aliasZoneId: null };
const BOTH = [`CNAME ${VALIDATION.name}. ${VALIDATION.value}`, `CNAME ${NAME}. ${TARGET}`];

describe('make', () => {
  test('makes what is missing and notes it, so that it can be taken away', async () => {
    const { zoneId, records, parts } = await served();
    const after = await managedRecords(parts).create(await seen('missing'));
    expect(records().toSorted()).toEqual(BOTH);
    expect(after.managed).toEqual([
      { zoneId, ...TRAFFIC },
      { zoneId, ...TRAFFIC, ...VALIDATION },
    ]);
    expect((await store.find(NAME))?.managed).toEqual(after.managed);
    expect(after.records.map(({ action }) => action)).toEqual([null, null]);
  });

  test('again changes nothing', async () => {
    const { records, parts } = await served();
    const after = await managedRecords(parts).create(await seen('missing'));
    expect(await managedRecords(parts).create(after)).toEqual(after);
    expect(records().toSorted()).toEqual(BOTH);
    expect((await store.find(NAME))?.revision).toBe(after.revision);
  });

  test('makes the text of an apex, and leaves its alias for later', async () => {
    const { records, parts } = await served();
    const domain = await seen('missing', {
      domain: 'zoo.example',
      kind: 'apex',
      certificate: certified({ validations: [] }),
    });
    await managedRecords(parts).create(domain);
    expect(records()).toEqual([`TXT _petstore-challenge.zoo.example. "${CHALLENGE}"`]);
  });

  test.each(['ok', 'mismatch', 'conflict', 'unreachable'] as const)(
    'leaves records alone that are %s',
    async state => {
      const { records, parts } = await served();
      const domain = await seen(state);
      expect(await managedRecords(parts).create(domain)).toBe(domain);
      expect(records()).toEqual([]);
    },
  );

  test('leaves a record that is there already as it is, when it makes and when it takes away', async () => {
    const { route53, zoneId, records, parts } = await served();
    await route53.change(zoneId, changeOf('CREATE', 'CNAME', NAME, 'elsewhere.example'));
    const managed = managedRecords(parts);
    const after = await managed.create(await seen('missing'));
    expect(records()).toContain(`CNAME ${NAME}. elsewhere.example`);
    await managed.removeAll(after);
    expect(records()).toEqual([`CNAME ${NAME}. elsewhere.example`]);
  });

  test.each<[string, Differences]>([
    ['that others answer for', { delegatedTo: () => ['ns1.elsewhere.example'] }],
    ['that others answer for too', { delegatedTo: own => [...own, 'ns1.elsewhere.example'] }],
    ['that nobody is told to ask', { delegatedTo: () => [] }],
    ['that is private', { isPrivate: true }],
    ['of another domain', { zoneName: 'farm.example' }],
    ['of a domain that only ends alike', { zoneName: 'o.example' }],
    ['of a name below', { zoneName: 'deep.www.zoo.example' }],
  ])('leaves a zone alone %s', async (_, differences) => {
    const { records, parts } = await served(differences);
    const domain = await seen('missing');
    expect(await managedRecords(parts).create(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test('uses the closest zone, which must be the one that the world asks', async () => {
    const { route53, zoneId, parts, records } = await served();
    const closer = await route53.created(NAME);
    const zones = accountZones([zoneId, closer]);
    const domain = await seen('missing');
    expect(await managedRecords({ ...parts, accountZones: zones }).create(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });

  test('that ends between note and record is made up for, and what it made is its own', async () => {
    const { zoneId, records, zones, parts } = await served();
    const ends = async () => {
      throw new Error('The function ended.');
    };
    const domain = await seen('missing');
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: ends } });
    await expect(interrupted.create(domain)).rejects.toThrow('The function ended.');
    const noted = (await store.find(NAME)) as Domain;
    expect(noted.managed).toEqual([{ zoneId, ...TRAFFIC }]);
    const after = await managedRecords(parts).create({ ...noted, records: domain.records });
    expect(records().toSorted()).toEqual(BOTH);
    expect(after.managed).toHaveLength(2);
  });

  test('that ends after the record is managed keeps it as its own', async () => {
    const { zoneId, zones, parts } = await served();
    const domain = await seen('missing');
    const makesAndEnds = async (record: Domain['managed'][number]) => {
      await zones.create(record);
      throw new Error('The function ended.');
    };
    const interrupted = managedRecords({ ...parts, accountZones: { ...zones, create: makesAndEnds } });
    await expect(interrupted.create(domain)).rejects.toThrow('The function ended.');
    const noted = (await store.find(NAME)) as Domain;
    const after = await managedRecords(parts).create({ ...noted, records: domain.records });
    expect(after.managed[0]).toEqual({ zoneId, ...TRAFFIC });
  });

  test('makes nothing for a domain that was removed meanwhile', async () => {
    const { records, parts } = await served();
    const domain = await seen('missing');
    await store.forget(domain);
    await expect(managedRecords(parts).create(domain)).rejects.toThrow(Superseded);
    expect(records()).toEqual([]);
  });
});

describe('makeAlias', () => {
  const gateway = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' };
  const apex = { domain: 'zoo.example', kind: 'apex' as const, gateway };

  test('makes the alias of an apex to its domain name', async () => {
    const { zoneId, records, parts } = await served();
    const after = await managedRecords(parts).createAlias(await seen('missing', apex));
    expect(records()).toEqual([`A zoo.example. ${HOST}.`]);
    expect(after.managed).toEqual([
      { zoneId, type: 'A', name: 'zoo.example', value: HOST, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' },
    ]);
  });

  test('leaves an address of the owner as it is', async () => {
    const { route53, zoneId, records, parts } = await served();
    await route53.change(zoneId, changeOf('CREATE', 'A', 'zoo.example', '192.0.2.1'));
    const after = await managedRecords(parts).createAlias(await seen('mismatch', apex));
    expect(after.managed).toEqual([]);
    expect(records()).toEqual(['A zoo.example. 192.0.2.1']);
  });

  test.each<[string, Domain['records'][number]['state'], Partial<Domain>]>([
    ['of an apex that leads here', 'ok', apex],
    ['of an apex without a domain name', 'missing', { ...apex, gateway: null }],
    ['of a subdomain', 'missing', { gateway }],
  ])('makes none %s', async (_, state, news) => {
    const { records, parts } = await served();
    const domain = await seen(state, news);
    expect(await managedRecords(parts).createAlias(domain)).toBe(domain);
    expect(records()).toEqual([]);
  });
});

test('removal deletes what was made and nothing else, and may be repeated', async () => {
  const { route53, zoneId, records, parts } = await served();
  const managed = managedRecords(parts);
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'mine.zoo.example', 'elsewhere.example'));
  const after = await managed.create(await seen('missing'));
  // The owner has since led one of them elsewhere, and so made it his own.
  await route53.change(zoneId, changeOf('UPSERT', 'CNAME', NAME, 'elsewhere.example'));
  await managed.removeAll(after);
  await managed.removeAll(after);
  expect(records().toSorted()).toEqual([
    'CNAME mine.zoo.example. elsewhere.example',
    `CNAME ${NAME}. elsewhere.example`,
  ]);
});
