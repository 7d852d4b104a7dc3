import { expect, test } from 'vitest';
import { checkCaa } from '../../../../shared/domains/dns/caa.ts';
import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';

/** CAA records by name; a name that is not there has none. */
const serving =
  (records: Record<string, string[] | 'SERVFAIL'>): Lookup =>
  async (name): Promise<Found> => {
    const found = records[name];
    if (found === 'SERVFAIL') return { kind: 'unknown', why: found };
    return found ? { kind: 'records', values: found } : { kind: 'none' };
  };

test.each([
  ['no CAA record anywhere', {}],
  ['Amazon among others', { 'example.com': ['0 issue "letsencrypt.org"', '0 issue "amazon.com"'] }],
  [
    'Amazon by another of its names, with parameters',
    { 'example.com': ['0 issue "amazontrust.com; account=1"'] },
  ],
  ['only where to report', { 'example.com': ['0 iodef "mailto:ca@example.com"'] }],
  [
    'the name itself allows what its parent forbids',
    { 'www.example.com': ['0 issue "awstrust.com"'], 'example.com': ['0 issue ";"'] },
  ],
])('allowed: %s', async (_, records) => {
  expect(await checkCaa('www.example.com', serving(records))).toEqual({ kind: 'allowed' });
});

test.each([
  ['another authority', '0 issue "letsencrypt.org"'],
  ['nobody', '0 issue ";"'],
  ['an unknown property that must be understood', '128 tbs "x"'],
])('blocked: %s; says which record, where, and what to add', async (_, record) => {
  expect(await checkCaa('www.example.com', serving({ 'example.com': [record] }))).toEqual({
    kind: 'blocked',
    record,
    at: 'example.com',
    add: 'example.com. CAA 0 issue "amazon.com"',
  });
});

test('unknown: a server fails', async () => {
  const verdict = await checkCaa('www.example.com', serving({ 'example.com': 'SERVFAIL' }));
  expect(verdict).toEqual({ kind: 'unknown', at: 'example.com' });
});
