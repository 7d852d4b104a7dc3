import { describe, expect, test } from 'vitest';
import { api, gatewayResponse, onePet, serve } from '../../testing/served-api.ts';

const unknownPath = async (...customised: Parameters<typeof serve>[0]) => {
  const served = await serve([...api(), ...onePet(), ...customised]);
  return served.send('/test/nowhere', { headers: ['X-Name', 'Strolch'] });
};

const template = (text: string) => ({ ResponseTemplates: { 'application/json': text } });

describe('a type that is not customised', () => {
  test('403: has its own status and message', async () => {
    const reply = await unknownPath();
    expect(reply).toMatchObject({ status: 403, body: '{"message":"Missing Authentication Token"}' });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'x-amzn-requestid': expect.any(String),
      'x-amz-apigw-id': expect.any(String),
    });
  });

  test('403: uses template and headers of DEFAULT_4XX with its own status', async () => {
    const reply = await unknownPath(
      gatewayResponse('DEFAULT_4XX', {
        ...template('$context.error.responseType'),
        ResponseParameters: { 'gatewayresponse.header.X-A': "'a'" },
      }),
    );
    expect(reply).toMatchObject({ status: 403, body: 'MISSING_AUTHENTICATION_TOKEN' });
    expect(reply.headers['x-a']).toBe('a');
  });

  test('400: uses the status of DEFAULT_4XX if that has one', async () => {
    expect((await unknownPath(gatewayResponse('DEFAULT_4XX', { StatusCode: '400' }))).status).toBe(400);
  });

  test('403: ignores DEFAULT_5XX', async () => {
    expect((await unknownPath(gatewayResponse('DEFAULT_5XX', { StatusCode: '500' }))).status).toBe(403);
  });
});

describe('a customised type', () => {
  const TYPE = 'MISSING_AUTHENTICATION_TOKEN';

  test('404: replaces DEFAULT_4XX entirely', async () => {
    const reply = await unknownPath(
      gatewayResponse('DEFAULT_4XX', {
        StatusCode: '400',
        ResponseParameters: { 'gatewayresponse.header.X-A': "'a'" },
      }),
      gatewayResponse(TYPE, { StatusCode: '404', ...template('{"code":"not_found","status":404}') }),
    );
    expect(reply).toMatchObject({ status: 404, body: '{"code":"not_found","status":404}' });
    expect(reply.headers).not.toHaveProperty('x-a');
  });

  test('403: has the message and type of the fault in its template', async () => {
    const text = '$context.error.message|$context.error.messageString|$context.httpMethod $context.path|';
    const reply = await unknownPath(gatewayResponse(TYPE, template(`${text}$context.resourcePath|$5`)));
    expect(reply.body).toBe(
      'Missing Authentication Token|"Missing Authentication Token"|GET /test/nowhere||$5',
    );
  });

  test('403: has headers from literals, variables and request headers', async () => {
    const reply = await unknownPath(
      gatewayResponse(TYPE, {
        ResponseParameters: {
          'gatewayresponse.header.WWW-Authenticate': `'Bearer realm="petstore"'`,
          'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId',
          'gatewayresponse.header.X-Hello': 'method.request.header.x-name',
          'gatewayresponse.header.X-None': 'method.request.header.x-none',
          'gatewayresponse.header.Content-Type': "'application/problem+json'",
        },
      }),
    );
    expect(reply.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="petstore"',
      'x-request-id': reply.headers['x-amz-apigw-id'],
      'x-hello': 'Strolch',
      'content-type': 'application/problem+json',
    });
    expect(reply.headers).not.toHaveProperty('x-none');
  });
});
