import { describe, expect, test } from 'vitest';
import { LambdaError } from '../../lambda/invocation.ts';
import {
  ACCOUNT_ID,
  API_ARN,
  API_ID,
  api,
  FUNCTION_ARN,
  gatewayResponse,
  LOG_GROUP_ARN,
  method,
  onePet,
  path,
  proxyTo,
  returns,
  serve,
  throws,
} from '../../testing/served-api.ts';

describe('the response of the function', () => {
  const responseOf = async (result: unknown, httpMethod = 'GET') => {
    const served = await serve([...api(), method('root', 'ANY')], () => returns(result));
    return served.send('/test', { method: httpMethod });
  };

  test('201: status, headers and body reach the client', async () => {
    const reply = await responseOf({
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain', Location: '/pets/7', 'X-Both': 'c' },
      multiValueHeaders: { 'x-both': ['a', 'b'] },
      body: 'ü',
      isBase64Encoded: false,
    });
    expect(reply).toMatchObject({ status: 201, body: 'ü' });
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain',
      location: '/pets/7',
      'x-both': 'a, b, c',
      'content-length': '2',
    });
  });

  test('200: has the request ids, and is JSON unless the function sets a type', async () => {
    const reply = await responseOf({ statusCode: 200 });
    expect(reply.body).toBe('');
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '0',
      date: expect.stringMatching(/GMT$/),
      'x-amzn-requestid': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
      'x-amz-apigw-id': expect.stringMatching(/^[\w-]{15}=$/),
    });
  });

  test('200: has reserved headers renamed or dropped', async () => {
    const { rawHeaders, headers } = await responseOf({
      statusCode: 200,
      headers: {
        'WWW-Authenticate': 'Bearer',
        Server: 'mine',
        Date: 'now',
        'Content-Length': '99',
        Via: 'x',
      },
    });
    expect(rawHeaders).toEqual(
      expect.arrayContaining([
        'x-amzn-Remapped-WWW-Authenticate',
        'x-amzn-Remapped-Server',
        'x-amzn-Remapped-Date',
        'x-amzn-Remapped-Content-Length',
      ]),
    );
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(headers).not.toHaveProperty('via');
    expect(headers['content-length']).toBe('0');
  });

  test('200: has no length for HEAD if the function has left the body out', async () => {
    const { headers, body } = await responseOf({ statusCode: 200 }, 'HEAD');
    expect([headers['content-length'], body]).toEqual([undefined, '']);
  });

  test('200: has the length of the body but no body for HEAD', async () => {
    const reply = await responseOf({ statusCode: 200, body: 'hello' }, 'HEAD');
    expect(reply.body).toBe('');
    expect(reply.headers['content-length']).toBe('5');
  });

  test('204: has neither body nor length', async () => {
    const reply = await responseOf({ statusCode: 204, body: null, headers: null });
    expect(reply).toMatchObject({ status: 204, body: '' });
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  test.each([
    ['nothing', null],
    ['no status', { body: 'x' }],
    ['a status as text', { statusCode: '200' }],
    ['a boolean header', { headers: { 'X-A': true } }],
  ])('200: %s', async (_, result) => {
    expect((await responseOf(result)).status).toBe(200);
  });

  test.each([
    ['a text', 'hello'],
    ['a status out of range', { statusCode: 99 }],
    ['a status that is not final', { statusCode: 101 }],
    ['a body that is not text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is not text', { statusCode: 200, headers: { 'X-A': 1 } }],
    ['a header with a line break', { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['a malformed header name', { statusCode: 200, headers: { 'X A': 'a' } }],
    ['multiValueHeaders without lists', { statusCode: 200, multiValueHeaders: { 'X-A': 'a' } }],
    ['an unknown field', { statusCode: 200, cookies: [] }],
  ])('502: %s', async (_, result) => {
    expect(await responseOf(result)).toMatchObject({
      status: 502,
      body: '{"message":"Internal server error"}',
    });
  });
});

describe('a function without a response', () => {
  test('502: it throws', async () => {
    const served = await serve([...api(), method('root', 'GET')], () => throws('oh'));
    expect((await served.send('/test')).status).toBe(502);
  });

  test('502: its response is not JSON', async () => {
    const served = await serve([...api(), method('root', 'GET')], () => ({ payload: '{' }));
    expect((await served.send('/test')).status).toBe(502);
  });

  test('502: it cannot be invoked; DEFAULT_5XX customises the response', async () => {
    const custom = gatewayResponse('DEFAULT_5XX', {
      ResponseTemplates: { 'application/json': '{"code":"internal_error"}' },
    });
    const served = await serve([...api(), method('root', 'GET'), custom], () => {
      throw new Error('AccessDeniedException');
    });
    expect(await served.send('/test')).toMatchObject({ status: 502, body: '{"code":"internal_error"}' });
  });

  test('413: Lambda does not take an event of its size; the access log has the status of Lambda', async () => {
    const AccessLogSetting = {
      DestinationArn: LOG_GROUP_ARN,
      Format: '$context.status $context.integrationStatus $context.error.responseType',
    };
    const served = await serve([...api({ AccessLogSetting }), method('root', 'GET')], () => {
      throw new LambdaError('RequestTooLargeException', 'Request must be smaller than 6291456 bytes');
    });
    expect(await served.send('/test')).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
    expect(served.logLines).toEqual([`${LOG_GROUP_ARN} 413 413 REQUEST_TOO_LARGE`]);
  });

  test('504: it exceeds the time-out of the integration', async () => {
    const Integration = proxyTo(FUNCTION_ARN, { TimeoutInMillis: 50 });
    const served = await serve(
      [...api(), method('root', 'GET', { Integration })],
      () => new Promise(() => {}),
    );
    expect(await served.send('/test')).toMatchObject({
      status: 504,
      body: '{"message":"Endpoint request timed out"}',
    });
  });
});

describe('the event', () => {
  test('has the names of query parameters in no order of the client, and the values of one name in its order', async () => {
    const served = await serve([...api(), ...onePet()]);
    await served.send('/test/pets/1?b=2&c=&a=3&b=1');
    const { multiValueQueryStringParameters, queryStringParameters } = served.invocations[0]?.event ?? {};
    expect(Object.entries(multiValueQueryStringParameters ?? {})).toEqual([
      ['a', ['3']],
      ['b', ['2', '1']],
      ['c', ['']],
    ]);
    expect(Object.keys(queryStringParameters ?? {})).toEqual(['a', 'b', 'c']);
  });

  test('contains the whole request in payload format 1.0', async () => {
    const served = await serve([...api(), ...onePet()]);
    const { headers } = await served.send('/test/pets/a%20b/?status=sold&status=new+born&x', {
      headers: ['X-Custom', '1', 'X-Custom', '2', 'user-agent', 'curl/8', 'X-Forwarded-For', '10.0.0.1'],
    });
    expect(served.invocations).toHaveLength(1);
    const { functionArn, event, caller } = served.invocations[0] ?? {};
    expect(functionArn).toBe(FUNCTION_ARN);
    expect(caller).toEqual({
      principal: 'apigateway.amazonaws.com',
      sourceArn: `${API_ARN}/test/GET/pets/*`,
    });
    const host = `127.0.0.1:${served.port}`;
    expect(event).toEqual({
      resource: '/pets/{petId}',
      path: '/pets/a%20b/',
      httpMethod: 'GET',
      headers: {
        Host: host,
        'X-Custom': '2',
        'user-agent': 'curl/8',
        'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'X-Forwarded-For': '10.0.0.1, 127.0.0.1',
        'X-Forwarded-Port': String(served.port),
        'X-Forwarded-Proto': 'http',
      },
      multiValueHeaders: {
        Host: [host],
        'X-Custom': ['1', '2'],
        'user-agent': ['curl/8'],
        'X-Amzn-Trace-Id': [event?.headers?.['X-Amzn-Trace-Id']],
        'X-Forwarded-For': ['10.0.0.1, 127.0.0.1'],
        'X-Forwarded-Port': [String(served.port)],
        'X-Forwarded-Proto': ['http'],
      },
      queryStringParameters: { status: 'new born', x: '' },
      multiValueQueryStringParameters: { status: ['sold', 'new born'], x: [''] },
      pathParameters: { petId: 'a%20b' },
      stageVariables: null,
      requestContext: {
        resourceId: 'pet',
        resourcePath: '/pets/{petId}',
        httpMethod: 'GET',
        extendedRequestId: headers['x-amz-apigw-id'],
        requestTime: '02/Jan/2025:03:04:05 +0000',
        path: '/test/pets/a%20b/',
        accountId: ACCOUNT_ID,
        protocol: 'HTTP/1.1',
        stage: 'test',
        domainPrefix: '127',
        requestTimeEpoch: Date.UTC(2025, 0, 2, 3, 4, 5),
        requestId: headers['x-amzn-requestid'],
        domainName: host,
        apiId: API_ID,
        identity: {
          cognitoIdentityPoolId: null,
          accountId: null,
          cognitoIdentityId: null,
          caller: null,
          sourceIp: '127.0.0.1',
          principalOrgId: null,
          accessKey: null,
          cognitoAuthenticationType: null,
          cognitoAuthenticationProvider: null,
          userArn: null,
          userAgent: 'curl/8',
          user: null,
        },
      },
      body: null,
      isBase64Encoded: false,
    });
  });

  test('has null for what the request lacks', async () => {
    const served = await serve([...api(), method('root', 'ANY')]);
    await served.send('/test');
    expect(served.invocations[0]?.event).toMatchObject({
      resource: '/',
      path: '/',
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      requestContext: { path: '/test/', identity: { userAgent: null } },
    });
    expect(served.invocations[0]?.caller.sourceArn).toBe(`${API_ARN}/test/GET/`);
  });

  test('contains the body as text, without Content-Length', async () => {
    const served = await serve([...api(), method('root', 'POST')]);
    await served.send('/test', { method: 'POST', body: '{"name":"Strolch 🐕"}' });
    const { event } = served.invocations[0] ?? {};
    expect(event).toMatchObject({ body: '{"name":"Strolch 🐕"}', isBase64Encoded: false });
    expect(Object.keys(event?.headers ?? {}).map(name => name.toLowerCase())).not.toContain('content-length');
  });

  test('keeps a query parameter named __proto__', async () => {
    const served = await serve([...api(), method('root', 'GET')]);
    await served.send('/test?__proto__=1');
    expect(JSON.stringify(served.invocations[0]?.event.queryStringParameters)).toBe('{"__proto__":"1"}');
  });

  test('has the request id of the client', async () => {
    const served = await serve([...api(), method('root', 'GET')]);
    const { headers } = await served.send('/test', { headers: ['x-amzn-requestid', 'mine'] });
    expect(served.invocations[0]?.event.requestContext.requestId).toBe('mine');
    expect(headers['x-amzn-requestid']).toBe('mine');
  });

  test('has the rest of the path as the parameter of {proxy+}', async () => {
    const served = await serve([...api(), path('rest', 'root', '{proxy+}'), method('rest', 'ANY')]);
    await served.send('/test/a/b%2Fc');
    expect(served.invocations[0]?.event.pathParameters).toEqual({ proxy: 'a/b%2Fc' });
    expect(served.invocations[0]?.caller.sourceArn).toBe(`${API_ARN}/test/GET/*`);
  });
});

const BYTES = Buffer.from([0x1f, 0x8b, 0x00, 0xff]);

const binaryApi = () => api({}, undefined, { BinaryMediaTypes: ['*/*'] });

describe('an API with the binary media types */*', () => {
  const ANYTHING = { headers: ['Accept', '*/*'] };
  test('passes a body in base64 to a function', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')]);
    await served.send('/test', { method: 'POST', body: '{"name":"Rex"}' });
    expect(served.invocations[0]?.event).toMatchObject({
      body: Buffer.from('{"name":"Rex"}').toString('base64'),
      isBase64Encoded: true,
    });
  });

  test('passes no body as null to a function', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')]);
    await served.send('/test');
    expect(served.invocations[0]?.event).toMatchObject({ body: null, isBase64Encoded: false });
  });

  test('200: decodes an encoded response', async () => {
    const body = BYTES.toString('base64');
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      returns({ statusCode: 200, body, isBase64Encoded: true }),
    );
    expect((await served.send('/test', ANYTHING)).headers['content-length']).toBe('4');
    // Whether API Gateway decodes it without an Accept header isn't recorded.
    expect((await served.send('/test')).body).toBe(body);
  });

  test('200: leaves a response that is not encoded as it is', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      returns({ statusCode: 200, body: '{"a":1}' }),
    );
    expect((await served.send('/test')).body).toBe('{"a":1}');
  });

  test('500: a response that is said to be encoded and is not', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      returns({ statusCode: 200, body: '{"a":1}', isBase64Encoded: true }),
    );
    expect((await served.send('/test', ANYTHING)).status).toBe(500);
  });

  const mock = (contentHandling: object) => ({
    MethodResponses: [{ StatusCode: '404' }],
    Integration: {
      Type: 'MOCK',
      PassthroughBehavior: 'NEVER',
      RequestTemplates: { 'application/json': '{"statusCode": 404}' },
      IntegrationResponses: [{ StatusCode: '404', ...contentHandling }],
      ...contentHandling,
    },
  });

  test('404: a mock integration that converts to text responds', async () => {
    const converting = method('root', 'ANY', mock({ ContentHandling: 'CONVERT_TO_TEXT' }));
    const served = await serve([...binaryApi(), converting]);
    expect((await served.send('/test')).status).toBe(404);
  });

  test('500: a mock integration that does not convert to text fails', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY', mock({}))]);
    expect((await served.send('/test')).status).toBe(500);
  });
});

test('200: an API without binary media types returns the encoded text', async () => {
  const body = BYTES.toString('base64');
  const served = await serve([...api(), method('root', 'ANY')], () =>
    returns({ statusCode: 200, body, isBase64Encoded: true }),
  );
  expect((await served.send('/test')).body).toBe(body);
});
