import { describe, expect, test } from 'vitest';
import { checkRecord, type Vantage } from '../../../../shared/domains/dns/check-record.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { vantageOf } from './vantage.ts';

const TARGET = 'label.apps.petstore.example';
const ALIAS: RequiredRecord = {
  purpose: 'traffic',
  type: 'ALIAS',
  name: 'example.com',
  label: '@',
  value: TARGET,
  ttl: 3600,
};
const HOST = { [`${TARGET} A`]: ['192.0.2.2', '192.0.2.3'] };
const CLOUDFLARE_ZONE = { 'example.com NS': ['amy.ns.cloudflare.com'] };

describe('a required ALIAS record', () => {
  test('ok: all addresses are among those of the host, which only resolvers know', async () => {
    expect(await checkRecord(ALIAS, vantageOf({ 'example.com A': ['192.0.2.3'] }, HOST))).toMatchObject({
      state: 'ok',
      action: null,
    });
  });

  test('ok: the record is a CNAME of the host, as some providers allow', async () => {
    const vantage: Vantage = {
      ...vantageOf({}, HOST),
      lookup: async () => ({ kind: 'alias', target: TARGET }),
    };
    expect(await checkRecord(ALIAS, vantage)).toMatchObject({ state: 'ok' });
  });

  test('ok: an address is in a second sample of those of the host', async () => {
    const samples = [['192.0.2.2'], ['192.0.2.9']];
    const vantage: Vantage = {
      ...vantageOf({ 'example.com A': ['192.0.2.2', '192.0.2.9'] }),
      resolve: async (_, type) =>
        type === 'A' ? { kind: 'records', values: samples.shift() ?? [] } : { kind: 'none' },
    };
    expect(await checkRecord(ALIAS, vantage)).toMatchObject({ state: 'ok' });
  });

  test.each([
    ['missing: there is no address', {}, HOST, 'missing', `Create an ALIAS or ANAME record at example.com`],
    [
      'mismatch: all addresses are foreign',
      { 'example.com A': ['192.0.2.9'] },
      HOST,
      'mismatch',
      'Delete the A record at example.com that points elsewhere (192.0.2.9). Create an ALIAS',
    ],
    [
      'mismatch: one address is right and one is foreign',
      { 'example.com A': ['192.0.2.2', '192.0.2.9'] },
      HOST,
      'mismatch',
      'Delete the A record at example.com that points elsewhere (192.0.2.9).',
    ],
    [
      'mismatch: an IPv6 address is foreign',
      { 'example.com A': ['192.0.2.2'], 'example.com AAAA': ['2001:db8::9'] },
      HOST,
      'mismatch',
      '(2001:db8::9)',
    ],
    [
      'mismatch: Cloudflare proxies the apex',
      { 'example.com A': ['104.16.1.1'], ...CLOUDFLARE_ZONE },
      HOST,
      'mismatch',
      'The record at example.com is proxied by Cloudflare. Set it to "DNS only".',
    ],
    ['unreachable: the name servers fail', 'SERVFAIL', {}, 'unreachable', 'did not answer'],
    [
      'unreachable: the name servers fail for one type and have nothing of the other',
      { 'example.com A': 'SERVFAIL' },
      HOST,
      'unreachable',
      'did not answer',
    ],
    [
      'unreachable: one address is not known to be foreign, since not all of the host are known',
      { 'example.com A': ['192.0.2.2'], 'example.com AAAA': ['2001:db8::9'] },
      { ...HOST, [`${TARGET} AAAA`]: 'SERVFAIL' },
      'unreachable',
      'did not answer',
    ],
    [
      'unreachable: the host has no address',
      { 'example.com A': ['192.0.2.2'] },
      {},
      'unreachable',
      'not for you to solve',
    ],
  ] as const)('%s', async (_, zone, elsewhere, state, action) => {
    const checked = await checkRecord(ALIAS, vantageOf(zone, elsewhere));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });
});
