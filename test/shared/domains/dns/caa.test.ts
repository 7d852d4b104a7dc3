import { describe, expect, test } from 'vitest';
import { caaAdvice, caaFix, caaLookup, checkCaa } from '../../../../shared/domains/dns/caa.ts';
import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';

/** A look-up of CAA records by name; a name that is not listed has none. */
const lookupOf =
  (records: Record<string, string[] | 'SERVFAIL'>): Lookup =>
  async (name): Promise<Found> => {
    const found = records[name];
    if (found === 'SERVFAIL') return { kind: 'unknown', why: found };
    return found ? { kind: 'records', values: found } : { kind: 'none' };
  };

describe('checkCaa', () => {
  test.each([
    ['there is no CAA record', {}],
    [
      'a record names Amazon beside others',
      { 'example.com': ['0 issue "letsencrypt.org"', '0 issue "amazon.com"'] },
    ],
    [
      'a record names Amazon by another of its names, with parameters',
      { 'example.com': ['0 issue "amazontrust.com; account=1"'] },
    ],
    // Tags are case-insensitive (RFC 8659).
    [
      'a record names Amazon by a tag in capitals',
      { 'example.com': ['0 ISSUE "amazon.com"', '0 issue ";"'] },
    ],
    ['a critical tag that is known is in capitals', { 'example.com': ['128 IODEF "mailto:ca@example.com"'] }],
    ['the only record is an iodef', { 'example.com': ['0 iodef "mailto:ca@example.com"'] }],
    [
      'the name allows what its parent forbids',
      { 'www.example.com': ['0 issue "awstrust.com"'], 'example.com': ['0 issue ";"'] },
    ],
  ])('allows: %s', async (_, records) => {
    expect(await checkCaa('www.example.com', lookupOf(records))).toEqual({ kind: 'allowed' });
  });

  test.each([
    ['a record names another authority', '0 issue "letsencrypt.org"'],
    ['a record names nobody', '0 issue ";"'],
    ['a record names another authority by a tag in capitals', '0 ISSUE "letsencrypt.org"'],
  ])('blocks, with the record and its name: %s', async (_, record) => {
    expect(await checkCaa('www.example.com', lookupOf({ 'example.com': [record] }))).toEqual({
      kind: 'blocked',
      block: { record, at: 'example.com', lacksAmazon: true },
    });
  });

  test('blocks, whatever other records allow: a critical property is unknown', async () => {
    const alone = { 'example.com': ['128 foo "x"', '0 issue "amazon.com"'] };
    expect(await checkCaa('www.example.com', lookupOf(alone))).toEqual({
      kind: 'blocked',
      block: { record: '128 foo "x"', at: 'example.com', unknownTag: 'foo', lacksAmazon: false },
    });
    const withOthers = { 'example.com': ['128 foo "x"', '0 issue "letsencrypt.org"'] };
    expect(await checkCaa('www.example.com', lookupOf(withOthers))).toMatchObject({
      block: { unknownTag: 'foo', lacksAmazon: true },
    });
  });

  test('is unknown: a server fails', async () => {
    const verdict = await checkCaa('www.example.com', lookupOf({ 'example.com': 'SERVFAIL' }));
    expect(verdict).toEqual({ kind: 'unknown', at: 'example.com' });
  });
});

describe('the way out of a block', () => {
  const block = { at: 'example.com', record: '0 issue ";"', lacksAmazon: true };
  const critical = { at: 'example.com', record: '128 foo "x"', unknownTag: 'foo', lacksAmazon: false };
  const DELETE = `Delete it, or set its flags to 0: "foo" is critical, and Amazon doesn't know it.`;
  const ADD = 'Add CAA: name @, value 0 issue "amazon.com".';

  test('is a record to add, named as in the zone of the domain', () => {
    const why = `Amazon isn't allowed to issue certificates: example.com has the CAA record 0 issue ";".`;
    const fix = { type: 'CAA', name: 'example.com', value: '0 issue "amazon.com"', why };
    expect(caaAdvice(block, 'example.com')).toBe(`${why} ${ADD}`);
    expect(caaFix(block, 'example.com')).toEqual({ ...fix, label: '@' });
    expect(caaFix(block, 'www.example.com')).toEqual({ ...fix, label: 'example.com' });
  });

  test('is to delete a critical property that is unknown, which no other record outweighs', () => {
    expect(caaAdvice(critical, 'example.com')).toMatch(`has the CAA record 128 foo "x". ${DELETE}`);
    expect(caaFix(critical, 'example.com')).toBeUndefined();
    expect(caaAdvice({ ...critical, lacksAmazon: true }, 'example.com')).toMatch(`${DELETE} ${ADD}`);
  });
});

describe('caaLookup', () => {
  const RESOLVED = lookupOf({
    'example.com': ['0 issue "old.example"'],
    com: ['0 issue "registry.example"'],
    'host.platform.test': ['0 issue "platform.test"'],
  });
  const points = (authoritative: Lookup | undefined) => ({
    zone: 'dev.example.com',
    isApex: false,
    authoritative,
    resolvers: [RESOLVED],
  });

  test('asks the servers of the zone for its names, and resolvers for the zones above', async () => {
    const lookup = caaLookup(points(lookupOf({ 'dev.example.com': ['0 issue "amazon.com"'] })));
    expect(await lookup('dev.example.com', 'CAA')).toMatchObject({ values: ['0 issue "amazon.com"'] });
    expect(await lookup('www.dev.example.com', 'CAA')).toEqual({ kind: 'none' });
    expect(await lookup('example.com', 'CAA')).toMatchObject({ values: ['0 issue "old.example"'] });
  });

  test('asks resolvers for the name that an alias leads to, and names it', async () => {
    const lookup = caaLookup(points(async () => ({ kind: 'alias', target: 'host.platform.test' })));
    expect(await checkCaa('www.dev.example.com', lookup)).toMatchObject({
      kind: 'blocked',
      block: { at: 'host.platform.test' },
    });
  });

  test.each([
    ['do not answer', lookupOf({ 'dev.example.com': 'SERVFAIL' })],
    ['are unknown', undefined],
  ])('asks resolvers when the servers of the zone %s', async (_, authoritative) => {
    expect(await caaLookup(points(authoritative))('dev.example.com', 'CAA')).toEqual({ kind: 'none' });
  });
});
