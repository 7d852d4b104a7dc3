import { describe, expect, test } from 'vitest';
import { ACCOUNT_ID, API_ARN, API_ID, api, FUNCTION_ARN, method, onePet, path, serve } from './served-api.ts';

describe('the event', () => {
  test('contains the whole request in payload format 1.0', async () => {
    const served = await serve([...api(), ...onePet({ OperationName: 'getPet' })]);
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
        operationName: 'getPet',
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
