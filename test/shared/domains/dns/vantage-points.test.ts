import { describe, expect, test, vi } from 'vitest';
import { nameServerAddress } from '../../../../infra/local/testing/public-addresses.ts';
import { routeTo } from '../../../../infra/local/testing/routed-sockets.ts';
import { type Line, served } from '../../../../infra/local/testing/served-zones.ts';
import {
  type VantagePointsOptions,
  vantagePointsFor,
  zoneFinder,
} from '../../../../shared/domains/dns/vantage-points.ts';
import { readDomainName } from '../../../../shared/domains/life/domain-name.ts';

vi.mock('node:dgram', async () => (await import('../../../../infra/local/testing/routed-sockets.ts')).dgram);
vi.mock('node:net', async () => (await import('../../../../infra/local/testing/routed-sockets.ts')).net);

/** Serves zones, and finds vantage points as a function does, which reaches every name server at its address. */
async function publicDns(zonesByName: Readonly<Record<string, readonly Line[]>>) {
  const world = await served(zonesByName);
  const [{ address: first }, { address: second }] = world.dns.resolvers;
  routeTo(first, second);
  /** Delegates a zone in its parent, beside other records of the parent. */
  const delegate = (parent: string, child: string, ...lines: Line[]) =>
    world.setRecords(parent, [[child, 'NS', ...world.serversOf(child)], ...lines]);
  const pointsFor = (domain: string, options: VantagePointsOptions = {}) =>
    vantagePointsFor(domain, ['1.1.1.1', '8.8.8.8'], { timeoutMs: 30_000, ...options });
  /** The names of a zone's servers as a delegation has them. */
  const serverNames = (zone: string) =>
    world
      .serversOf(zone)
      .map(server => server.replace(/\.$/, ''))
      .toSorted();
  return { ...world, delegate, pointsFor, serverNames };
}

const WWW: Line = ['www.zoo.com.', 'CNAME', 'host.apps.platform.test'];
const PLATFORM = { 'apps.platform.test.': [['host.apps.platform.test.', 'A', '192.0.2.1']] } as const;

describe('the vantage points for a domain', () => {
  test('are the servers of its zone, which know nothing else, and resolvers, which do', async () => {
    const { pointsFor, serverNames } = await publicDns({ 'zoo.com.': [WWW], ...PLATFORM });
    const { zone, isApex, delegation, authoritative, resolvers } = await pointsFor('www.zoo.com');
    expect({ zone, isApex }).toEqual({ zone: 'zoo.com', isApex: false });
    expect(delegation).toEqual({ zone: 'zoo.com', nameServers: serverNames('zoo.com.') });
    expect(await authoritative?.('www.zoo.com', 'CNAME')).toEqual({
      kind: 'records',
      values: ['host.apps.platform.test'],
      ttl: 300,
    });
    expect(await authoritative?.('www.zoo.com', 'A')).toEqual({
      kind: 'alias',
      target: 'host.apps.platform.test',
    });
    const host = await authoritative?.('host.apps.platform.test', 'A');
    expect(host).toEqual({ kind: 'unknown', why: 'REFUSED' });
    for (const resolver of resolvers) {
      expect(await resolver('www.zoo.com', 'A')).toEqual({
        kind: 'records',
        values: ['192.0.2.1'],
        canonical: 'host.apps.platform.test',
        ttl: expect.any(Number),
      });
    }
  });

  test.each<[what: string, zones: Record<string, []>, domain: string, zone: string, isApex: boolean]>([
    ['at a registrable domain, which is an apex', { 'zoo.co.uk.': [] }, 'zoo.co.uk', 'zoo.co.uk', true],
    [
      'in the parent when a hosted zone is not delegated',
      { 'zoo.com.': [], 'dev.zoo.com.': [] },
      'shop.dev.zoo.com',
      'zoo.com',
      false,
    ],
    [
      'below a suffix that is somebody’s platform',
      { 'github.io.': [] },
      'shop.github.io',
      'github.io',
      false,
    ],
  ])('are %s', async (_, zones, domain, zone, isApex) => {
    const { pointsFor } = await publicDns(zones);
    expect(await pointsFor(domain)).toMatchObject({ zone, isApex });
  });

  test('are in the closest of delegated sub-zones', async () => {
    const { pointsFor, delegate } = await publicDns({
      'zoo.com.': [],
      'dev.zoo.com.': [],
      'eu.dev.zoo.com.': [['shop.eu.dev.zoo.com.', 'TXT', '"here"']],
    });
    delegate('zoo.com.', 'dev.zoo.com.');
    delegate('dev.zoo.com.', 'eu.dev.zoo.com.');
    const { zone, isApex, authoritative } = await pointsFor('shop.eu.dev.zoo.com');
    expect({ zone, isApex }).toEqual({ zone: 'eu.dev.zoo.com', isApex: false });
    expect(await authoritative?.('shop.eu.dev.zoo.com', 'TXT')).toMatchObject({ values: ['here'] });
    expect(await pointsFor('eu.dev.zoo.com')).toMatchObject({ zone: 'eu.dev.zoo.com', isApex: true });
    expect(await pointsFor('new.dev.zoo.com')).toMatchObject({ zone: 'dev.zoo.com', isApex: false });
  });

  test('follow the addresses that a referral comes with', async () => {
    const { dns, zones, setRecords, pointsFor } = await publicDns({ 'zoo.com.': [], 'dev.zoo.com.': [] });
    const port = await dns.portOf(zones.list()[1]?.id ?? '');
    setRecords('zoo.com.', [
      ['dev.zoo.com.', 'NS', 'ns1.dev.zoo.com'],
      ['ns1.dev.zoo.com.', 'A', nameServerAddress(port)],
    ]);
    expect(await pointsFor('shop.dev.zoo.com')).toMatchObject({ zone: 'dev.zoo.com' });
  });

  test('are found without asking a resolver for the name or a zone between', async () => {
    const { pointsFor, delegate, resolver } = await publicDns({ 'zoo.com.': [], 'dev.zoo.com.': [] });
    await pointsFor('shop.dev.zoo.com');
    delegate('zoo.com.', 'dev.zoo.com.');
    // A negative answer would be cached.
    expect(await resolver.resolveNs('dev.zoo.com')).toHaveLength(4);
  });

  test.each([
    ['when the domain is not registered', {}],
    ['in a zone of a registry, which delegates nothing', { 'com.': [] }],
  ])('are the resolvers alone %s', async (_, zones) => {
    const { pointsFor } = await publicDns(zones);
    const points = await pointsFor('www.nobody.com');
    expect(points).toMatchObject({ zone: undefined, isApex: false, authoritative: undefined });
    expect(points.delegation).toEqual({ zone: 'nobody.com', nameServers: [] });
    expect(await points.resolvers[0]?.('www.nobody.com', 'A')).toEqual({ kind: 'none', isNameAbsent: true });
  });

  test.each(['SERVFAIL', 'REFUSED'] as const)(
    'name servers that all answer %s are found at the registry',
    async fault => {
      const { pointsFor, dns, delegate, serverNames } = await publicDns({ 'com.': [], 'zoo.com.': [WWW] });
      delegate('com.', 'zoo.com.');
      dns.faults.setZone('zoo.com', fault);
      const { zone, delegation } = await pointsFor('www.zoo.com');
      expect(zone).toBeUndefined();
      expect(delegation).toEqual({ zone: 'zoo.com', nameServers: serverNames('zoo.com.'), fault });
    },
  );

  test.each(['none', '10.0.0.53', '127.0.0.1', '169.254.169.254'])(
    'are without servers when the names of these have no public address (%s)',
    async address => {
      const { pointsFor, setRecords } = await publicDns({ 'zoo.com.': [] });
      const glue: Line[] = address === 'none' ? [] : [['ns1.dev.zoo.com.', 'A', address]];
      setRecords('zoo.com.', [['dev.zoo.com.', 'NS', 'ns1.dev.zoo.com'], ...glue]);
      expect(await pointsFor('www.dev.zoo.com')).toMatchObject({
        authoritative: undefined,
        delegation: { zone: 'dev.zoo.com', nameServers: ['ns1.dev.zoo.com'], fault: 'no address' },
      });
    },
  );

  test.each(['SERVFAIL', 'REFUSED'] as const)(
    'answer unknown when the zone’s servers fail by %s',
    async fault => {
      const { pointsFor, dns, resolver } = await publicDns({ 'zoo.com.': [WWW] });
      await resolver.resolveNs('zoo.com');
      dns.faults.setZone('zoo.com', fault);
      const { zone, authoritative } = await pointsFor('www.zoo.com');
      expect(zone).toBeUndefined();
      expect(await authoritative?.('www.zoo.com', 'CNAME')).toEqual({ kind: 'unknown', why: fault });
    },
  );

  test('know an apex whose own servers are lame by its delegation', async () => {
    const { pointsFor, dns, delegate } = await publicDns({ 'zoo.com.': [], 'dev.zoo.com.': [] });
    delegate('zoo.com.', 'dev.zoo.com.');
    dns.faults.setZone('dev.zoo.com', 'REFUSED');
    expect(await pointsFor('dev.zoo.com')).toMatchObject({ zone: 'dev.zoo.com', isApex: true });
  });

  test('ask over TCP when a response is truncated', async () => {
    const { pointsFor, dns } = await publicDns({ 'zoo.com.': [WWW] });
    dns.faults.setZone('zoo.com', 'truncation');
    const { zone, authoritative } = await pointsFor('www.zoo.com');
    expect(zone).toBe('zoo.com');
    expect(await authoritative?.('www.zoo.com', 'CNAME')).toMatchObject({ kind: 'records' });
  });
});

/** The zone of a name where DNS shows this zone for it; also which names DNS was asked for. */
async function found(text: string, zone: string | undefined) {
  const asked: string[] = [];
  const zoneOf = zoneFinder(async domain => {
    asked.push(domain);
    const delegation = { zone: 'unused', nameServers: ['ns1.dns.example'] };
    return { zone, isApex: zone === domain, delegation, authoritative: undefined, resolvers: [] };
  });
  return { ...(await zoneOf(readDomainName(text, []))), asked };
}

describe('the zone of a new name', () => {
  test.each<[name: string, zone: string, kind: string, shown: string | undefined]>([
    ['www.zoo.com', 'zoo.com', 'subdomain', 'zoo.com'],
    ['shop.dev.zoo.com', 'dev.zoo.com', 'subdomain', 'dev.zoo.com'],
    ['dev.zoo.com', 'dev.zoo.com', 'apex', 'dev.zoo.com'],
    ['shop.github.io', 'github.io', 'subdomain', 'github.io'],
    ['shop.github.io', 'shop.github.io', 'apex', 'shop.github.io'],
    // It is the registrable domain when DNS does not show it, and a registered name itself whatever DNS shows.
    ['www.zoo.com', 'zoo.com', 'subdomain', undefined],
    ['zoo.co.uk', 'zoo.co.uk', 'apex', undefined],
    ['zoo.co.uk', 'zoo.co.uk', 'apex', 'co.uk'],
  ])('of %s is %s and makes it of the kind %s, where DNS shows %s', async (name, zone, kind, shown) => {
    expect(await found(name, shown)).toMatchObject({ kind, zone, asked: [name] });
  });

  test('has the name servers that DNS shows', async () => {
    expect(await found('www.zoo.com', 'zoo.com')).toMatchObject({ nameServers: ['ns1.dns.example'] });
  });
});
