import { CreateBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { DomainNameForeign, gatewayDomains } from '../../../../shared/domains/aws/gateway-domains.ts';
import { API_ID, api } from '../../../infra/local/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/apigateway-control/served-control-plane.ts';
import { TARGET } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const OTHER_CLAIM = { domain: NAME, target: 'fedcba9876543210fedc.apps.petstore.example' };
const THEIRS = { apiId: 'theirs1234', stage: 'theirs' };
const OURS = { apiId: API_ID, stage: 'test' };

/** One account in which the name is taken, seen from staging. */
const TAKEN_BY = {
  production: async gateway => {
    const theirs = gatewayDomains('production');
    await theirs.ensure(CLAIM, gateway.certificateFor(NAME));
    await theirs.map(CLAIM, THEIRS);
  },
  'another team': async gateway => {
    await gateway.created(NAME, { tags: { team: 'billing' } });
    await gateway.client.send(
      new CreateBasePathMappingCommand({ domainName: NAME, restApiId: THEIRS.apiId, stage: THEIRS.stage }),
    );
  },
  'another claim of staging': async gateway => {
    const staging = gatewayDomains('staging');
    await staging.ensure(OTHER_CLAIM, gateway.certificateFor(NAME));
    await staging.map(OTHER_CLAIM, THEIRS);
  },
} satisfies Record<string, (gateway: Awaited<ReturnType<typeof serveControlPlane>>) => Promise<void>>;

describe.each(Object.entries(TAKEN_BY))('a domain name of %s', (owner, take) => {
  const taken = async () => {
    const gateway = await serveControlPlane({ otherApis: api({ StageName: THEIRS.stage }, THEIRS.apiId) });
    stubEndpoint('API_GATEWAY', gateway.endpoint);
    await take(gateway);
    gateway.nowMs += 30_000;
    return { gateway, before: gateway.domainNames.find(NAME), ...gatewayDomains('staging') };
  };

  test('is found as not ours', async () => {
    const { find, isForeign } = await taken();
    expect(await find(CLAIM)).toMatchObject({ isOurs: false });
    expect(await isForeign(NAME)).toBe(owner !== 'another claim of staging');
  });

  test.each(['ensure', 'mapFirst', 'map'] as const)('is not changed by %s', async call => {
    const { gateway, before, ...staging } = await taken();
    const changed =
      call === 'ensure' ? staging.ensure(CLAIM, gateway.certificateFor(NAME)) : staging[call](CLAIM, OURS);
    await expect(changed).rejects.toThrow(DomainNameForeign);
    expect(gateway.domainNames.find(NAME)).toEqual(before);
  });

  test.each(['unmap', 'remove'] as const)('is left alone by %s, which succeeds', async call => {
    const { gateway, before, ...staging } = await taken();
    await staging[call](CLAIM);
    expect(gateway.domainNames.find(NAME)).toEqual(before);
  });
});

test('a domain name is tagged with environment, claim and domain when it is created', async () => {
  const gateway = await serveControlPlane();
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  await gatewayDomains('staging').ensure(CLAIM, gateway.certificateFor(NAME));
  expect(gateway.domainNames.find(NAME)?.tags).toEqual({
    'petstore:environment': 'staging',
    'petstore:claim': TARGET.slice(0, TARGET.indexOf('.')),
    'petstore:domain': NAME,
  });
});
