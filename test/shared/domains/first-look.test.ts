import { describe, expect, test } from 'vitest';
import { firstLook } from '../../../shared/domains/first-look.ts';
import { readDomainName } from '../../../shared/domains/life/domain-name.ts';
import { type ZoneContent, zoneLookup } from './dns/zone-lookup.ts';

const PLAIN = ['ns1.zoo.com'];
const GODADDY = ['ns1.domaincontrol.com', 'ns2.domaincontrol.com'];
const FREE = { project: 'petstore', refusal: null, isPresent: false, isContested: false };

/** The look at a name in the zone zoo.com with this content, whose records have this time to live. */
async function looked(
  domain: string,
  content: ZoneContent = {},
  { nameServers = PLAIN as readonly string[], ttl = 0, standing = {} } = {},
) {
  const lookup = zoneLookup(() => content);
  const withTtl: typeof lookup = async (name, type) => {
    const found = await lookup(name, type);
    return found.kind === 'records' && ttl > 0 ? { ...found, ttl } : found;
  };
  const points = {
    zone: 'zoo.com',
    isApex: domain === 'zoo.com',
    delegation: { zone: 'zoo.com', nameServers },
    authoritative: withTtl,
    resolvers: [withTtl],
  };
  return firstLook(readDomainName(domain, []), points, { ...FREE, ...standing });
}

const textsOf = ({ findings }: Awaited<ReturnType<typeof looked>>) =>
  findings.map(({ kind, isTrouble, text }) => `${isTrouble ? '!' : '-'} ${kind}: ${text}`);
const REGISTERED = '- registration: zoo.com is registered. Its name servers are ns1.zoo.com.';
const NO_CAA = '- caa: CAA records allow Amazon to issue the certificate.';

describe('the first look at a name', () => {
  test('that is free: what it will need, and what happens next', async () => {
    const look = await looked('shop.zoo.com', { 'zoo.com MX': ['10 mail.zoo.com'] });
    expect(textsOf(look)).toEqual([
      REGISTERED,
      '- traffic: shop.zoo.com points nowhere yet.',
      NO_CAA,
      "- mail: Mail to zoo.com isn't affected: its MX records stay as they are.",
    ]);
    expect(look).toMatchObject({
      suggestion: { domain: 'shop.zoo.com', withWww: false, switchLater: false },
      records: [
        { purpose: 'traffic', type: 'CNAME', label: 'shop' },
        { purpose: 'certificate', type: 'CNAME', label: '_….shop' },
      ],
      next: [
        "Add shop.zoo.com. You then get the records' values.",
        'Create the records at your DNS provider, then verify. The certificate is usually issued within minutes.',
      ],
    });
  });

  test('that is in use, with its www: lower the TTL, prepare first, switch last', async () => {
    const zone = { 'zoo.com A': ['203.0.113.7'], 'www.zoo.com CNAME': ['old.example'] };
    const look = await looked('zoo.com', zone, { ttl: 86_400 });
    expect(textsOf(look)).toEqual([
      REGISTERED,
      '- traffic: zoo.com is in use: A 203.0.113.7.',
      '! ttl: The A record has a TTL of 24 hours. Lower it to 300 a day before you switch.',
      '! in_the_way: When you switch, the new record of zoo.com replaces the A record. The report then says how, without a gap if your DNS provider allows it.',
      '- traffic: www.zoo.com is in use: CNAME old.example.',
      '! ttl: The CNAME record of www.zoo.com has a TTL of 24 hours. Lower it to 300 a day before you switch.',
      NO_CAA,
    ]);
    expect(look).toMatchObject({
      suggestion: { domain: 'zoo.com', withWww: true, switchLater: true },
      next: [
        "Add zoo.com and www.zoo.com, to be switched later. You then get the records' values.",
        expect.stringContaining("Your site isn't affected."),
        expect.stringContaining('within 30 days'),
      ],
    });
    expect(look.records.map(({ purpose, name }) => `${purpose} ${name}`)).toEqual([
      'ownership _petstore-challenge.zoo.com',
      'certificate _….zoo.com',
      'traffic zoo.com',
      'ownership _petstore-challenge.www.zoo.com',
      'certificate _….www.zoo.com',
      'traffic www.zoo.com',
    ]);
  });

  test('of an apex whose provider has no ALIAS records: its www is added instead', async () => {
    const look = await looked('zoo.com', { 'zoo.com A': ['203.0.113.7'] }, { nameServers: GODADDY });
    expect(textsOf(look)).toEqual([
      '- registration: zoo.com is registered, and its DNS is at GoDaddy.',
      "! alias: GoDaddy has no ALIAS records, so zoo.com itself can't point here.",
      '- traffic: www.zoo.com points nowhere yet.',
      NO_CAA,
    ]);
    expect(look).toMatchObject({
      suggestion: { domain: 'www.zoo.com', withWww: false, switchLater: false },
      next: [
        "Add www.zoo.com. You then get the records' values.",
        expect.stringContaining('at GoDaddy'),
        'At GoDaddy, forward zoo.com to https://www.zoo.com.',
        expect.stringContaining('To do without www instead'),
      ],
    });
  });

  test.each<[string, ZoneContent, string]>([
    [
      'records that a CNAME cannot share its name with',
      { 'shop.zoo.com MX': ['10 a.example'], 'shop.zoo.com TXT': ['a'] },
      'MX and TXT records at shop.zoo.com are in the way',
    ],
    [
      'a wildcard',
      { '*.zoo.com A': ['203.0.113.7'] },
      'A wildcard record answers for shop.zoo.com (A 203.0.113.7). You can keep it.',
    ],
    ["Cloudflare's proxy", { 'shop.zoo.com A': ['104.16.1.1'] }, "shop.zoo.com is behind Cloudflare's proxy"],
    [
      'a CAA record',
      { 'zoo.com CAA': ['0 issue "letsencrypt.org"'] },
      "Amazon isn't allowed to issue certificates",
    ],
  ])('names %s', async (_, zone, text) => {
    expect(textsOf(await looked('shop.zoo.com', zone)).join('\n')).toContain(text);
  });

  test('has the record that lets Amazon issue the certificate', async () => {
    const { findings } = await looked('shop.zoo.com', { 'zoo.com CAA': ['0 issue "letsencrypt.org"'] });
    expect(findings.flatMap(({ fix }) => fix ?? [])).toMatchObject([
      { type: 'CAA', name: 'zoo.com', label: '@', value: '0 issue "amazon.com"' },
    ]);
  });

  test('of a name that is not registered says that, and nothing of what it would have', async () => {
    const look = await looked('shop.zoo.com', {}, { nameServers: [] });
    expect(textsOf(look)).toEqual([expect.stringMatching(/^! registration: zoo\.com isn't registered, or /)]);
    expect(look.isRegistered).toBe(false);
  });

  test('suggests nothing for a name that is refused, or that the project has', async () => {
    const refusal = { reason: 'domain_taken', message: 'Taken.' };
    const refused = await looked('shop.zoo.com', {}, { standing: { refusal } });
    expect(refused).toMatchObject({ refusal, suggestion: null, next: [] });
    expect(textsOf(refused)[0]).toBe('! refusal: Taken.');
    const present = await looked('shop.zoo.com', {}, { standing: { isPresent: true } });
    expect(present).toMatchObject({ suggestion: null, next: [] });
    expect(textsOf(present)[0]).toBe('- claim: shop.zoo.com is already in project petstore.');
  });
});
