import { describe, expect, test } from 'vitest';
import type { CertificateView } from '../../../../shared/domains/aws/certificates.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { inspect } from '../../../../shared/domains/steps/inspection.ts';
import { caaObstacle } from '../../../../shared/domains/steps/obstacles.ts';
import { AT, AT_MS, CHALLENGE, certified, claimed, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';

const PENDING: CertificateView = {
  status: 'PENDING_VALIDATION',
  failure: null,
  renewal: null,
  validations: [],
};

const verifying = (news: Partial<Domain> = {}) => claimed({ status: 'verifying', ...news });

/** What is seen of a domain where the zone's servers and the resolvers say this. */
function parts(zone: ZoneContent, view = PENDING, resolved: readonly ZoneContent[] = [zone]) {
  return {
    certificates: { view: async () => view, ensure: async () => '', removeAll: async () => true },
    vantagePoints: async () => ({
      authoritative: zoneLookup(() => zone),
      resolvers: resolved.map(content => zoneLookup(() => content)),
    }),
    now: () => AT_MS,
  };
}

const statesOf = ({ records }: Domain) =>
  records.map(({ purpose, type, state }) => `${purpose} ${type} ${state}`);
const RIGHT = { 'www.zoo.example CNAME': [TARGET] };

describe('the records of a domain', () => {
  test('are those of the claim until ACM names its own', async () => {
    const claim = verifying({ certificate: certified({ validations: [] }) });
    const seen = await inspect(claim, parts(RIGHT));
    expect(statesOf(seen)).toEqual(['traffic CNAME ok']);
    expect(seen).toMatchObject({ checkedAt: AT, certificate: PENDING });
    const named = await inspect(claim, parts(RIGHT, { ...PENDING, validations: [VALIDATION] }));
    expect(statesOf(named)).toEqual(['traffic CNAME ok', 'certificate CNAME missing']);
  });

  test('are checked where no certificate is requested yet', async () => {
    const seen = await inspect(verifying(), parts(RIGHT));
    expect(statesOf(seen)).toEqual(['traffic CNAME ok']);
    expect(seen.certificate).toEqual(verifying().certificate);
  });

  test('are all those by which ACM validates a long name', async () => {
    const validations = [VALIDATION, { name: '_p.zoo.example', value: '_q.acm-validations.aws' }];
    const zone = { ...RIGHT, '_p.zoo.example CNAME': ['_q.acm-validations.aws'] };
    const domain = verifying({ certificate: certified() });
    expect(statesOf(await inspect(domain, parts(zone, { ...PENDING, validations })))).toEqual([
      'traffic CNAME ok',
      'certificate CNAME missing',
      'certificate CNAME ok',
    ]);
  });

  test('are right only when they are right everywhere; until then there is nothing to do', async () => {
    const seen = await inspect(verifying(), parts(RIGHT, PENDING, [RIGHT, {}]));
    expect(seen.records).toMatchObject([{ state: 'missing', action: null }]);
  });

  test('are wrong when the zone itself says so, whatever resolvers remember', async () => {
    const seen = await inspect(verifying(), parts({}, PENDING, [RIGHT]));
    expect(seen.records).toMatchObject([
      { state: 'missing', action: expect.stringContaining('Create a CNAME record') },
    ]);
  });
});

describe('the records of an apex', () => {
  const apex = verifying({ domain: 'zoo.example', kind: 'apex' });

  test('are a text beside the alias, of which Route 53 needs to know more than is known yet', async () => {
    const seen = await inspect(apex, parts({ '_petstore-challenge.zoo.example TXT': [CHALLENGE] }));
    expect(statesOf(seen)).toEqual(['traffic ALIAS missing', 'ownership TXT ok']);
    expect(seen.records[0]?.action).toBe(
      `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ` +
        'At Route 53 leave it for now: what to create there is shown here once the certificate is issued.',
    );
  });

  test('have the alias that Route 53 wants once the domain name is there', async () => {
    const gateway = { host: 'd-1.execute-api.us-east-1.amazonaws.com', hostedZoneId: 'Z1UJRXOUMOOFQ8' };
    const seen = await inspect({ ...apex, gateway }, parts({ 'zoo.example A': ['192.0.2.9'] }));
    expect(seen.records[0]).toMatchObject({
      state: 'mismatch',
      action: expect.stringMatching(
        /^Delete the A and AAAA records at zoo\.example .* A alias to d-1\..* \(hosted zone Z1UJRXOUMOOFQ8\)\.$/,
      ),
    });
  });
});

describe('the CAA record that is in the way', () => {
  test('is named with its place and what to add', async () => {
    const zone = { ...RIGHT, 'zoo.example CAA': ['0 issue ";"'] };
    expect(await caaObstacle(verifying(), parts(zone))).toEqual({
      reason: 'caa_blocked',
      message:
        'The CAA record at zoo.example (0 issue ";") forbids Amazon to issue the certificate. ' +
        'Add: zoo.example. CAA 0 issue "amazon.com"',
    });
  });

  test.each([
    ['there is none', {}],
    ['Amazon is allowed', { 'zoo.example CAA': ['0 issue "amazon.com"'] }],
    ['nobody could say', { 'zoo.example CAA': 'SERVFAIL' as const }],
  ])('is none where %s', async (_, zone) => {
    expect(await caaObstacle(verifying(), parts(zone))).toBeUndefined();
  });
});
