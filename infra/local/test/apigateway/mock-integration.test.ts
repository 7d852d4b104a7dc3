import { describe, expect, test } from 'vitest';
import { api, method, serve } from '../../testing/served-api.ts';

const notAllowed = (more = {}) => ({
  Type: 'MOCK',
  PassthroughBehavior: 'NEVER',
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

const serveMock = (more = {}) =>
  serve([...api(), method('root', 'ANY', { Integration: notAllowed(more), MethodResponses })]);

const post = (contentType: string | undefined, body: string) => ({
  method: 'POST',
  headers: contentType === undefined ? [] : ['Content-Type', contentType],
  body,
});

describe('the response', () => {
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
    const served = await serveMock();
    expect((await served.send('/test', post(contentType, body))).status).toBe(405);
  });

  test('415: there is none for the type', async () => {
    const served = await serveMock();
    expect(await served.send('/test', post('text/plain', 'x'))).toMatchObject({
      status: 415,
      body: '{"message":"Unsupported Media Type"}',
    });
  });

  test('500: renders something else than {"statusCode": …}', async () => {
    const served = await serveMock({ RequestTemplates: { 'application/json': 'x' } });
    expect((await served.send('/test')).status).toBe(500);
  });
});

describe('the templates in VTL', () => {
  const allowOrigin = 'method.response.header.Access-Control-Allow-Origin';
  const preflight = (parameters: Record<string, string> = {}, declared = [allowOrigin]) =>
    serve([
      ...api(),
      method('root', 'ANY', {
        Integration: {
          Type: 'MOCK',
          PassthroughBehavior: 'NEVER',
          RequestTemplates: {
            'application/json':
              "#if($context.httpMethod == 'OPTIONS' && $input.params('Origin') != ''){\"statusCode\":204}#{else}{\"statusCode\":405}#end",
          },
          IntegrationResponses: [
            { StatusCode: '405' },
            {
              StatusCode: '204',
              SelectionPattern: '204',
              ResponseParameters: parameters,
              ResponseTemplates: {
                'application/json':
                  "#set($context.responseOverride.header.Access-Control-Allow-Origin = $input.params('Origin'))",
              },
            },
          ],
        },
        MethodResponses: [
          { StatusCode: '405' },
          { StatusCode: '204', ResponseParameters: Object.fromEntries(declared.map(name => [name, true])) },
        ],
      }),
    ]);
  const options = (...headers: string[]) => ({ method: 'OPTIONS', headers });

  test('204, 405: the request template chooses the status by method and header', async () => {
    const served = await preflight();
    expect((await served.send('/test', options('Origin', 'https://zoo.dev'))).status).toBe(204);
    expect((await served.send('/test', options())).status).toBe(405);
    expect((await served.send('/test', { headers: ['Origin', 'https://zoo.dev'] })).status).toBe(405);
  });

  test('405: a header is found by the exact case of its name', async () => {
    const served = await preflight();
    expect((await served.send('/test', options('origin', 'https://zoo.dev'))).status).toBe(405);
  });

  test('204: a parameter of the query is found before a header', async () => {
    const served = await preflight();
    const { headers } = await served.send('/test?Origin=a', options('Origin', 'b'));
    expect(headers['access-control-allow-origin']).toBe('a');
  });

  test('204: the response template overrides a header of the response parameters', async () => {
    const served = await preflight({ [allowOrigin]: "'*'" });
    const { headers } = await served.send('/test', options('Origin', 'https://zoo.dev'));
    expect(headers['access-control-allow-origin']).toBe('https://zoo.dev');
  });

  test('204: a header that only the template sets need not be declared', async () => {
    const served = await preflight({}, []);
    const { headers } = await served.send('/test', options('Origin', 'https://zoo.dev'));
    expect(headers['access-control-allow-origin']).toBe('https://zoo.dev');
  });
});
