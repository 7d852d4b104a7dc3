import {
  APIGatewayClient,
  BadRequestException,
  ConflictException,
  CreateBasePathMappingCommand,
  DeleteBasePathMappingCommand,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import {
  DomainNameForeign,
  GatewayBusy,
  GatewayRefused,
  gatewayDomains,
  gatewayMappings,
} from '../../../../shared/domains/aws/gateway-domains.ts';
import { API_ID, api } from '../../../infra/local/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/apigateway-control/served-control-plane.ts';
import { TARGET } from '../claimed-domain.ts';
import { cannedResponses } from './canned-responses.ts';
import { stubEndpoint } from './client-endpoint.ts';

const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: API_ID, stage: 'test' };
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };
const TAGS = {
  'petstore:environment': 'staging',
  'petstore:claim': TARGET.slice(0, TARGET.indexOf('.')),
  'petstore:domain': NAME,
};

const exists = () => new ConflictException({ message: 'Base path already exists', $metadata: {} });
const notFound = () => new NotFoundException({ message: 'Invalid identifier', $metadata: {} });

/** The local API Gateway with two APIs, and the domain names at it. */
async function servedGateway(principal: Principal = developer) {
  const otherApis = api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId);
  const gateway = await serveControlPlane({ otherApis, principal });
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const mapping = () => gateway.domainNames.find(NAME)?.mapping;
  const nextSlot = () => {
    gateway.nowMs += 30_000;
  };
  return { gateway, mapping, nextSlot, ...gatewayDomains('staging') };
}

describe('ensure', () => {
  test('creates a domain name that find returns then', async () => {
    const { gateway, ensure, find } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await find(CLAIM)).toBeUndefined();
    const created = await ensure(CLAIM, certificateArn);
    expect(created).toEqual({
      host: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
      hostedZoneId: 'Z1UJRXOUMOOFQ8',
      certificateArn,
      isOurs: true,
    });
    expect(await find(CLAIM)).toEqual(created);
    expect(gateway.domainNames.find(NAME)).toMatchObject({ tags: TAGS, ipAddressType: 'dualstack' });
  });

  test('uses no slot when the domain name has the certificate already', async () => {
    const { gateway, ensure } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    const created = await ensure(CLAIM, certificateArn);
    expect(await ensure(CLAIM, certificateArn)).toEqual(created);
  });

  test('replaces the certificate and keeps the host and the mapping', async () => {
    const { gateway, mapping, nextSlot, ensure, map } = await servedGateway();
    const { host } = await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, PROJECT);
    nextSlot();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await ensure(CLAIM, certificateArn)).toMatchObject({ host, certificateArn });
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
  });

  test('throws GatewayBusy at once when a creation or a change finds no free slot', async () => {
    const { gateway, ensure } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    const other = 'other.zoo.example';
    await expect(ensure({ ...CLAIM, domain: other }, gateway.certificateFor(other))).rejects.toThrow(
      GatewayBusy,
    );
    await expect(ensure(CLAIM, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
  });

  test('asks API Gateway once, and does not wait for a slot in a retry', async () => {
    const actions: string[] = [];
    const denial = (action: string) => {
      actions.push(action);
      return undefined;
    };
    const { gateway, ensure } = await servedGateway({ denial });
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await expect(ensure(CLAIM, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
    expect(actions.filter(action => action === 'apigateway:PATCH')).toHaveLength(1);
  });

  test('throws GatewayRefused, with the message of API Gateway, for a certificate that is not issued', async () => {
    const { gateway, nextSlot, ensure, find } = await servedGateway();
    const pending = gateway.certificateFor(NAME);
    gateway.certificates.change(pending, { status: 'PENDING_VALIDATION' });
    await expect(ensure(CLAIM, pending)).rejects.toThrow(GatewayRefused);
    nextSlot();
    await expect(ensure(CLAIM, pending)).rejects.toThrow('its status is PENDING_VALIDATION, not ISSUED');
    expect(await find(CLAIM)).toBeUndefined();
  });
});

describe('mapFirst', () => {
  test('maps an unmapped root to an API, also after an unmap', async () => {
    const { gateway, mapping, ensure, mapFirst, unmap } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    expect(await mapFirst(CLAIM, PROJECT)).toBe(true);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await unmap(CLAIM);
    expect(await mapFirst(CLAIM, REDIRECTS)).toBe(true);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('returns false and keeps the mapping when the root is mapped to any API', async () => {
    const { gateway, mapping, ensure, map, mapFirst } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, REDIRECTS);
    for (const apiStage of [PROJECT, REDIRECTS]) {
      expect(await mapFirst(CLAIM, apiStage)).toBe(false);
      expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
    }
  });
});

describe('map', () => {
  test('maps the root to an API, and may be repeated or changed', async () => {
    const { gateway, mapping, ensure, map } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(CLAIM, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(CLAIM, REDIRECTS);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });
});

test('mappingOf returns what the domain is mapped to, and undefined once the mapping was deleted by hand', async () => {
  const { gateway, ensure, map, mappingOf } = await servedGateway();
  expect(await mappingOf(CLAIM)).toBeUndefined();
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await map(CLAIM, PROJECT);
  expect(await mappingOf(CLAIM)).toEqual(PROJECT);
  const mapping = { domainName: NAME, basePath: '(none)' };
  await gateway.client.send(new DeleteBasePathMappingCommand(mapping));
  expect(await mappingOf(CLAIM)).toBeUndefined();
});

test('unmap deletes the mapping, may be repeated, and needs no domain name', async () => {
  const { gateway, mapping, ensure, map, unmap } = await servedGateway();
  await unmap(CLAIM);
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await map(CLAIM, PROJECT);
  await unmap(CLAIM);
  expect(mapping()).toBeUndefined();
  await unmap(CLAIM);
  await gateway.client.send(
    new CreateBasePathMappingCommand({ domainName: NAME, restApiId: API_ID, stage: 'test' }),
  );
  expect(mapping()).toBeDefined();
});

test('remove throws GatewayBusy until a slot is free, then deletes the domain name, and may be repeated', async () => {
  const { gateway, nextSlot, ensure, find, remove } = await servedGateway();
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await expect(remove(CLAIM)).rejects.toThrow(GatewayBusy);
  expect(await find(CLAIM)).toBeDefined();
  nextSlot();
  await remove(CLAIM);
  expect(await find(CLAIM)).toBeUndefined();
  nextSlot();
  await remove(CLAIM);
});

describe('domain names of others', () => {
  const OTHER_CLAIM = { domain: NAME, target: 'fedcba9876543210fedc.apps.petstore.example' };
  const THEIRS = { apiId: 'theirs1234', stage: 'theirs' };

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
        call === 'ensure'
          ? staging.ensure(CLAIM, gateway.certificateFor(NAME))
          : staging[call](CLAIM, PROJECT);
      await expect(changed).rejects.toThrow(DomainNameForeign);
      expect(gateway.domainNames.find(NAME)).toEqual(before);
    });

    test.each(['unmap', 'remove'] as const)('is left alone by %s, which succeeds', async call => {
      const { gateway, before, ...staging } = await taken();
      await staging[call](CLAIM);
      expect(gateway.domainNames.find(NAME)).toEqual(before);
    });
  });
});

describe('mappings', () => {
  const REQUIRED = { apiId: 'api1', stage: 'test' };
  const OTHER = { restApiId: 'other', stage: 'test' };

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** A client that gives these answers, one after the other, and the names of the commands that it was sent. */
  function answering(...answers: (object | Error)[]) {
    const sent: string[] = [];
    const client = new APIGatewayClient({ region: 'us-east-1' });
    vi.spyOn(client, 'send').mockImplementation((async (command: object) => {
      sent.push(command.constructor.name.replace('BasePathMappingCommand', ''));
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? {};
    }) as never);
    return { sent, ...gatewayMappings(client) };
  }

  test('find returns a mapping that has no stage with an empty one', async () => {
    const { find } = answering({ restApiId: 'api1' }, {});
    expect(await find(NAME)).toEqual({ apiId: 'api1', stage: '' });
    expect(await find(NAME)).toEqual({ apiId: '', stage: '' });
  });

  describe('set', () => {
    const GONE = notFound();
    test.each<[what: string, responses: (object | Error)[], sent: string[]]>([
      ['keeps one that is as required', [{ restApiId: 'api1', stage: 'test' }], []],
      ['changes one to another API', [OTHER], ['Update']],
      ['changes one to another stage', [{ restApiId: 'api1', stage: 'other' }], ['Update']],
      ['creates one that was deleted before it could be read', [GONE, {}], ['Create']],
      ['creates one that was deleted before it could be changed', [OTHER, GONE, {}], ['Update', 'Create']],
    ])('finds a mapping, and %s', async (_, responses, sent) => {
      const mappings = answering(exists(), ...responses);
      await mappings.set(NAME, REQUIRED);
      expect(mappings.sent).toEqual(['Create', 'Get', ...sent]);
    });

    test('gives up when the mapping is deleted again and again', async () => {
      const { set, sent } = answering(exists(), notFound(), exists(), notFound(), exists(), notFound());
      await expect(set(NAME, REQUIRED)).rejects.toThrow(`The mapping of ${NAME} was deleted again and again`);
      expect(sent).toEqual(['Create', 'Get', 'Create', 'Get', 'Create', 'Get']);
    });

    test('throws NotFoundException when the domain name is gone', async () => {
      const { set } = answering(notFound());
      await expect(set(NAME, REQUIRED)).rejects.toBeInstanceOf(NotFoundException);
    });
  });
});

describe('requests', () => {
  const OURS = { regionalCertificateArn: 'before', regionalDomainName: 'd-1', tags: TAGS };
  const GONE = { name: 'DomainNameGone', message: `API Gateway has no domain name ${NAME}.` };
  const BUSY = new TooManyRequestsException({ message: 'Slow down', $metadata: {} });

  const { ensure, isForeign, map, mapFirst, remove } = gatewayDomains('staging');

  test('a name that API Gateway does not have is not foreign', async () => {
    cannedResponses(APIGatewayClient, notFound());
    expect(await isForeign(NAME)).toBe(false);
  });

  test('a domain name is created regional and dual-stack, with TLS 1.2 and our tags', async () => {
    const sent = cannedResponses(APIGatewayClient, notFound(), { regionalCertificateArn: 'arn' });
    expect(await ensure(CLAIM, 'arn')).toMatchObject({ certificateArn: 'arn', isOurs: true });
    expect(sent[1]).toEqual({
      name: 'CreateDomainNameCommand',
      input: {
        domainName: NAME,
        regionalCertificateArn: 'arn',
        endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'dualstack' },
        securityPolicy: 'TLS_1_2',
        tags: TAGS,
      },
    });
  });

  test('a domain name gets another certificate by a patch, and stays ours whatever tags the response has', async () => {
    const sent = cannedResponses(APIGatewayClient, OURS, { regionalCertificateArn: 'arn' });
    expect(await ensure(CLAIM, 'arn')).toMatchObject({ certificateArn: 'arn', isOurs: true });
    expect(sent[1]).toEqual({
      name: 'UpdateDomainNameCommand',
      input: {
        domainName: NAME,
        patchOperations: [{ op: 'replace', path: '/regionalCertificateArn', value: 'arn' }],
      },
    });
  });

  describe('an error of API Gateway', () => {
    test.each([
      new BadRequestException({ message: 'Not issued yet', $metadata: {} }),
      new ConflictException({ message: 'Taken by another account', $metadata: {} }),
      new LimitExceededException({ message: 'Too many', $metadata: {} }),
    ])('at a creation is GatewayRefused, with its message and cause: $name', async cause => {
      cannedResponses(APIGatewayClient, notFound(), cause);
      await expect(ensure(CLAIM, 'arn')).rejects.toMatchObject({
        name: 'GatewayRefused',
        message: cause.message,
        cause,
      });
    });

    test('that asks for patience is GatewayBusy, with its message and cause', async () => {
      const busy = { name: 'GatewayBusy', message: 'Slow down', cause: BUSY };
      cannedResponses(APIGatewayClient, notFound(), BUSY, OURS, BUSY);
      await expect(ensure(CLAIM, 'arn')).rejects.toMatchObject(busy);
      await expect(remove(CLAIM)).rejects.toMatchObject(busy);
    });
  });

  test('a domain name that is deleted by somebody else in the meantime is removed', async () => {
    cannedResponses(APIGatewayClient, OURS, notFound());
    await expect(remove(CLAIM)).resolves.toBeUndefined();
  });

  test.each([
    ['before', []],
    ['after', [OURS]],
  ])('a domain name that is gone %s it was looked for cannot be mapped', async (_, found) => {
    for (const call of [map, mapFirst]) {
      cannedResponses(APIGatewayClient, ...found, notFound());
      await expect(call(CLAIM, PROJECT)).rejects.toMatchObject(GONE);
    }
  });

  test('a domain name that is not ours says so', async () => {
    cannedResponses(APIGatewayClient, { ...OURS, tags: {} });
    await expect(map(CLAIM, PROJECT)).rejects.toMatchObject({
      name: 'DomainNameForeign',
      message: `${NAME} exists at API Gateway and is not ours: it belongs to another environment or team of the account.`,
    });
  });
});
