import { FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { API_ID, AUTHORIZER_ARN } from '../apigateway/served-api.ts';
import { serveControlPlane } from './served-control-plane.ts';

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
  ])('404: no such %s', async (_, apiId, stageName) => {
    const { client } = await serveControlPlane();
    await expect(client.send(flush(apiId, stageName))).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Invalid stage identifier specified',
    });
  });
});
