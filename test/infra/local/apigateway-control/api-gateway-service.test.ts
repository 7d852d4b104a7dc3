import {
  DeleteApiKeyCommand,
  FlushStageAuthorizersCacheCommand,
  GetApiKeysCommand,
  GetRestApisCommand,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { API_ID } from '../apigateway/served-api.ts';
import { serveControlPlane } from './served-control-plane.ts';

describe('an operation that is not supported', () => {
  test.each([
    ['GET /restapis', new GetRestApisCommand({})],
    ['PATCH /apikeys/x', new UpdateApiKeyCommand({ apiKey: 'x', patchOperations: [] })],
  ])('501: %s is named', async (what, command) => {
    const { client } = await serveControlPlane();
    await expect(client.send(command as GetRestApisCommand)).rejects.toMatchObject({
      name: 'NotImplemented',
      message: `${what} of the API Gateway API is not supported by the local runtime.`,
      $metadata: { httpStatusCode: 501 },
    });
  });
});

describe('authorization', () => {
  test('403: asks the principal about the method and the path and answers in its words', async () => {
    const asked: string[] = [];
    const denial = (action: string, resourceArn: string) => {
      asked.push(`${action} ${resourceArn}`);
      return 'User: x is not authorized';
    };
    const { client, createKey, joinPlan } = await serveControlPlane({ principal: { denial } });
    const calls = [
      () => createKey(),
      () => client.send(new GetApiKeysCommand({})),
      () => client.send(new DeleteApiKeyCommand({ apiKey: 'key1' })),
      () => joinPlan('key1'),
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
      'apigateway:GET arn:aws:apigateway:us-east-1::/apikeys',
      'apigateway:DELETE arn:aws:apigateway:us-east-1::/apikeys/key1',
      'apigateway:POST arn:aws:apigateway:us-east-1::/usageplans/plan1/keys',
      `apigateway:DELETE arn:aws:apigateway:us-east-1::/restapis/${API_ID}/stages/production/cache/authorizers`,
    ]);
  });
});
