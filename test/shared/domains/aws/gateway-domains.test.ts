import {
  APIGatewayClient,
  BadRequestException,
  ConflictException,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { API_ID, api } from '../../../../infra/local/testing/served-api.ts';
import { serveControlPlane } from '../../../../infra/local/testing/served-control-plane.ts';
import { developer, type Principal } from '../../../../infra/local/testing/served-endpoint.ts';
import { gatewayFront } from '../../../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import {
  AttachedByOthers,
  FrontFull,
  FrontRefused,
  FrontTaken,
  NotAttached,
} from '../../../../shared/domains/front.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { TARGET } from '../claimed-domain.ts';
import { cannedResponses, type SentCommand, stubEndpoint } from './client-endpoint.ts';

/** The time of the service. */
let nowMs = Date.now();
const SLOTS = gatewaySlots(
  await tableLike('DomainsTable'),
  clock(1, () => nowMs),
);
// By then, every slot that another test has booked is over.
beforeEach(() => {
  nowMs += 3_600_000;
});

const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: API_ID, stage: 'test' };
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };
const TAGS = {
  'petstore:environment': 'staging',
  'petstore:claim': TARGET.slice(0, TARGET.indexOf('.')),
  'petstore:domain': NAME,
};

/** What was sent about mappings. */
const kindsOf = (sent: readonly SentCommand[]) =>
  sent.flatMap(({ name }) => name.match(/^(.*)BasePathMappingCommand$/)?.[1] ?? []);

const exists = () => new ConflictException({ message: 'Base path already exists', $metadata: {} });
const notFound = () => new NotFoundException({ message: 'Invalid identifier', $metadata: {} });

/** The local API Gateway with two APIs, and the domain names at it. */
async function servedGateway(principal: Principal = developer) {
  const otherApis = api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId);
  const gateway = await serveControlPlane({ otherApis, principal });
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const nextSlot = () => {
    gateway.nowMs += 31_000;
    nowMs += 31_000;
  };
  nextSlot();
  return { gateway, nextSlot, ...gatewayFront('staging', SLOTS) };
}

test('hasStage: only an API and a stage of it that exist', async () => {
  const { hasStage } = await servedGateway();
  expect(await hasStage(PROJECT)).toBe(true);
  expect(await hasStage({ ...PROJECT, stage: 'nowhere' })).toBe(false);
  expect(await hasStage({ ...PROJECT, apiId: 'nowhere001' })).toBe(false);
});

describe('attach', () => {
  test('creates a domain name that find returns then', async () => {
    const { gateway, attach, find } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await find(CLAIM)).toBeUndefined();
    expect(await attach(CLAIM, certificateArn)).toBeUndefined();
    const created = await find(CLAIM);
    expect(created).toEqual({
      host: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
      hostedZoneId: 'Z1UJRXOUMOOFQ8',
      certificateArn,
      isOurs: true,
    });
    const securityPolicy = 'TLS_1_2';
    const ipAddressType = 'dualstack';
    expect(gateway.domainNames.find(NAME)).toMatchObject({ tags: TAGS, securityPolicy, ipAddressType });
    // It has the certificate already, so this needs no slot.
    expect(await attach(CLAIM, certificateArn)).toBeUndefined();
    expect(await find(CLAIM)).toEqual(created);
  });

  test('replaces the certificate and keeps the host and the mapping', async () => {
    const { gateway, attach, find, route, routeOf } = await servedGateway();
    await attach(CLAIM, gateway.certificateFor(NAME));
    const { host } = (await find(CLAIM)) ?? {};
    await route(CLAIM, PROJECT);
    const certificateArn = gateway.certificateFor(NAME);
    // An update doesn't wait for the slots of creations.
    expect(await attach(CLAIM, certificateArn)).toBeUndefined();
    expect(await find(CLAIM)).toMatchObject({ host, certificateArn });
    expect(await routeOf(CLAIM)).toEqual(PROJECT);
  });

  test('waits for the slot of its ticket, and books the next one where others have used that, without a retry', async () => {
    const actions: string[] = [];
    const denial = (action: string) => {
      actions.push(action);
      return undefined;
    };
    const { gateway, nextSlot, attach, find } = await servedGateway({ denial });
    const patches = () => actions.filter(action => action === 'apigateway:PATCH').length;
    await attach(CLAIM, gateway.certificateFor(NAME));
    await attach(CLAIM, gateway.certificateFor(NAME));
    const certificateArn = gateway.certificateFor(NAME);
    const waiting = await attach(CLAIM, certificateArn);
    expect(waiting).toMatchObject({ atMs: nowMs + 31_000, isBusy: false });
    expect(patches()).toBe(1);
    // The slot has come for us, and not yet for API Gateway.
    nowMs += 31_000;
    const busy = await attach(CLAIM, certificateArn, waiting?.ticket);
    expect(busy).toMatchObject({ atMs: nowMs + 31_000, isBusy: true });
    expect(patches()).toBe(2);
    nextSlot();
    expect(await attach(CLAIM, certificateArn, busy?.ticket)).toBeUndefined();
    expect(await find(CLAIM)).toMatchObject({ certificateArn });
  });
});

test('route replaces any mapping, unroute deletes it, and both may be repeated', async () => {
  const { gateway, nextSlot, attach, route, routeOf, unroute } = await servedGateway();
  await unroute(CLAIM);
  expect(await routeOf(CLAIM)).toBeUndefined();
  await attach(CLAIM, gateway.certificateFor(NAME));
  for (const [first, other] of [
    [PROJECT, REDIRECTS],
    [REDIRECTS, PROJECT],
  ] as const) {
    nextSlot();
    for (const required of [first, first, other, other]) {
      await route(CLAIM, required);
      expect(await routeOf(CLAIM)).toEqual(required);
    }
    nextSlot();
    await unroute(CLAIM);
    await unroute(CLAIM);
    expect(await routeOf(CLAIM)).toBeUndefined();
  }
});

test.each(['route', 'unroute', 'detach', 'attach'] as const)(
  'a domain name that is deleted while %s changes it is gone, although that is denied',
  async call => {
    const state = { isLate: false };
    const denial = (action: string) => {
      if (!state.isLate || action === 'apigateway:GET') return undefined;
      gateway.domainNames.remove(NAME);
      return 'Its tags are gone, too.';
    };
    const { gateway, nextSlot, attach, ...front } = await servedGateway({ denial });
    await attach(CLAIM, gateway.certificateFor(NAME));
    await front.route(CLAIM, PROJECT);
    const other = gateway.certificateFor(NAME);
    nextSlot();
    state.isLate = true;
    const calls = {
      route: () => front.route(CLAIM, REDIRECTS),
      unroute: () => front.unroute(CLAIM),
      detach: () => front.detach(CLAIM),
      attach: () => attach(CLAIM, other),
    };
    const outcome = await calls[call]().catch((error: unknown) => error);
    const isChange = call === 'route' || call === 'attach';
    expect(outcome).toEqual(isChange ? expect.any(NotAttached) : undefined);
  },
);

test('detach deletes the domain name in its slot, and may be repeated', async () => {
  const { gateway, nextSlot, attach, find, detach } = await servedGateway();
  const other = { ...CLAIM, domain: 'other.zoo.example' };
  await attach(CLAIM, gateway.certificateFor(NAME));
  nextSlot();
  await attach(other, gateway.certificateFor(other.domain));
  expect(await detach(other)).toBeUndefined();
  const waiting = await detach(CLAIM);
  expect(waiting).toMatchObject({ atMs: nowMs + 31_000, isBusy: false });
  expect(await find(CLAIM)).toBeDefined();
  nextSlot();
  expect(await detach(CLAIM, waiting?.ticket)).toBeUndefined();
  expect(await find(CLAIM)).toBeUndefined();
  expect(await detach(CLAIM)).toBeUndefined();
});

describe.each<[owner: string, tags: Record<string, string>, isForeign: boolean]>([
  ['another environment', { ...TAGS, 'petstore:environment': 'production' }, true],
  ['another team', { team: 'billing' }, true],
  ['another claim of the environment', { ...TAGS, 'petstore:claim': 'fedcba9876543210fedc' }, false],
])('a domain name of %s', (_, tags, isTheirs) => {
  async function taken() {
    const { gateway, ...staging } = await servedGateway();
    await gateway.created(NAME, { tags });
    gateway.domainNames.map(NAME, { restApiId: REDIRECTS.apiId, stage: REDIRECTS.stage });
    gateway.nowMs += 31_000;
    return { gateway, before: structuredClone(gateway.domainNames.find(NAME)), ...staging };
  }

  test('is found as not ours', async () => {
    const { find, isForeign } = await taken();
    expect(await find(CLAIM)).toMatchObject({ isOurs: false });
    expect(await isForeign(NAME)).toBe(isTheirs);
  });

  test.each(['attach', 'route'] as const)('is not changed by %s', async call => {
    const { gateway, before, ...staging } = await taken();
    const changed =
      call === 'attach' ? staging.attach(CLAIM, gateway.certificateFor(NAME)) : staging[call](CLAIM, PROJECT);
    await expect(changed).rejects.toThrow(AttachedByOthers);
    await expect(changed).rejects.toThrow(
      `${NAME} exists at API Gateway and is not ours: it belongs to another environment or team of the account.`,
    );
    expect(gateway.domainNames.find(NAME)).toEqual(before);
  });

  test.each(['unroute', 'detach'] as const)('is left alone by %s, which succeeds', async call => {
    const { gateway, before, ...staging } = await taken();
    await staging[call](CLAIM);
    expect(gateway.domainNames.find(NAME)).toEqual(before);
  });
});

describe('requests', () => {
  const OURS = { regionalCertificateArn: 'before', regionalDomainName: 'd-1', tags: TAGS };
  const GONE = { name: 'NotAttached', message: `API Gateway has no domain name ${NAME}.` };
  const BUSY = new TooManyRequestsException({ message: 'Slow down', $metadata: {} });

  const { attach, isForeign, route, routeOf, detach } = gatewayFront('staging', SLOTS);

  const MAPPING = { restApiId: PROJECT.apiId, stage: PROJECT.stage };
  const OTHER = { ...MAPPING, restApiId: 'other' };
  test.each<[what: string, responses: (object | Error)[], sent: string[]]>([
    ['keeps one that is as required', [MAPPING], []],
    ['changes one to another API', [OTHER], ['Update']],
    ['changes one to another stage', [{ ...MAPPING, stage: 'other' }], ['Update']],
    ['creates one that was deleted before it could be read', [notFound(), {}], ['Create']],
    [
      'creates one that was deleted before it could be changed',
      [OTHER, notFound(), {}],
      ['Update', 'Create'],
    ],
  ])('route finds a mapping, and %s', async (_, responses, kinds) => {
    const sent = cannedResponses(APIGatewayClient, OURS, exists(), ...responses);
    await route(CLAIM, PROJECT);
    expect(kindsOf(sent)).toEqual(['Create', 'Get', ...kinds]);
  });

  test('route gives up when the mapping is deleted again and again', async () => {
    const responses = [1, 2, 3].flatMap(() => [exists(), notFound()]);
    const sent = cannedResponses(APIGatewayClient, OURS, ...responses);
    await expect(route(CLAIM, PROJECT)).rejects.toThrow(`The mapping of ${NAME} was deleted again and again`);
    expect(kindsOf(sent)).toEqual(['Create', 'Get', 'Create', 'Get', 'Create', 'Get']);
  });

  test('routeOf returns a mapping that has no stage with an empty one', async () => {
    cannedResponses(APIGatewayClient, { restApiId: 'api1' }, {});
    expect(await routeOf(CLAIM)).toEqual({ apiId: 'api1', stage: '' });
    expect(await routeOf(CLAIM)).toEqual({ apiId: '', stage: '' });
  });

  test('a name that API Gateway does not have is not foreign', async () => {
    cannedResponses(APIGatewayClient, notFound());
    expect(await isForeign(NAME)).toBe(false);
  });

  describe('an error of API Gateway', () => {
    test.each([
      [FrontRefused, BadRequestException, 'Not issued yet'],
      [FrontTaken, BadRequestException, 'The domain name you provided already exists'],
      [FrontTaken, ConflictException, 'Taken by another account'],
      [FrontFull, LimitExceededException, 'Too many'],
    ])('at a creation is %o, with its message and cause: %o %s', async (Refusal, Cause, message) => {
      const cause = new Cause({ message, $metadata: {} });
      cannedResponses(APIGatewayClient, notFound(), cause);
      nowMs += 31_000;
      await expect(attach(CLAIM, 'arn')).rejects.toStrictEqual(new Refusal(message, { cause }));
    });

    test('that asks for patience is a wait for the next slot', async () => {
      cannedResponses(APIGatewayClient, notFound(), BUSY, OURS, BUSY);
      nowMs += 31_000;
      const busy = { kind: 'later', atMs: nowMs + 31_000, isBusy: true };
      expect(await attach(CLAIM, 'arn')).toMatchObject(busy);
      expect(await detach(CLAIM)).toMatchObject(busy);
    });
  });

  test('a domain name that is deleted by somebody else in the meantime is removed', async () => {
    cannedResponses(APIGatewayClient, OURS, notFound());
    nowMs += 62_000;
    await expect(detach(CLAIM)).resolves.toBeUndefined();
  });

  test.each([
    ['before', []],
    ['after', [OURS]],
  ])('a domain name that is gone %s it was looked for cannot be mapped', async (_, found) => {
    cannedResponses(APIGatewayClient, ...found, notFound());
    await expect(route(CLAIM, PROJECT)).rejects.toMatchObject(GONE);
  });
});
