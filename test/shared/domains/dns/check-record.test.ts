import { describe, expect, test } from 'vitest';
import { checkRecord, type Vantage } from '../../../../shared/domains/dns/check-record.ts';
import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { type ZoneContent, zoneLookup } from './zone-lookup.ts';

type Elsewhere = Exclude<ZoneContent, 'SERVFAIL'>;

/** The vantage point of the servers of example.com with this content. Resolvers know `elsewhere`, too. */
function vantageOf(zone: ZoneContent, elsewhere: Elsewhere = {}): Vantage {
  return {
    zone: 'example.com',
    lookup: zoneLookup(() => zone),
    resolve: zoneLookup(() => (zone === 'SERVFAIL' ? zone : { ...zone, ...elsewhere })),
  };
}

/** What a check comes to in a zone, and what to do then; nothing if the action is null. */
type Check = [state: string, what: string, zone: ZoneContent, action: string | null, elsewhere?: Elsewhere];

const testChecks = (record: RequiredRecord, checks: Check[]) =>
  test.each(checks)('%s: %s', async (state, _, zone, action, elsewhere) => {
    const checked = await checkRecord(record, vantageOf(zone, elsewhere));
    expect(checked).toMatchObject({ state, action: action && expect.stringContaining(action) });
  });

const TARGET = 'label.apps.petstore.example';
const HOST = { [`${TARGET} A`]: ['192.0.2.2', '192.0.2.3'] };
const CLOUDFLARE_ZONE = { 'example.com NS': ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] };
const OTHER_ZONE = { 'example.com NS': ['ns1.provider.example'] };
const PROXY_ADDRESSES = ['104.16.1.1', '172.67.3.4'];

describe('a required CNAME record', () => {
  const CNAME: RequiredRecord = {
    purpose: 'traffic',
    type: 'CNAME',
    name: 'www.example.com',
    label: 'www',
    value: TARGET,
    ttl: 3600,
  };
  const IN_THE_WAY =
    `Change the A record at www.example.com into a CNAME record with the value ${TARGET}. If your DNS provider can't change ` +
    'the type of a record, delete it and create the CNAME record right after. Visitors who come in between find nothing, some for up to an hour.';

  testChecks(CNAME, [
    ['ok', 'the record has the value', { 'www.example.com CNAME': [TARGET] }, null],
    ['missing', 'the record does not exist', {}, 'Create a CNAME record at www.example.com'],
    [
      'mismatch',
      'the record has another value',
      { 'www.example.com CNAME': ['other.example'] },
      `from other.example to ${TARGET}.`,
    ],
    [
      'mismatch',
      'the zone is appended to the value',
      { 'www.example.com CNAME': [`${TARGET}.example.com`] },
      'End it with a dot.',
    ],
    ['mismatch', 'a wildcard answers', { '*.example.com CNAME': ['other.example'] }, 'wildcard'],
    [
      'mismatch',
      'the zone is appended twice to the name',
      { 'www.example.com.example.com CNAME': [TARGET] },
      'Enter www as the name',
    ],
    ['conflict', 'an A record exists at the name', { 'www.example.com A': ['192.0.2.1'] }, IN_THE_WAY],
    [
      'conflict',
      'records of both families exist at the name',
      { 'www.example.com A': ['192.0.2.1'], 'www.example.com AAAA': ['2001:db8::1'] },
      'Delete all but one of the A and AAAA records at www.example.com, and change that one into a CNAME record',
    ],
    [
      'conflict',
      'an A record in a zone of Cloudflare is not proxied',
      { 'www.example.com A': ['192.0.2.1'], ...CLOUDFLARE_ZONE },
      IN_THE_WAY,
    ],
    [
      'conflict',
      'Cloudflare proxies the name',
      { 'www.example.com A': PROXY_ADDRESSES, ...CLOUDFLARE_ZONE },
      'The record at www.example.com is proxied by Cloudflare. Set it to "DNS only".',
    ],
    [
      'conflict',
      'Cloudflare proxies the name over IPv6',
      { 'www.example.com AAAA': ['2606:4700:3030::6815:1'], ...CLOUDFLARE_ZONE },
      'DNS only',
    ],
    [
      'conflict',
      'an A record of another provider points at a site behind Cloudflare',
      { 'www.example.com A': PROXY_ADDRESSES, ...OTHER_ZONE },
      'Delete all but one of the A records at www.example.com, and change that one',
    ],
    [
      'conflict',
      'the provider cannot be known',
      { 'www.example.com A': PROXY_ADDRESSES, 'example.com NS': 'SERVFAIL' },
      'www.example.com resolves to IP addresses of Cloudflare. If your DNS is at Cloudflare, set the record to "DNS only". If not: Delete all but one',
    ],
    [
      'missing',
      'the addresses are those of a wildcard record',
      { '*.example.com A': ['192.0.2.1'] },
      `You can keep it. Create a CNAME record at www.example.com with the value ${TARGET}. If www.example.com itself has A`,
    ],
    [
      'conflict',
      'an MX record exists at the name',
      { 'www.example.com MX': ['10 mail.example.com'] },
      "Delete the MX records at www.example.com: a CNAME record can't share its name with others.",
    ],
    [
      'conflict',
      'MX and TXT records exist at the name',
      { 'www.example.com MX': ['10 mail.example.com'], 'www.example.com TXT': ['v=spf1 -all'] },
      'Delete the MX and TXT records at www.example.com',
    ],
    [
      'missing',
      'an MX record of a wildcard is not in the way',
      { '*.example.com MX': ['10 mail.example.com'] },
      'Create a CNAME record',
    ],
    ['unreachable', 'the name servers fail', 'SERVFAIL', "DNS doesn't answer for www.example.com."],
    ['ok', 'the provider flattens the record', { 'www.example.com A': ['192.0.2.3'] }, null, HOST],
    [
      'conflict',
      'an address of a flattened record is not of the host',
      { 'www.example.com A': ['192.0.2.2', '192.0.2.9'] },
      'Delete all but one of the A records at www.example.com',
      HOST,
    ],
    [
      'unreachable',
      'the host of a flattened record cannot be looked up',
      { 'www.example.com A': ['192.0.2.2'] },
      `DNS doesn't answer for ${TARGET}.`,
      { [`${TARGET} A`]: 'SERVFAIL' },
    ],
  ]);

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

  test('conflict: only the record that traffic follows can be flattened', async () => {
    const zone = { 'www.example.com A': ['192.0.2.2'] };
    const validation = { ...CNAME, purpose: 'certificate' } as const;
    expect(await checkRecord(validation, vantageOf(zone, HOST))).toMatchObject({ state: 'conflict' });
  });

  test.each<[string, ZoneContent, string[]]>([
    ['records in the way', { 'www.example.com MX': ['10 mail.example.com'] }, ['MX 10 mail.example.com']],
    ['addresses of a flattened record', { 'www.example.com A': ['192.0.2.3'] }, ['192.0.2.3']],
  ])('what was observed are the %s', async (_, zone, observed) => {
    expect(await checkRecord(CNAME, vantageOf(zone, HOST))).toMatchObject({ observed });
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

  testChecks(TXT, [
    ['ok', 'one of the values is right', { [`${NAME} TXT`]: ['other', VALUE] }, null],
    ['missing', 'the record does not exist', {}, `Create a TXT record at ${NAME}`],
    ['mismatch', 'other values', { [`${NAME} TXT`]: ['other'] }, `Add the value ${VALUE}`],
    [
      'mismatch',
      'the value has quotation marks in it',
      { [`${NAME} TXT`]: [`"${VALUE}"`] },
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch',
      'the value has escaped quotation marks and a space in it',
      { [`${NAME} TXT`]: [`\\"${VALUE}\\" `] },
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch',
      'the zone is appended twice to the name',
      { [`${NAME}.example.com TXT`]: [VALUE] },
      'Enter _petstore-challenge as the name',
    ],
    [
      'mismatch',
      'the record is at the apex',
      { 'example.com TXT': ['v=spf1 -all', VALUE] },
      `The TXT record is in the wrong place, at example.com. Move it to ${NAME}: enter _petstore-challenge as its name.`,
    ],
    [
      'missing',
      'only a wildcard answers',
      { '*.example.com TXT': ['v=spf1 -all'] },
      `A wildcard record answers for ${NAME}. You can keep it. Create a TXT record at ${NAME} with the value ${VALUE}.`,
    ],
    ['unreachable', 'the name servers fail', 'SERVFAIL', "DNS doesn't answer for"],
  ]);

  test.each<[string, Found]>([
    ['the zone', { kind: 'alias', target: 'somebody.example.net' }],
    ['a resolver', { kind: 'records', values: [VALUE], canonical: 'somebody.example.net' }],
  ])('mismatch: %s has an alias, behind which anybody can put the value', async (_, found) => {
    const checked = await checkRecord(TXT, { ...vantageOf({}), lookup: async () => found });
    expect(checked).toMatchObject({ state: 'mismatch', observed: ['CNAME somebody.example.net'] });
    expect(checked.action).toBe(
      `${NAME} is an alias (CNAME) of somebody.example.net. Delete it: other records can't share its name. Create a TXT ` +
        `record at ${NAME} with the value ${VALUE}.`,
    );
  });

  test('mismatch: the alias is that of a wildcard, beside which the record can be created', async () => {
    const alias: Found = { kind: 'alias', target: 'somebody.example.net' };
    const wildcard: Found = { kind: 'records', values: ['somebody.example.net'] };
    const lookup: Lookup = async (_, type) => (type === 'CNAME' ? wildcard : alias);
    const { action } = await checkRecord(TXT, { ...vantageOf({}), lookup });
    expect(action).toBe(
      `A wildcard record answers for ${NAME}. Create a TXT record for ${NAME} itself with the value ${VALUE}.`,
    );
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
  const ONE_FOREIGN = { 'example.com A': ['192.0.2.2'], 'example.com AAAA': ['2001:db8::9'] };

  testChecks(ALIAS, [
    [
      'ok',
      'all addresses are among those of the host, which only resolvers know',
      { 'example.com A': ['192.0.2.3'] },
      null,
      HOST,
    ],
    ['missing', 'there is no address', {}, 'Create an ALIAS or ANAME record at example.com', HOST],
    [
      'mismatch',
      'all addresses are foreign',
      { 'example.com A': ['192.0.2.9'] },
      `Create an ALIAS or ANAME record at example.com with the value ${TARGET}, then delete the A record at example.com that points elsewhere (192.0.2.9).`,
      HOST,
    ],
    [
      'mismatch',
      'one address is right and one is foreign',
      { 'example.com A': ['192.0.2.2', '192.0.2.9'] },
      'Delete the A record at example.com that points elsewhere (192.0.2.9).',
      HOST,
    ],
    ['mismatch', 'an IPv6 address is foreign', ONE_FOREIGN, '(2001:db8::9)', HOST],
    [
      'mismatch',
      'Cloudflare proxies the apex',
      { 'example.com A': ['104.16.1.1'], ...CLOUDFLARE_ZONE },
      'The record at example.com is proxied by Cloudflare. Set it to "DNS only".',
      HOST,
    ],
    ['unreachable', 'the name servers fail', 'SERVFAIL', "DNS doesn't answer for"],
    [
      'unreachable',
      'the name servers fail for one type and have nothing of the other',
      { 'example.com A': 'SERVFAIL' },
      "DNS doesn't answer for",
      HOST,
    ],
    [
      'unreachable',
      'one address is not known to be foreign, since not all of the host are known',
      ONE_FOREIGN,
      "DNS doesn't answer for",
      { ...HOST, [`${TARGET} AAAA`]: 'SERVFAIL' },
    ],
    [
      'unreachable',
      'the host has no address',
      { 'example.com A': ['192.0.2.2'] },
      `Our host ${TARGET} has no IP address yet.`,
    ],
  ]);

  test('ok: the record is a CNAME of the host, as some providers allow', async () => {
    const lookup = async () => ({ kind: 'alias', target: TARGET }) as const;
    expect(await checkRecord(ALIAS, { ...vantageOf({}, HOST), lookup })).toMatchObject({ state: 'ok' });
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
});
