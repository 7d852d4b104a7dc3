import { join } from 'node:path';
import {
  GetRestApiCommand,
  GetStageCommand,
  UpdateRestApiCommand,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { RestApiSettings } from '../../../../infra/local/apigateway-control/rest-api-settings.ts';
import { API_ID } from '../apigateway/served-api.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serveControlPlane } from './served-control-plane.ts';

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

  test('400: is no boolean', async () => {
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
