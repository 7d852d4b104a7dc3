import {
  APIGatewayClient,
  CreateApiKeyCommand,
  type CreateApiKeyCommandInput,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  FlushStageAuthorizersCacheCommand,
  GetApiKeyCommand,
  GetRestApisCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
  ImportApiKeysCommand,
  paginateGetApiKeys,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiGatewayService } from '../../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../../infra/local/apigateway-control/domain-names.ts';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import { close, listen, originOf } from '../../../../infra/local/http-servers.ts';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import {
  API_ID,
  AUTHORIZER_ARN,
  answers,
  api,
  authorizer,
  onePet,
  resource,
  serve,
} from '../apigateway/served-api.ts';

const VALUE = 'a-value-of-twenty-ch';

/** The API Gateway API beside an API with two usage plans of its stage and one of none. */
async function controlPlane(principal: Principal = developer) {
  const apiKeys = new ApiKeys();
  const ApiStages = [{ ApiId: API_ID, Stage: 'test' }];
  const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const served = await serve(
    [
      ...api({}, API_ID, { ApiKeySourceType: 'AUTHORIZER' }),
      authorizer(),
      ...onePet({ AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1', ApiKeyRequired: true }),
      resource('UsagePlan', 'plan1', {
        UsagePlanName: 'Slow',
        Description: 'For all',
        ApiStages,
        Throttle: { RateLimit: 1, BurstLimit: 2 },
      }),
      resource('UsagePlan', 'plan2', { ApiStages }),
      resource('UsagePlan', 'plan3', {}),
    ],
    ({ functionArn, event }) =>
      functionArn === AUTHORIZER_ARN
        ? answers({
            principalId: 'p',
            policyDocument,
            usageIdentifierKey: Reflect.get(event, 'authorizationToken'),
          })
        : answers({ statusCode: 200 }),
    value => apiKeys.withValue(value),
  );
  const service = apiGatewayService({
    restApis: () => served.apis,
    apiKeys,
    domainNames: new DomainNames(),
    findCertificate: () => undefined,
    now: () => served.nowMs,
  });
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const services = { apigateway: service };
  server.on('request', awsEndpoint({ services, principal: () => principal, report: () => {} }));
  const client = new APIGatewayClient({
    endpoint: originOf(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  const created = (input: CreateApiKeyCommandInput = {}) =>
    client.send(new CreateApiKeyCommand({ enabled: true, value: VALUE, ...input }));
  const joined = (keyId: string | undefined, usagePlanId = 'plan1') =>
    client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
  const call = async (value: string) =>
    (await served.send('/test/pets/7', { headers: ['Authorization', value] })).status;
  return { client, served, created, joined, call };
}

describe('CreateApiKey', () => {
  test('201: gives the key with its value', async () => {
    const { created, served } = await controlPlane();
    const tags = { project: 'petstore' };
    const { $metadata, ...apiKey } = await created({ name: 'shop', description: 'A shop', tags });
    const date = new Date(served.nowMs);
    expect($metadata.httpStatusCode).toBe(201);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{10}$/),
      value: VALUE,
      name: 'shop',
      description: 'A shop',
      enabled: true,
      createdDate: date,
      lastUpdatedDate: date,
      stageKeys: [],
      tags,
    });
  });

  test('201: a value of its own, not enabled, unless it is told otherwise', async () => {
    const { client } = await controlPlane();
    const { enabled, value } = await client.send(new CreateApiKeyCommand({ generateDistinctId: true }));
    expect(enabled).toBe(false);
    expect(value).toMatch(/^[a-z0-9]{40}$/);
  });

  test.each([
    ['19 characters', 'x'.repeat(19), 'API Key value should be at least 20 characters'],
    ['129 characters', 'x'.repeat(129), 'API Key value exceeds maximum size of 128 characters'],
  ])('400: a value of %s', async (_, value, message) => {
    const { created } = await controlPlane();
    await expect(created({ value })).rejects.toMatchObject({
      name: 'BadRequestException',
      message,
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('201: values of 20 and 128 characters', async () => {
    const { created } = await controlPlane();
    await created({ value: 'x'.repeat(20) });
    await created({ value: 'x'.repeat(128) });
  });

  test('409: a value that another key has, until that is deleted; a name may be had twice', async () => {
    const { client, created } = await controlPlane();
    const { id } = await created({ name: 'shop' });
    await expect(created({ name: 'other' })).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'API Key already exists',
      $metadata: { httpStatusCode: 409 },
    });
    await created({ name: 'shop', value: `${VALUE}2` });
    await client.send(new DeleteApiKeyCommand({ apiKey: id }));
    await created({ name: 'other' });
  });

  test('409: one of two at once', async () => {
    const { created } = await controlPlane();
    const outcomes = await Promise.allSettled([created(), created()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('501: what is not known is named', async () => {
    const { created } = await controlPlane();
    await expect(created({ stageKeys: [{ restApiId: API_ID, stageName: 'test' }] })).rejects.toMatchObject({
      name: 'NotImplemented',
      message: 'The parameter stageKeys of the API Gateway API is not supported by the local runtime.',
    });
  });
});

const NO_KEY = {
  name: 'NotFoundException',
  message: 'Invalid API Key identifier specified',
  $metadata: { httpStatusCode: 404 },
};

describe('GetApiKey', () => {
  test('200: with its value only when that is asked for', async () => {
    const { client, created } = await controlPlane();
    const { id: apiKey } = await created({ name: 'shop' });
    expect(await client.send(new GetApiKeyCommand({ apiKey }))).toMatchObject({ id: apiKey, name: 'shop' });
    expect((await client.send(new GetApiKeyCommand({ apiKey }))).value).toBeUndefined();
    expect((await client.send(new GetApiKeyCommand({ apiKey, includeValue: true }))).value).toBe(VALUE);
  });

  test('404: no such key', async () => {
    const { client } = await controlPlane();
    await expect(client.send(new GetApiKeyCommand({ apiKey: 'none' }))).rejects.toMatchObject(NO_KEY);
  });
});

describe('GetApiKeys', () => {
  async function listed(client: APIGatewayClient, pageSize: number, query = {}, onPage = async () => {}) {
    const pages: (string | undefined)[][] = [];
    for await (const { items = [] } of paginateGetApiKeys({ client, pageSize }, query)) {
      pages.push(items.map(({ name, value }) => value ?? name));
      await onPage();
    }
    return pages;
  }

  test('200: page by page, each key once', async () => {
    const { client, created } = await controlPlane();
    const names = Array.from({ length: 5 }, (_, number) => `key-${number}`);
    for (const name of names) await created({ name, value: `${VALUE}${name}` });
    const pages = await listed(client, 2);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().sort()).toEqual(names);
    expect((await listed(client, 5)).map(({ length }) => length)).toEqual([5]);
  });

  test('200: a key that is deleted meanwhile does not keep others from being listed', async () => {
    const { client, created } = await controlPlane();
    const ids = new Map<string | undefined, string | undefined>();
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.set(name, (await created({ name, value: VALUE + name })).id);
    }
    const [first] = (await listed(client, 1)).flat();
    const pages = await listed(client, 1, {}, async () => {
      const gone = ids.get(first);
      if (ids.delete(first)) await client.send(new DeleteApiKeyCommand({ apiKey: gone }));
    });
    expect(pages.flat()).toHaveLength(4);
  });

  test('200: those whose name begins with a text, with their values if asked for', async () => {
    const { client, created } = await controlPlane();
    await created({ name: 'shop-1' });
    await created({ name: 'my-shop', value: `${VALUE}2` });
    await created({ value: `${VALUE}3` });
    expect((await listed(client, 10, { nameQuery: 'shop' })).flat()).toEqual(['shop-1']);
    expect((await listed(client, 10, { nameQuery: 'shop', includeValues: true })).flat()).toEqual([VALUE]);
  });

  test('501: by customer', async () => {
    const { client } = await controlPlane();
    await expect(listed(client, 10, { customerId: 'x' })).rejects.toThrow('The parameter customerId of');
  });
});

describe('DeleteApiKey', () => {
  test('202: the key is gone, from its usage plans as well', async () => {
    const { client, created, joined, call } = await controlPlane();
    const { id: apiKey } = await created();
    await joined(apiKey);
    expect(await call(VALUE)).toBe(200);
    const { $metadata } = await client.send(new DeleteApiKeyCommand({ apiKey }));
    expect($metadata.httpStatusCode).toBe(202);
    expect(await call(VALUE)).toBe(403);
    const { items } = await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'plan1' }));
    expect(items).toEqual([]);
    await created();
    expect(await call(VALUE)).toBe(403);
  });

  test('404: no such key', async () => {
    const { client } = await controlPlane();
    await expect(client.send(new DeleteApiKeyCommand({ apiKey: 'none' }))).rejects.toMatchObject(NO_KEY);
  });
});

describe('CreateUsagePlanKey', () => {
  test('201: the key may use the API at the rate of the plan, which other keys do not feel', async () => {
    const { created, joined, call, served } = await controlPlane();
    const first = await created({ name: 'first' });
    const second = await created({ name: 'second', value: `${VALUE}2` });
    expect(await call(VALUE)).toBe(403);
    expect(await joined(first.id)).toMatchObject({
      id: first.id,
      type: 'API_KEY',
      value: VALUE,
      name: 'first',
    });
    await joined(second.id);
    expect([await call(VALUE), await call(VALUE), await call(VALUE)]).toEqual([200, 200, 429]);
    expect(await call(`${VALUE}2`)).toBe(200);
    served.nowMs += 1000;
    expect(await call(VALUE)).toBe(200);
  });

  test('409: the key belongs to the plan, or to another plan of the same stage', async () => {
    const { created, joined } = await controlPlane();
    const { id } = await created();
    await joined(id);
    const conflict = { name: 'ConflictException', $metadata: { httpStatusCode: 409 } };
    await expect(joined(id)).rejects.toMatchObject(conflict);
    await expect(joined(id, 'plan2')).rejects.toMatchObject(conflict);
    await joined(id, 'plan3');
  });

  test('404: no such plan, no such key', async () => {
    const { created, joined } = await controlPlane();
    const { id } = await created();
    await expect(joined(id, 'none')).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Invalid Usage Plan ID specified',
    });
    await expect(joined('none')).rejects.toMatchObject(NO_KEY);
  });

  test('400: another type of key', async () => {
    const { client, created } = await controlPlane();
    const { id: keyId } = await created();
    const command = new CreateUsagePlanKeyCommand({ usagePlanId: 'plan1', keyId, keyType: 'OTHER' });
    await expect(client.send(command)).rejects.toMatchObject({ name: 'BadRequestException' });
  });
});

describe('GetUsagePlanKeys, DeleteUsagePlanKey', () => {
  test('200, 202: members of the plan', async () => {
    const { client, created, joined, call } = await controlPlane();
    const { id: keyId } = await created({ name: 'shop' });
    await created({ name: 'other', value: `${VALUE}2` });
    await joined(keyId);
    const members = async (nameQuery?: string) =>
      (await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'plan1', nameQuery }))).items;
    expect(await members()).toEqual([{ id: keyId, type: 'API_KEY', value: VALUE, name: 'shop' }]);
    expect(await members('x')).toEqual([]);
    const remove = new DeleteUsagePlanKeyCommand({ usagePlanId: 'plan1', keyId });
    expect((await client.send(remove)).$metadata.httpStatusCode).toBe(202);
    expect(await members()).toEqual([]);
    expect(await call(VALUE)).toBe(403);
    await expect(client.send(remove)).rejects.toMatchObject({
      name: 'NotFoundException',
      $metadata: { httpStatusCode: 404 },
    });
  });

  test('404: no such plan', async () => {
    const { client } = await controlPlane();
    const command = new GetUsagePlanKeysCommand({ usagePlanId: 'none' });
    await expect(client.send(command)).rejects.toThrow('Invalid Usage Plan ID specified');
  });
});

describe('GetUsagePlans', () => {
  test('200: what is deployed', async () => {
    const { client } = await controlPlane();
    const { items } = await client.send(new GetUsagePlansCommand({}));
    const apiStages = [{ apiId: API_ID, stage: 'test' }];
    expect(items).toEqual([
      {
        id: 'plan1',
        name: 'Slow',
        description: 'For all',
        apiStages,
        throttle: { rateLimit: 1, burstLimit: 2 },
      },
      { id: 'plan2', name: 'plan2', apiStages },
      { id: 'plan3', name: 'plan3', apiStages: [] },
    ]);
  });

  test('200: those of a key', async () => {
    const { client, created, joined } = await controlPlane();
    const { id: keyId } = await created();
    await joined(keyId, 'plan2');
    const { items } = await client.send(new GetUsagePlansCommand({ keyId }));
    expect(items?.map(({ id }) => id)).toEqual(['plan2']);
  });
});

describe('FlushStageAuthorizersCache', () => {
  const flush = (restApiId: string, stageName: string) =>
    new FlushStageAuthorizersCacheCommand({ restApiId, stageName });

  test('202: the authorizer is asked again', async () => {
    const { client, served, call } = await controlPlane();
    const asked = () => served.invocations.filter(({ functionArn }) => functionArn === AUTHORIZER_ARN).length;
    await call('x');
    await call('x');
    expect(asked()).toBe(1);
    expect((await client.send(flush(API_ID, 'test'))).$metadata.httpStatusCode).toBe(202);
    await call('x');
    expect(asked()).toBe(2);
  });

  test.each([
    ['API', 'bbbbbbbbbb', 'test'],
    ['stage', API_ID, 'production'],
  ])('404: no such %s', async (_, apiId, stageName) => {
    const { client } = await controlPlane();
    await expect(client.send(flush(apiId, stageName))).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Invalid stage identifier specified',
    });
  });
});

describe('what is not known', () => {
  test.each([
    ['GET /restapis', new GetRestApisCommand({})],
    ['PATCH /apikeys/x', new UpdateApiKeyCommand({ apiKey: 'x', patchOperations: [] })],
  ])('501: %s', async (what, command) => {
    const { client } = await controlPlane();
    await expect(client.send(command as GetRestApisCommand)).rejects.toMatchObject({
      name: 'NotImplemented',
      message: `${what} of the API Gateway API is not supported by the local runtime.`,
      $metadata: { httpStatusCode: 501 },
    });
  });

  test('501: ImportApiKeys, which has the path of CreateApiKey', async () => {
    const { client } = await controlPlane();
    const body = new TextEncoder().encode('{}');
    await expect(client.send(new ImportApiKeysCommand({ body, format: 'csv' }))).rejects.toMatchObject({
      name: 'NotImplemented',
      message: expect.stringContaining('mode'),
    });
  });
});

describe('a principal', () => {
  test('403: is asked about the method and the path, and denied in the words of its role', async () => {
    const asked: string[] = [];
    const denial = (action: string, resourceArn: string) => {
      asked.push(`${action} ${resourceArn}`);
      return 'User: x is not authorized';
    };
    const { client, created, joined } = await controlPlane({ denial });
    const usagePlanId = 'plan1';
    const calls = [
      () => created(),
      () => client.send(new GetApiKeyCommand({ apiKey: 'key1' })),
      () => client.send(new DeleteApiKeyCommand({ apiKey: 'key1' })),
      () => joined('key1'),
      () => client.send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId: 'key1' })),
      () =>
        client.send(new FlushStageAuthorizersCacheCommand({ restApiId: API_ID, stageName: 'production' })),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: 'User: x is not authorized',
        $metadata: { httpStatusCode: 403 },
      });
    }
    expect(asked).toEqual([
      'apigateway:POST arn:aws:apigateway:us-east-1::/apikeys',
      'apigateway:GET arn:aws:apigateway:us-east-1::/apikeys/key1',
      'apigateway:DELETE arn:aws:apigateway:us-east-1::/apikeys/key1',
      'apigateway:POST arn:aws:apigateway:us-east-1::/usageplans/plan1/keys',
      'apigateway:DELETE arn:aws:apigateway:us-east-1::/usageplans/plan1/keys/key1',
      `apigateway:DELETE arn:aws:apigateway:us-east-1::/restapis/${API_ID}/stages/production/cache/authorizers`,
    ]);
  });
});
