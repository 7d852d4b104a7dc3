import { describe, expect, test } from 'vitest';
import type { CertificateView, Domain } from '../../../../shared/domains/life/domain.ts';
import { inspected, sightOf } from '../../../../shared/domains/pass/inspection.ts';
import { AT, AT_MS, CHALLENGE, certified, claimed, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';

const PENDING: CertificateView = {
  status: 'PENDING_VALIDATION',
  failure: null,
  renewal: null,
  validations: [],
};
const verifying = (changes: Partial<Domain> = {}) => claimed({ status: 'verifying', ...changes });
const apex = (changes: Partial<Domain> = {}) =>
  verifying({ domain: 'zoo.example', kind: 'apex', ...changes });
const CORRECT = { [`${NAME} CNAME`]: [TARGET] };

/** What else the look-ups find of a zone, and what ACM says of the certificate. */
interface Found {
  readonly zone?: string;
  readonly isApex?: boolean;
  readonly nameServers?: readonly string[];
  readonly view?: CertificateView;
}

/** A claim as it is by DNS, where the zone has this content, and by ACM. */
async function inspect(claim: Domain, content: ZoneContent, found: Found = {}): Promise<Domain> {
  const { zone, isApex = false, nameServers, view = PENDING } = found;
  const lookup = zoneLookup(() => content);
  const points = { zone, isApex, authoritative: lookup, resolvers: [lookup] };
  const parts = {
    certificates: { view: async () => view },
    vantagePoints: async () => ({
      ...points,
      ...(nameServers && { delegation: { zone: 'zoo.example', nameServers } }),
    }),
  };
  return inspected(claim, await sightOf(claim, parts), AT_MS);
}

const statesOf = ({ records }: Domain) =>
  records.map(({ purpose, type, state }) => `${purpose} ${type} ${state}`);

describe('the inspected records', () => {
  const PROXIED = { [`${NAME} A`]: ['104.16.1.1'], 'zoo.example NS': ['amy.ns.cloudflare.com'] };
  const OTHER = { name: '_p.zoo.example', value: '_q.acm-validations.aws' };
  const zoneTxt = (name: string) => ({ [`_petstore-challenge.${name} TXT`]: [CHALLENGE] });
  const ownZone = { zone: NAME, isApex: true };
  test.each<[what: string, Domain, ZoneContent, Found, states: readonly string[]]>([
    ['of a subdomain before its certificate', verifying(), CORRECT, {}, ['traffic CNAME ok']],
    [
      'of a subdomain, before ACM names one',
      verifying({ certificate: certified({ validations: [] }) }),
      CORRECT,
      {},
      ['traffic CNAME ok'],
    ],
    [
      'of a long name, which has two for its certificate',
      verifying({ certificate: certified() }),
      { ...CORRECT, [`${OTHER.name} CNAME`]: [OTHER.value] },
      { view: { ...PENDING, validations: [VALIDATION, OTHER] } },
      ['traffic CNAME ok', 'certificate CNAME missing', 'certificate CNAME ok'],
    ],
    [
      'of a subdomain behind a proxy, which needs the TXT record',
      verifying(),
      PROXIED,
      {},
      ['traffic CNAME conflict', 'ownership TXT missing'],
    ],
    ['of an apex', apex(), zoneTxt('zoo.example'), {}, ['traffic ALIAS missing', 'ownership TXT ok']],
    [
      'of a name that has become a zone of its own',
      verifying(),
      zoneTxt(NAME),
      ownZone,
      ['traffic ALIAS missing', 'ownership TXT ok'],
    ],
    [
      'of one that is none any more',
      verifying({ kind: 'apex', zone: NAME }),
      CORRECT,
      { zone: 'zoo.example' },
      ['traffic CNAME ok'],
    ],
    [
      'of one whose zone nobody finds, which stays what it was',
      verifying({ kind: 'apex', zone: NAME }),
      'SERVFAIL',
      {},
      ['traffic ALIAS unreachable', 'ownership TXT unreachable'],
    ],
  ])('%s', async (_, claim, content, found, states) => {
    const after = await inspect(claim, content, found);
    expect(statesOf(after)).toEqual(states);
    expect(after.checkedAt).toBe(AT);
  });
});

test('the certificate has what ACM says of it, if one was requested', async () => {
  expect((await inspect(verifying(), {})).certificate).toEqual(verifying().certificate);
  expect((await inspect(verifying({ certificate: certified() }), {})).certificate).toMatchObject({
    status: PENDING.status,
    validations: [VALIDATION],
  });
});

describe('the advice is for the DNS provider', () => {
  const actionOf = async (...given: Parameters<typeof inspect>) =>
    (await inspect(...given)).records[0]?.action;
  const cloudflare = apex({ nameServers: ['amy.ns.cloudflare.com'] });
  const FORWARDED = { 'zoo.example A': ['192.0.2.7'], [`${TARGET} A`]: ['192.0.2.1'] };

  test('whose name servers were found last', async () => {
    expect(await actionOf(cloudflare, {})).toBe(
      `Create a CNAME record at zoo.example with the value ${TARGET}.`,
    );
    const nameServers = ['ns1.name.com'];
    const moved = await inspect(cloudflare, {}, { nameServers });
    expect(moved).toMatchObject({
      nameServers,
      records: [{ action: expect.stringContaining('Create an ANAME record') }, {}],
    });
  });

  test.each([
    [
      'an alias at Route 53 is edited',
      'ns-1.awsdns-01.com',
      'At Route 53, edit the A record at zoo.example: switch "Alias" on and choose d-1.example (hosted zone Z1). Then create an AAAA alias to it.',
    ],
    [
      'a CNAME changes the type',
      'amy.ns.cloudflare.com',
      'Change the A record at zoo.example into a CNAME record',
    ],
    ['an ALIAS comes first', 'ns1.dnsimple.com', 'Create an ALIAS record at zoo.example with the value'],
    ['an ALIAS comes first', 'ns1.unknown.example', 'Create an ALIAS or ANAME record at zoo.example'],
  ])('which an apex in use is switched at without a gap, if it can be: %s', async (_, server, advice) => {
    const gateway = { host: 'd-1.example', hostedZoneId: 'Z1' };
    const claim = apex({ nameServers: [server], gateway });
    expect(await actionOf(claim, FORWARDED)).toEqual(expect.stringContaining(advice));
  });

  test('and leaves an apex that cannot point here as it is: it may be what forwards it', async () => {
    expect(await actionOf(apex({ nameServers: ['ns1.domaincontrol.com'] }), FORWARDED)).toMatch(
      /^GoDaddy has no ALIAS records, so zoo\.example itself /,
    );
  });

  test('which may keep its proxy', async () => {
    const proxied = { [`${NAME} A`]: ['104.16.1.1'], 'zoo.example NS': ['amy.ns.cloudflare.com'] };
    expect(await actionOf(verifying(), proxied)).toBe(
      `The record at ${NAME} is proxied by Cloudflare. Set it to "DNS only". If the project is published at this service's own ` +
        `API, you can keep the proxy instead: point the record at ${TARGET}, set the SSL/TLS mode to "Full (strict)", and ` +
        'create the TXT record, which proves the domain.',
    );
  });
});
