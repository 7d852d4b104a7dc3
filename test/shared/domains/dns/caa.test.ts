import { describe, expect, test } from 'vitest';
import { checkCaa } from '../../../../shared/domains/dns/caa.ts';
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
    ['a critical property is unknown', '128 tbs "x"'],
  ])('blocks, with the record, its name and the record to add: %s', async (_, record) => {
    expect(await checkCaa('www.example.com', lookupOf({ 'example.com': [record] }))).toEqual({
      kind: 'blocked',
      record,
      at: 'example.com',
      add: 'example.com. CAA 0 issue "amazon.com"',
    });
  });

  test('is unknown: a server fails', async () => {
    const verdict = await checkCaa('www.example.com', lookupOf({ 'example.com': 'SERVFAIL' }));
    expect(verdict).toEqual({ kind: 'unknown', at: 'example.com' });
  });
});
