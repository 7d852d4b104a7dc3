import { describe, expect, test } from 'vitest';
import { api, gatewayResponse, method, serve } from './served-api.ts';

const notAllowed = (more = {}) => ({
  Type: 'MOCK',
  RequestTemplates: { 'application/json': '{"statusCode": 405}' },
  IntegrationResponses: [
    {
      StatusCode: '405',
      ResponseParameters: {
        'method.response.header.Allow': "'GET, POST'",
        'method.response.header.X-Request-Id': 'context.extendedRequestId',
      },
      ResponseTemplates: { 'application/json': '{"code":"method_not_allowed","path":"$context.path"}' },
    },
  ],
  ...more,
});

const MethodResponses = [
  {
    StatusCode: '405',
    ResponseParameters: { 'method.response.header.Allow': true, 'method.response.header.X-Request-Id': true },
  },
  { StatusCode: '204' },
];

const serveMock = (more = {}, others: Parameters<typeof serve>[0] = []) =>
  serve([...api(), method('root', 'ANY', { Integration: notAllowed(more), MethodResponses }), ...others]);

const post = (contentType: string | undefined, body: string) => ({
  method: 'POST',
  headers: contentType === undefined ? [] : ['Content-Type', contentType],
  body,
});

describe('the answer', () => {
  test('405: has the template and headers of the integration response', async () => {
    const served = await serveMock();
    const reply = await served.send('/test');
    expect(reply).toMatchObject({ status: 405, body: '{"code":"method_not_allowed","path":"/test/"}' });
    expect(reply.headers).toMatchObject({
      allow: 'GET, POST',
      'content-type': 'application/json',
      'x-request-id': reply.headers['x-amz-apigw-id'],
    });
    expect(served.invocations).toEqual([]);
  });

  test('405: has no body for HEAD', async () => {
    const served = await serveMock();
    expect(await served.send('/test', { method: 'HEAD' })).toMatchObject({ status: 405, body: '' });
  });

  test('204: is the response whose pattern matches, not the default', async () => {
    const served = await serveMock({
      RequestTemplates: { 'application/json': '{ statusCode: 204 }' },
      IntegrationResponses: [{ StatusCode: '405' }, { StatusCode: '204', SelectionPattern: '20\\d' }],
    });
    expect((await served.send('/test')).status).toBe(204);
  });

  test('500: no response matches, and there is no default', async () => {
    const served = await serveMock({
      IntegrationResponses: [{ StatusCode: '204', SelectionPattern: '20\\d' }],
    });
    expect(await served.send('/test')).toMatchObject({
      status: 500,
      body: '{"message":"Internal server error"}',
    });
  });
});

describe('the request template', () => {
  test.each([
    ['application/json', '{}'],
    ['application/json; charset=utf-8', '{}'],
    ['Application/JSON', '{}'],
    [undefined, '{}'],
    ['text/plain', ''],
  ])('405: is found for the type %s with the body "%s"', async (contentType, body) => {
    const served = await serveMock({ PassthroughBehavior: 'NEVER' });
    expect((await served.send('/test', post(contentType, body))).status).toBe(405);
  });

  test.each(['NEVER', 'WHEN_NO_TEMPLATES'])(
    '415: no template for the type, %s',
    async PassthroughBehavior => {
      const served = await serveMock({ PassthroughBehavior });
      expect(await served.send('/test', post('text/plain', 'x'))).toMatchObject({
        status: 415,
        body: '{"message":"Unsupported Media Type"}',
      });
    },
  );

  test('500: a body of another type is passed through, but is not {"statusCode": …}', async () => {
    const custom = gatewayResponse('DEFAULT_5XX', {
      ResponseTemplates: { 'application/json': '{"code":"x"}' },
    });
    const served = await serveMock({}, [custom]);
    expect(await served.send('/test', post('text/plain', 'x'))).toMatchObject({
      status: 500,
      body: '{"code":"x"}',
    });
  });

  test('405: a body of another type is passed through and is {"statusCode": …}', async () => {
    const served = await serveMock({ RequestTemplates: {}, PassthroughBehavior: 'WHEN_NO_TEMPLATES' });
    expect((await served.send('/test', post('text/plain', '{"statusCode":405}'))).status).toBe(405);
  });
});
