import { describe, expect, test } from 'vitest';
import { caaObstacle } from '../../../../shared/domains/steps/obstacles.ts';
import { claimed, TARGET } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';

/** The parts of an inspection, of which a look at CAA records uses DNS only. */
function parts(zone: ZoneContent) {
  const lookup = zoneLookup(() => zone);
  return {
    vantagePoints: async () => ({
      zone: 'zoo.example',
      isApex: false,
      authoritative: lookup,
      resolvers: [lookup],
    }),
  };
}

const DOMAIN = claimed({ status: 'verifying' });

describe('caaObstacle', () => {
  test('names the CAA record that forbids Amazon, and the record to add', async () => {
    const zone = { 'www.zoo.example CNAME': [TARGET], 'zoo.example CAA': ['0 issue ";"'] };
    expect(await caaObstacle(DOMAIN, parts(zone))).toEqual({
      reason: 'caa_blocked',
      message:
        'The CAA record at zoo.example (0 issue ";") forbids Amazon to issue the certificate. ' +
        'Add: zoo.example. CAA 0 issue "amazon.com"',
    });
  });

  test('says on request that the look-up fails, and at which name', async () => {
    const failing = parts({ 'zoo.example CAA': 'SERVFAIL' });
    expect(await caaObstacle(DOMAIN, failing, { saysFailure: true })).toEqual({
      reason: 'caa_unreachable',
      message: expect.stringContaining('The CAA records at zoo.example cannot be looked up'),
    });
    expect(await caaObstacle(DOMAIN, parts({}), { saysFailure: true })).toBeUndefined();
  });

  test.each([
    ['there is no CAA record', {}],
    ['a CAA record allows Amazon', { 'zoo.example CAA': ['0 issue "amazon.com"'] }],
    ['the name servers fail', { 'zoo.example CAA': 'SERVFAIL' as const }],
  ])('is undefined when %s', async (_, zone) => {
    expect(await caaObstacle(DOMAIN, parts(zone))).toBeUndefined();
  });
});
