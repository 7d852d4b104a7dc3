import { GetGatewayResponsesCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { API_ID, resource } from '../apigateway/served-api.ts';
import { serveControlPlane } from './served-control-plane.ts';

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
      { responseType: 'UNAUTHORIZED', statusCode: '401', responseTemplates: TEMPLATES },
    ]);
  });

  test('404: there is no such API', async () => {
    await expect(listed('none')).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});
