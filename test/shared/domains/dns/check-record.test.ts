import { describe, expect, test } from 'vitest';
import { checkRecord } from '../../../../shared/domains/dns/check-record.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { type ZoneContent, zoneLookup } from './zone-lookup.ts';

const TARGET = 'label.apps.petstore.example';
const CNAME: RequiredRecord = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.example.com',
  value: TARGET,
  ttl: 3600,
};
const ALIAS: RequiredRecord = {
  purpose: 'traffic',
  type: 'ALIAS',
  name: 'example.com',
  value: TARGET,
  ttl: 3600,
};

const check = (record: RequiredRecord, zone: ZoneContent) =>
  checkRecord(
    record,
    'example.com',
    zoneLookup(() => zone),
  );

describe('checkRecord', () => {
  test('ok: the CNAME has the value', async () => {
    expect(await check(CNAME, { 'www.example.com CNAME': [TARGET] })).toMatchObject({
      state: 'ok',
      action: null,
    });
  });

  test.each([
    ['missing: the record does not exist', {}, 'missing', 'Create a CNAME record at www.example.com'],
    [
      'mismatch: the record has another value',
      { 'www.example.com CNAME': ['other.example'] },
      'mismatch',
      `to ${TARGET}`,
    ],
    ['mismatch: a wildcard answers', { '*.example.com CNAME': ['other.example'] }, 'mismatch', 'wildcard'],
    [
      'conflict: an A record exists at the name',
      { 'www.example.com A': ['192.0.2.1'] },
      'conflict',
      'Delete the A and AAAA',
    ],
    [
      'conflict: the provider proxies the name',
      { 'www.example.com A': ['192.0.2.1'], 'example.com NS': ['amy.ns.cloudflare.com'] },
      'conflict',
      'DNS only',
    ],
    [
      'mismatch: the zone is appended twice to the name',
      { 'www.example.com.example.com CNAME': [TARGET] },
      'mismatch',
      'Enter www as the name',
    ],
    ['unreachable: the name servers fail', 'SERVFAIL', 'unreachable', 'did not answer'],
  ] as const)('%s', async (_, zone, state, action) => {
    const checked = await check(CNAME, zone);
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });

  test('ok or mismatch: the ALIAS has an address in common with the target or not', async () => {
    const zone = { 'example.com A': ['192.0.2.1', '192.0.2.2'], [`${TARGET} A`]: ['192.0.2.2', '192.0.2.3'] };
    expect(await check(ALIAS, zone)).toMatchObject({ state: 'ok' });
    expect(await check(ALIAS, { ...zone, 'example.com A': ['192.0.2.9'] })).toMatchObject({
      state: 'mismatch',
    });
  });
});
