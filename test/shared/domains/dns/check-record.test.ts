import { describe, expect, test } from 'vitest';
import { checkRecord, type Vantage } from '../../../../shared/domains/dns/check-record.ts';
import type { Found } from '../../../../shared/domains/dns/lookup.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { type ZoneContent, zoneLookup } from './zone-lookup.ts';

/** The vantage point of the servers of example.com with this content. Resolvers know `elsewhere`, too. */
function vantageOf(zone: ZoneContent, elsewhere: Exclude<ZoneContent, 'SERVFAIL'> = {}): Vantage {
  return {
    zone: 'example.com',
    lookup: zoneLookup(() => zone),
    resolve: zoneLookup(() => (zone === 'SERVFAIL' ? zone : { ...zone, ...elsewhere })),
  };
}

const TARGET = 'label.apps.petstore.example';

describe('a required CNAME record', () => {
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
      'with a dot at the end',
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
      "Delete the A record at www.example.com: it's in the way. Then create the CNAME record.",
    ],
    [
      'conflict: records of both families exist at the name',
      { 'www.example.com A': ['192.0.2.1'], 'www.example.com AAAA': ['2001:db8::1'] },
      'conflict',
      "Delete the A and AAAA records at www.example.com: they're in the way.",
    ],
    [
      'conflict: an A record in a zone of Cloudflare is not proxied',
      { 'www.example.com A': ['192.0.2.1'], ...CLOUDFLARE_ZONE },
      'conflict',
      "Delete the A record at www.example.com: it's in the way. Then create the CNAME record.",
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
      "Delete the A records at www.example.com: they're in the way. Then create the CNAME record.",
    ],
    [
      'conflict: the provider cannot be known',
      { 'www.example.com A': PROXY_ADDRESSES, 'example.com NS': 'SERVFAIL' },
      'conflict',
      'www.example.com resolves to IP addresses of Cloudflare. If your DNS is at Cloudflare, set the record to "DNS only". If not: Delete',
    ],
    [
      'missing: the addresses are those of a wildcard record',
      { '*.example.com A': ['192.0.2.1'] },
      'missing',
      `You can keep it. Create a CNAME record at www.example.com with the value ${TARGET}. If www.example.com itself has A`,
    ],
    [
      'conflict: an MX record exists at the name',
      { 'www.example.com MX': ['10 mail.example.com'] },
      'conflict',
      "Delete the MX records at www.example.com: a CNAME record can't share its name with others.",
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
    [
      'unreachable: the name servers fail',
      'SERVFAIL',
      'unreachable',
      "DNS doesn't answer for www.example.com.",
    ],
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
        `www.example.com reaches ${TARGET} through cdn.example.net, edge.example.net, which doesn't prove that the ` +
        `domain is yours. Change the value of the CNAME record at www.example.com from cdn.example.net to ${TARGET}.`,
    });
  });

  const HOST = { [`${TARGET} A`]: ['192.0.2.2', '192.0.2.3'] };

  test('ok: the provider flattens the record, and its addresses are all that is observed', async () => {
    const zone = { 'www.example.com A': ['192.0.2.3'] };
    expect(await checkRecord(CNAME, vantageOf(zone, HOST))).toMatchObject({
      state: 'ok',
      observed: ['192.0.2.3'],
      action: null,
    });
  });

  test.each([
    ['conflict: an address is not of the host', HOST, 'conflict', 'Delete the A records at www.example.com'],
    [
      'unreachable: the host cannot be looked up',
      { [`${TARGET} A`]: 'SERVFAIL' },
      'unreachable',
      `DNS doesn't answer for ${TARGET}.`,
    ],
  ] as const)('%s', async (_, elsewhere, state, action) => {
    const zone = { 'www.example.com A': ['192.0.2.2', '192.0.2.9'] };
    const checked = await checkRecord(CNAME, vantageOf(zone, elsewhere));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });

  test('conflict: only the record that traffic follows can be flattened', async () => {
    const zone = { 'www.example.com A': ['192.0.2.2'] };
    const validation = { ...CNAME, purpose: 'certificate' } as const;
    expect(await checkRecord(validation, vantageOf(zone, HOST))).toMatchObject({ state: 'conflict' });
  });

  test('names the records in the way as what was observed', async () => {
    const checked = await checkRecord(CNAME, vantageOf({ 'www.example.com MX': ['10 mail.example.com'] }));
    expect(checked.observed).toEqual(['MX 10 mail.example.com']);
  });
});

describe('a required TXT record', () => {
  const NAME = '_petstore-challenge.example.com';
  const VALUE = 'petstore-0123456789abcdef';
  const TXT: RequiredRecord = {
    purpose: 'ownership',
    type: 'TXT',
    name: NAME,
    label: '_petstore-challenge',
    value: VALUE,
    ttl: 3600,
  };

  test('ok: one of the values is right', async () => {
    const checked = await checkRecord(TXT, vantageOf({ [`${NAME} TXT`]: ['other', VALUE] }));
    expect(checked).toMatchObject({ state: 'ok', action: null });
  });

  test.each([
    ['missing: the record does not exist', {}, 'missing', `Create a TXT record at ${NAME}`],
    ['mismatch: other values', { [`${NAME} TXT`]: ['other'] }, 'mismatch', `Add the value ${VALUE}`],
    [
      'mismatch: the value has quotation marks in it',
      { [`${NAME} TXT`]: [`"${VALUE}"`] },
      'mismatch',
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch: the value has escaped quotation marks and a space in it',
      { [`${NAME} TXT`]: [`\\"${VALUE}\\" `] },
      'mismatch',
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch: the zone is appended twice to the name',
      { [`${NAME}.example.com TXT`]: [VALUE] },
      'mismatch',
      'Enter _petstore-challenge as the name',
    ],
    [
      'mismatch: the record is at the apex',
      { 'example.com TXT': ['v=spf1 -all', VALUE] },
      'mismatch',
      `The TXT record is at example.com, where it isn't looked for. Move it to ${NAME}: enter _petstore-challenge as its name.`,
    ],
    [
      'missing: only a wildcard answers',
      { '*.example.com TXT': ['v=spf1 -all'] },
      'missing',
      `A wildcard record answers for ${NAME}. You can keep it. Create a TXT record at ${NAME} with the value ${VALUE}.`,
    ],
    ['unreachable: the name servers fail', 'SERVFAIL', 'unreachable', "DNS doesn't answer for"],
  ] as const)('%s', async (_, zone, state, action) => {
    const checked = await checkRecord(TXT, vantageOf(zone));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });

  test.each<[string, Found]>([
    ['the zone', { kind: 'alias', target: 'somebody.example.net' }],
    ['a resolver', { kind: 'records', values: [VALUE], canonical: 'somebody.example.net' }],
  ])('mismatch: %s has an alias, behind which anybody can put the value', async (_, found) => {
    const checked = await checkRecord(TXT, { ...vantageOf({}), lookup: async () => found });
    expect(checked).toMatchObject({ state: 'mismatch', observed: ['CNAME somebody.example.net'] });
    expect(checked.action).toContain(`Create a TXT record for ${NAME} itself`);
  });
});

describe('a required ALIAS record', () => {
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
    ['unreachable: the name servers fail', 'SERVFAIL', {}, 'unreachable', "DNS doesn't answer for"],
    [
      'unreachable: the name servers fail for one type and have nothing of the other',
      { 'example.com A': 'SERVFAIL' },
      HOST,
      'unreachable',
      "DNS doesn't answer for",
    ],
    [
      'unreachable: one address is not known to be foreign, since not all of the host are known',
      { 'example.com A': ['192.0.2.2'], 'example.com AAAA': ['2001:db8::9'] },
      { ...HOST, [`${TARGET} AAAA`]: 'SERVFAIL' },
      'unreachable',
      "DNS doesn't answer for",
    ],
    [
      'unreachable: the host has no address',
      { 'example.com A': ['192.0.2.2'] },
      {},
      'unreachable',
      `Our host ${TARGET} has no IP address yet.`,
    ],
  ] as const)('%s', async (_, zone, elsewhere, state, action) => {
    const checked = await checkRecord(ALIAS, vantageOf(zone, elsewhere));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });
});
