import { describe, expect, test } from 'vitest';
import { checkDns } from '../../../../shared/domains/dns/check-dns.ts';
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

  test('says that DNSSEC may be wrong when only resolvers fail', async () => {
    const record = await checkedAt(RIGHT, 'SERVFAIL', 'SERVFAIL');
    expect(record?.action).toContain('check DNSSEC');
  });
});
