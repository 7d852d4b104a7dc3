import { join } from 'node:path';
import {
  FlushStageAuthorizersCacheCommand,
  GetAuthorizersCommand,
  GetGatewayResponsesCommand,
  GetRestApiCommand,
  GetStageCommand,
  UpdateRestApiCommand,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { RestApiSettings } from '../../apigateway-control/rest-api-operations.ts';
import { API_ID, AUTHORIZER_ARN, REGIONAL, resource } from '../../testing/served-api.ts';
import { serveControlPlane } from '../../testing/served-control-plane.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const restApiId = API_ID;
const stageName = 'test';

async function servedApi() {
  const { client, served } = await serveControlPlane();
  const replace = (path: string, value: string) => [{ op: 'replace' as const, path, value }];
  return {
    client,
    served,
    disable: (value: string) =>
      client.send(
        new UpdateRestApiCommand({
          restApiId,
          patchOperations: replace('/disableExecuteApiEndpoint', value),
        }),
      ),
    describeStage: (value: string) =>
      client.send(
        new UpdateStageCommand({ restApiId, stageName, patchOperations: replace('/description', value) }),
      ),
    status: async () => (await served.send('/test/pets/7')).status,
  };
}

describe('disableExecuteApiEndpoint', () => {
  test('takes effect with the next update of a stage that changes something', async () => {
    const { disable, describeStage, status } = await servedApi();
    await describeStage('a');
    expect(await disable('True')).toMatchObject({ id: restApiId, disableExecuteApiEndpoint: true });
    expect(await status()).toBe(401);
    await describeStage('a');
    expect(await status()).toBe(401);
    await describeStage('b');
    expect(await status()).toBe(403);
    await disable('false');
    expect(await status()).toBe(403);
    await describeStage('c');
    expect(await status()).toBe(401);
  });

  test('closes the default endpoint with 403 Forbidden', async () => {
    const { disable, describeStage, served } = await servedApi();
    await disable('true');
    await describeStage('closed');
    expect(await served.send('/test/pets/7')).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
  });

  test('400: is not a boolean', async () => {
    const { disable } = await servedApi();
    await expect(disable('yes')).rejects.toMatchObject({ name: 'BadRequestException' });
  });
});

test('200: GetRestApi and GetStage return what was changed', async () => {
  const { client, disable, describeStage } = await servedApi();
  const stage = () => client.send(new GetStageCommand({ restApiId, stageName }));
  expect(await client.send(new GetRestApiCommand({ restApiId }))).toMatchObject({
    disableExecuteApiEndpoint: false,
  });
  expect((await stage()).description).toBeUndefined();
  await disable('true');
  await describeStage('closed');
  expect(await client.send(new GetRestApiCommand({ restApiId }))).toMatchObject({
    disableExecuteApiEndpoint: true,
  });
  expect(await stage()).toMatchObject({ stageName, description: 'closed' });
});

test('200: GetStage returns the throttles, GetAuthorizers the time for which decisions are cached', async () => {
  const { client } = await serveControlPlane({
    otherApis: [
      resource('RestApi', 'throttled', REGIONAL),
      resource('Stage', 'busy', {
        RestApiId: 'throttled',
        StageName: 'busy',
        MethodSettings: [
          { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 5, ThrottlingBurstLimit: 9 },
          { ResourcePath: '/~1v1~1docs', HttpMethod: 'GET', ThrottlingRateLimit: 1 },
        ],
      }),
    ],
  });
  const stage = await client.send(new GetStageCommand({ restApiId: 'throttled', stageName: 'busy' }));
  expect(stage.methodSettings).toEqual({
    '*/*': { throttlingRateLimit: 5, throttlingBurstLimit: 9 },
    '~1v1~1docs/GET': { throttlingRateLimit: 1 },
  });
  const { items } = await client.send(new GetAuthorizersCommand({ restApiId }));
  expect(items).toMatchObject([{ type: 'TOKEN' }]);
  // The template leaves it out, and so does API Gateway.
  expect(items?.[0]).not.toHaveProperty('authorizerResultTtlInSeconds');
  const none = client.send(new GetAuthorizersCommand({ restApiId: 'none' }));
  await expect(none).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('404: there is no such API or stage', async () => {
  const { client } = await servedApi();
  const notFound = { name: 'NotFoundException' };
  await expect(client.send(new GetRestApiCommand({ restApiId: 'none' }))).rejects.toMatchObject(notFound);
  const other = { restApiId, stageName: 'none' };
  await expect(client.send(new GetStageCommand(other))).rejects.toMatchObject(notFound);
});

test('the settings are kept over a restart', () => {
  const file = join(temporaryFolder(), 'rest-apis.json');
  const before = new RestApiSettings(file);
  before.setDisableExecuteApiEndpoint('api1', true);
  before.describeStage('api1', 'test', 'closed');
  expect(new RestApiSettings(file).of('api1')).toEqual(before.of('api1'));
  expect(new RestApiSettings(file).of('api2').isDefaultEndpointClosed).toBe(false);
});

describe('FlushStageAuthorizersCache', () => {
  const flush = (restApiId: string, stageName: string) =>
    new FlushStageAuthorizersCacheCommand({ restApiId, stageName });

  test('202: the next request invokes the authorizer again', async () => {
    const { client, served, call } = await serveControlPlane();
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
  ])('404: no such %s', async (what, apiId, stageName) => {
    const { client } = await serveControlPlane();
    await expect(client.send(flush(apiId, stageName))).rejects.toMatchObject({
      name: 'NotFoundException',
      message: `Invalid ${what} identifier specified`,
    });
  });
});

const TEMPLATES = { 'application/json': '{"code":"unauthorized"}' };

async function listed(restApiId = API_ID) {
  const { client } = await serveControlPlane({
    otherApis: [
      resource('GatewayResponse', 'unauthorized', {
        RestApiId: API_ID,
        ResponseType: 'UNAUTHORIZED',
        StatusCode: '401',
        ResponseTemplates: TEMPLATES,
      }),
      resource('GatewayResponse', 'other', {
        RestApiId: API_ID,
        ResponseType: 'DEFAULT_5XX',
        StatusCode: '503',
      }),
    ],
  });
  return (await client.send(new GetGatewayResponsesCommand({ restApiId }))).items ?? [];
}

describe('GetGatewayResponses', () => {
  test('200: lists every type, and which the API customises', async () => {
    const items = await listed();
    expect(items).toHaveLength(21);
    const customised = items.filter(({ defaultResponse }) => !defaultResponse);
    expect(customised).toMatchObject([
      { responseType: 'DEFAULT_5XX', statusCode: '503' },
      { responseType: 'UNAUTHORIZED', statusCode: '401', responseTemplates: TEMPLATES },
    ]);
    const inherited = items.find(({ responseType }) => responseType === 'INTEGRATION_TIMEOUT');
    expect(inherited).toMatchObject({ statusCode: '503', defaultResponse: true });
  });

  test('404: there is no such API', async () => {
    await expect(listed('none')).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});
