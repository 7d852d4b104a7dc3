import { expect, test } from 'vitest';
import type { Delegation } from '../../../shared/domains/dns/platform-delegation.ts';
import { requirePlatformDomain } from '../../../shared/operator/lookup.ts';

const NAME_SERVERS = ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.net'];
const required = (platformDomain: string | undefined, delegation: Delegation) =>
  requirePlatformDomain({ platformDomain, platformDelegation: async () => delegation });

test('says what to set, and to delegate it, where there is no platform domain', async () => {
  await expect(required(undefined, { isInPlace: true })).rejects.toMatchObject({
    code: 'conflict',
    reason: 'platform_domain_required',
    message: expect.stringMatching(/Set platformDomain .* deploy, and delegate .* PlatformNameServers/),
  });
});

test.each([
  [
    'apps.zoo.co.uk',
    'In the zone of zoo.co.uk, create an NS record at apps.zoo.co.uk with the values ns-1.awsdns-01.org, ns-2.awsdns-02.net.',
  ],
  [
    'zoo-apps.dev',
    'At the registrar of zoo-apps.dev, set the name servers ns-1.awsdns-01.org, ns-2.awsdns-02.net.',
  ],
])('says what is seen instead of a delegation of %s, and what to create', async (platformDomain, advice) => {
  const delegation = { isInPlace: false, nameServers: NAME_SERVERS, observed: ['no NS records'] } as const;
  const refused = required(platformDomain, delegation);
  await expect(refused).rejects.toMatchObject({ code: 'conflict', reason: 'platform_domain_not_delegated' });
  await expect(refused).rejects.toThrow(
    `The platform domain ${platformDomain} isn't delegated to this environment: public resolvers see no NS records. ${advice}`,
  );
});
