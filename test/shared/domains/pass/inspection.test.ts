import { describe, expect, test } from 'vitest';
import type { CertificateView, Domain } from '../../../../shared/domains/life/domain.ts';
import { sightOf, inspected as withSight } from '../../../../shared/domains/pass/inspection.ts';
import { AT, AT_MS, CHALLENGE, certified, claimed, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';

const PENDING: CertificateView = {
  status: 'PENDING_VALIDATION',
  failure: null,
  renewal: null,
  validations: [],
};

const verifying = (changes: Partial<Domain> = {}) => claimed({ status: 'verifying', ...changes });

/** The parts of an inspection, with these answers of ACM, the zone's servers and the resolvers. */
function parts(
  zone: ZoneContent,
  view = PENDING,
  resolved: readonly ZoneContent[] = [zone],
  found: { zone: string | undefined; isApex: boolean } = { zone: undefined, isApex: false },
) {
  return {
    certificates: { view: async () => view },
    vantagePoints: async () => ({
      ...found,
      authoritative: zoneLookup(() => zone),
      resolvers: resolved.map(content => zoneLookup(() => content)),
    }),
  };
}

const inspect = async (claim: Domain, world: ReturnType<typeof parts>) =>
  withSight(claim, await sightOf(claim, world), AT_MS);

const statesOf = ({ records }: Domain) =>
  records.map(({ purpose, type, state }) => `${purpose} ${type} ${state}`);
const CORRECT = { 'www.zoo.example CNAME': [TARGET] };

describe('the inspected records of a subdomain', () => {
  test('include the validation record once ACM names it', async () => {
    const claim = verifying({ certificate: certified({ validations: [] }) });
    const inspected = await inspect(claim, parts(CORRECT));
    expect(statesOf(inspected)).toEqual(['traffic CNAME ok']);
    expect(inspected).toMatchObject({ checkedAt: AT, certificate: PENDING });
    const afterNaming = await inspect(claim, parts(CORRECT, { ...PENDING, validations: [VALIDATION] }));
    expect(statesOf(afterNaming)).toEqual(['traffic CNAME ok', 'certificate CNAME missing']);
  });

  test('are checked before a certificate is requested', async () => {
    const inspected = await inspect(verifying(), parts(CORRECT));
    expect(statesOf(inspected)).toEqual(['traffic CNAME ok']);
    expect(inspected.certificate).toEqual(verifying().certificate);
  });

  test('include every validation record of a long name', async () => {
    const validations = [VALIDATION, { name: '_p.zoo.example', value: '_q.acm-validations.aws' }];
    const zone = { ...CORRECT, '_p.zoo.example CNAME': ['_q.acm-validations.aws'] };
    const domain = verifying({ certificate: certified() });
    expect(statesOf(await inspect(domain, parts(zone, { ...PENDING, validations })))).toEqual([
      'traffic CNAME ok',
      'certificate CNAME missing',
      'certificate CNAME ok',
    ]);
  });
});

describe('the inspected records of an apex', () => {
  const apex = verifying({ domain: 'zoo.example', kind: 'apex' });

  test('are an alias, to be created later at Route 53, and a TXT record', async () => {
    const inspected = await inspect(apex, parts({ '_petstore-challenge.zoo.example TXT': [CHALLENGE] }));
    expect(statesOf(inspected)).toEqual(['traffic ALIAS missing', 'ownership TXT ok']);
    expect(inspected.records[0]?.action).toBe(
      `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ` +
        'At Route 53, leave zoo.example as it is for now: the alias to create is shown once the certificate is issued.',
    );
  });

  test('name the alias for Route 53 once the domain name at API Gateway exists', async () => {
    const gateway = { host: 'd-1.execute-api.us-east-1.amazonaws.com', hostedZoneId: 'Z1UJRXOUMOOFQ8' };
    const inspected = await inspect(
      { ...apex, gateway },
      parts({ 'zoo.example A': ['192.0.2.9'], [`${TARGET} A`]: ['192.0.2.1'] }),
    );
    expect(inspected.records[0]).toMatchObject({
      state: 'mismatch',
      action: expect.stringMatching(
        /^Delete the A record at zoo\.example .* A alias and an AAAA alias to d-1\..* \(hosted zone Z1UJRXOUMOOFQ8\)\.$/,
      ),
    });
  });
});

describe('an inspected name', () => {
  const TXT = { '_petstore-challenge.www.zoo.example TXT': [CHALLENGE] };

  test('is an apex with an ALIAS and a TXT record when it is a zone of its own', async () => {
    const found = { zone: 'www.zoo.example', isApex: true };
    const inspected = await inspect(verifying(), parts(TXT, PENDING, [TXT], found));
    expect(inspected).toMatchObject({ kind: 'apex', zone: 'www.zoo.example' });
    expect(statesOf(inspected)).toEqual(['traffic ALIAS missing', 'ownership TXT ok']);
    expect(inspected.records.map(({ label }) => label)).toEqual(['@', '_petstore-challenge']);
  });

  test('is a subdomain with a CNAME again when it is no longer a zone', async () => {
    const before = verifying({ kind: 'apex', zone: 'www.zoo.example' });
    const found = { zone: 'zoo.example', isApex: false };
    const inspected = await inspect(before, parts(CORRECT, PENDING, [CORRECT], found));
    expect(inspected).toMatchObject({ kind: 'subdomain', zone: 'zoo.example' });
    expect(statesOf(inspected)).toEqual(['traffic CNAME ok']);
  });

  test('keeps its kind and zone when the zone cannot be found', async () => {
    const before = verifying({ kind: 'apex', zone: 'www.zoo.example' });
    const inspected = await inspect(before, parts('SERVFAIL'));
    expect(inspected).toMatchObject({ kind: 'apex', zone: 'www.zoo.example' });
  });

  test('keeps its name servers when they cannot be found, and gets the advice for its provider', async () => {
    const nameServers = ['amy.ns.cloudflare.com'];
    const before = verifying({ domain: 'zoo.example', kind: 'apex', nameServers });
    expect(await inspect(before, parts({}))).toMatchObject({
      nameServers,
      records: [{ action: `Create a CNAME record at zoo.example with the value ${TARGET}.` }, {}],
    });
    const delegation = { zone: 'zoo.example', nameServers: ['ns1.name.com'] };
    const { vantagePoints, ...rest } = parts({});
    const found = async () => ({ ...(await vantagePoints()), delegation });
    expect(await inspect(before, { ...rest, vantagePoints: found })).toMatchObject({
      nameServers: ['ns1.name.com'],
      records: [{ action: expect.stringContaining('Create an ANAME record') }, {}],
    });
  });

  test('that cannot point here keeps its A record, which may be what forwards it to www', async () => {
    const zone = { 'zoo.example A': ['192.0.2.7'], [`${TARGET} A`]: ['192.0.2.1'] };
    const nameServers = ['ns1.domaincontrol.com'];
    const apex = verifying({ domain: 'zoo.example', kind: 'apex', nameServers });
    const inspected = await inspect(apex, parts(zone));
    expect(inspected.records[0]?.action).toMatch(/^GoDaddy has no ALIAS records, so zoo\.example itself /);
  });

  test('gets no advice about Route 53 while Cloudflare proxies it, and needs the TXT record', async () => {
    const proxied = (name: string) => ({
      [`${name} A`]: ['104.16.1.1'],
      'zoo.example NS': ['amy.ns.cloudflare.com'],
      [`${TARGET} A`]: ['192.0.2.1'],
    });
    const apex = await inspect(
      verifying({ domain: 'zoo.example', kind: 'apex' }),
      parts(proxied('zoo.example')),
    );
    expect(apex.records[0]?.action).toMatch(/^The record at zoo\.example is proxied by Cloudflare\./);
    const inspected = await inspect(verifying(), parts(proxied(NAME)));
    expect(statesOf(inspected)).toEqual(['traffic CNAME conflict', 'ownership TXT missing']);
    expect(inspected.records[0]?.action).toBe(
      `The record at ${NAME} is proxied by Cloudflare. Set it to "DNS only". If the project is published at this service's own ` +
        `API, you can keep the proxy instead: point the record at ${TARGET}, set the SSL/TLS mode to "Full (strict)", and ` +
        'create the TXT record, which proves the domain.',
    );
  });
});
