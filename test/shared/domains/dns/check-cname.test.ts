import { describe, expect, test } from 'vitest';
import { checkRecord } from '../../../../shared/domains/dns/check-record.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { vantageOf } from './vantage.ts';

const TARGET = 'label.apps.petstore.example';
const CNAME: RequiredRecord = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.example.com',
  label: 'www',
  value: TARGET,
  ttl: 3600,
};
const CLOUDFLARE_ZONE = { 'example.com NS': ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] };
const OTHER_ZONE = { 'example.com NS': ['ns1.provider.example'] };
const PROXY_ADDRESSES = ['104.16.1.1', '172.67.3.4'];

describe('a required CNAME record', () => {
  test('ok: the record has the value', async () => {
    const checked = await checkRecord(CNAME, vantageOf({ 'www.example.com CNAME': [TARGET] }));
    expect(checked).toMatchObject({ state: 'ok', action: null });
  });

  test.each([
    ['missing: the record does not exist', {}, 'missing', 'Create a CNAME record at www.example.com'],
    [
      'mismatch: the record has another value',
      { 'www.example.com CNAME': ['other.example'] },
      'mismatch',
      `from other.example to ${TARGET}.`,
    ],
    [
      'mismatch: the zone is appended to the value',
      { 'www.example.com CNAME': [`${TARGET}.example.com`] },
      'mismatch',
      'with a dot at its end',
    ],
    ['mismatch: a wildcard answers', { '*.example.com CNAME': ['other.example'] }, 'mismatch', 'wildcard'],
    [
      'mismatch: the zone is appended twice to the name',
      { 'www.example.com.example.com CNAME': [TARGET] },
      'mismatch',
      'Enter www as the name',
    ],
    [
      'conflict: an A record exists at the name',
      { 'www.example.com A': ['192.0.2.1'] },
      'conflict',
      'Delete the A record at www.example.com: it is in the way. Then create the CNAME record.',
    ],
    [
      'conflict: records of both families exist at the name',
      { 'www.example.com A': ['192.0.2.1'], 'www.example.com AAAA': ['2001:db8::1'] },
      'conflict',
      'Delete the A and AAAA records at www.example.com: they are in the way.',
    ],
    [
      'conflict: an A record in a zone of Cloudflare is not proxied',
      { 'www.example.com A': ['192.0.2.1'], ...CLOUDFLARE_ZONE },
      'conflict',
      'Delete the A record at www.example.com: it is in the way. Then create the CNAME record.',
    ],
    [
      'conflict: Cloudflare proxies the name',
      { 'www.example.com A': PROXY_ADDRESSES, ...CLOUDFLARE_ZONE },
      'conflict',
      'The record at www.example.com is proxied by Cloudflare. Set it to "DNS only".',
    ],
    [
      'conflict: Cloudflare proxies the name over IPv6',
      { 'www.example.com AAAA': ['2606:4700:3030::6815:1'], ...CLOUDFLARE_ZONE },
      'conflict',
      'DNS only',
    ],
    [
      'conflict: an A record of another provider points at a site behind Cloudflare',
      { 'www.example.com A': PROXY_ADDRESSES, ...OTHER_ZONE },
      'conflict',
      'Delete the A records at www.example.com: they are in the way. Then create the CNAME record.',
    ],
    [
      'conflict: the provider cannot be known',
      { 'www.example.com A': PROXY_ADDRESSES, 'example.com NS': 'SERVFAIL' },
      'conflict',
      'If the zone is at Cloudflare: The record at www.example.com is proxied by Cloudflare. Set it to "DNS only". Otherwise: Delete',
    ],
    [
      'missing: the addresses are those of a wildcard record',
      { '*.example.com A': ['192.0.2.1'] },
      'missing',
      `which may stay. Create a CNAME record at www.example.com with the value ${TARGET}. If www.example.com itself has A`,
    ],
    [
      'conflict: an MX record exists at the name',
      { 'www.example.com MX': ['10 mail.example.com'] },
      'conflict',
      'Delete the MX records at www.example.com: a CNAME record cannot stand beside others.',
    ],
    [
      'conflict: MX and TXT records exist at the name',
      { 'www.example.com MX': ['10 mail.example.com'], 'www.example.com TXT': ['v=spf1 -all'] },
      'conflict',
      'Delete the MX and TXT records at www.example.com',
    ],
    [
      'missing: an MX record of a wildcard is not in the way',
      { '*.example.com MX': ['10 mail.example.com'] },
      'missing',
      'Create a CNAME record',
    ],
    ['unreachable: the name servers fail', 'SERVFAIL', 'unreachable', 'did not answer'],
  ] as const)('%s', async (_, zone, state, action) => {
    const checked = await checkRecord(CNAME, vantageOf(zone));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });

  test('mismatch: the record reaches the value through another name, and the advice says so', async () => {
    const zone = { 'www.example.com CNAME': ['cdn.example.net'] };
    const elsewhere = { 'cdn.example.net CNAME': ['edge.example.net'], 'edge.example.net CNAME': [TARGET] };
    expect(await checkRecord(CNAME, vantageOf(zone, elsewhere))).toMatchObject({
      state: 'mismatch',
      observed: ['cdn.example.net'],
      action:
        `www.example.com reaches ${TARGET} through cdn.example.net, edge.example.net, which does not prove that it is ` +
        `yours. Change the value of the CNAME record at www.example.com from cdn.example.net to ${TARGET}.`,
    });
  });

  test('names the records in the way as what was observed', async () => {
    const checked = await checkRecord(CNAME, vantageOf({ 'www.example.com MX': ['10 mail.example.com'] }));
    expect(checked.observed).toEqual(['MX 10 mail.example.com']);
  });
});
