import { describe, expect, test } from 'vitest';
import { checkAtServers, checkDns } from '../../../../shared/domains/dns/check-dns.ts';
import type { ZoneDelegation } from '../../../../shared/domains/dns/delegation.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { type ZoneContent, zoneLookup } from './zone-lookup.ts';

const TARGET = 'label.apps.petstore.example';
const CNAME: RequiredRecord = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.example.com',
  label: 'www',
  value: TARGET,
  ttl: 3600,
};
const RIGHT = { 'www.example.com CNAME': [TARGET] };
const OLD = { 'www.example.com A': ['192.0.2.1'] };

/** The state of the record as these vantage points show it. */
async function checkedAt(own: ZoneContent | undefined, ...resolved: ZoneContent[]) {
  const [record] = await checkDns([CNAME], 'example.com', {
    authoritative: own && zoneLookup(() => own),
    resolvers: resolved.map(content => zoneLookup(() => content)),
  });
  return record;
}

describe('a record over all vantage points', () => {
  test.each<[string, string, ZoneContent | undefined, ...ZoneContent[]]>([
    ['ok', 'all vantage points see it', RIGHT, RIGHT, RIGHT],
    ['ok', 'the name servers are unknown and all resolvers see it', undefined, RIGHT, RIGHT],
    ['ok', 'the name servers do not answer and all resolvers see it', 'SERVFAIL', RIGHT, RIGHT],
    ['spreading', 'one resolver has an older answer', RIGHT, RIGHT, OLD],
    ['spreading', 'no resolver sees it yet', RIGHT, OLD, {}],
    ['spreading', 'one resolver does not answer', RIGHT, RIGHT, 'SERVFAIL'],
    ['spreading', 'one of two resolvers sees it, and nobody else answers', 'SERVFAIL', RIGHT, {}],
    ['missing', 'the zone does not have it, whatever is cached', {}, RIGHT, RIGHT],
    ['conflict', 'the resolvers see something else, and nobody else answers', 'SERVFAIL', OLD, {}],
    ['unreachable', 'nobody answers', 'SERVFAIL', 'SERVFAIL', 'SERVFAIL'],
    ['unreachable', 'the zone has it, and no resolver can resolve it', RIGHT, 'SERVFAIL', 'SERVFAIL'],
  ])('%s: %s', async (state, _, own, ...resolved) => {
    expect(await checkedAt(own, ...resolved)).toMatchObject({ state });
  });

  test('needs nothing while it spreads, and shows what the lagging resolver sees', async () => {
    expect(await checkedAt(RIGHT, RIGHT, OLD)).toMatchObject({ action: null, observed: ['192.0.2.1'] });
  });
});

describe("a record at the zone's own servers", () => {
  test.each<[string, string, ...ZoneContent[]]>([
    ['ok', 'each of them has it', RIGHT, RIGHT],
    ['ok', 'one of them does not answer', RIGHT, 'SERVFAIL'],
    ['missing', 'one of them does not have it yet', RIGHT, {}],
    ['conflict', 'one of them has something else', RIGHT, OLD],
    ['unreachable', 'none of them answers', 'SERVFAIL', 'SERVFAIL'],
    ['unreachable', 'none is known'],
  ])('%s: %s, and no resolver is asked for it', async (state, _, ...zones) => {
    const asked: string[] = [];
    const [record] = await checkAtServers([CNAME], 'example.com', {
      isApex: false,
      authoritative: undefined,
      servers: zones.map(content => zoneLookup(() => content)),
      resolvers: [
        async name => {
          asked.push(name);
          return { kind: 'none' };
        },
      ],
    });
    expect(record).toMatchObject({ state });
    expect(asked).not.toContain('www.example.com');
  });
});

describe('the delegation', () => {
  const SERVERS = ['ns1.dns.example', 'ns2.dns.example'];
  const NAMED = 'The name servers of example.com (ns1.dns.example, ns2.dns.example)';

  /** The record as it is checked with this delegation; by default all servers fail. */
  async function delegated(
    delegation: Partial<ZoneDelegation>,
    { own, resolved = 'SERVFAIL' }: { own?: ZoneContent; resolved?: ZoneContent } = {},
  ) {
    const [record] = await checkDns([CNAME], 'example.com', {
      authoritative: own && zoneLookup(() => own),
      resolvers: [zoneLookup(() => resolved)],
      delegation: { zone: 'example.com', nameServers: SERVERS, ...delegation },
    });
    return record;
  }

  test('missing: a domain without name servers is to be registered, not given a record', async () => {
    expect(await delegated({ nameServers: [] }, { resolved: {} })).toMatchObject({
      state: 'missing',
      action:
        "example.com isn't registered, or its registrar lists no name servers for it. Register it, or enter the name " +
        "servers of your DNS provider at the registrar. If you've just done that, wait a few minutes.",
    });
  });

  test.each([
    [
      'SERVFAIL',
      ' answer with SERVFAIL. If this persists, look for CNAME records that point back at themselves',
    ],
    [
      'REFUSED',
      " don't serve this zone (REFUSED). Create the zone there, or correct the name servers at your registrar.",
    ],
    ['not authoritative', " don't serve this zone (not authoritative)."],
    ['no answer', " don't answer. This usually passes. If it persists, ask your DNS provider."],
    [
      'no address',
      ' have no public IP address. Check their spelling, and correct the name servers at your registrar.',
    ],
  ])('unreachable: servers of a zone with the fault %s are named', async (fault, advice) => {
    for (const own of ['SERVFAIL', undefined] as const) {
      const action = expect.stringContaining(`${NAMED}${advice}`);
      expect(await delegated({ fault }, own && { own })).toMatchObject({ state: 'unreachable', action });
    }
  });

  test.each<[string, Partial<ZoneDelegation>, ZoneContent | undefined, action: string]>([
    [
      'the NS records of a sub-zone are in its parent zone',
      { zone: 'dev.example.com', fault: 'REFUSED' },
      undefined,
      'Create the zone there, or correct its NS records in the parent zone.',
    ],
    [
      'servers that fail for one name are named, and the name',
      {},
      'SERVFAIL',
      `${NAMED} answer with SERVFAIL for www.example.com. If this persists, look for CNAME`,
    ],
    ['servers that answer are not blamed, but DNSSEC may be, when resolvers fail', {}, RIGHT, 'check DNSSEC'],
  ])('unreachable: %s', async (_, delegation, own, action) => {
    const record = await delegated(delegation, own && { own });
    expect(record).toMatchObject({ state: 'unreachable', action: expect.stringContaining(action) });
  });

  test('ok: a fault of the servers does not matter while resolvers see the record', async () => {
    const record = await delegated({ fault: 'SERVFAIL' }, { own: 'SERVFAIL', resolved: RIGHT });
    expect(record).toMatchObject({ state: 'ok', action: null });
  });
});
