import { describe, expect, test } from 'vitest';
import { answers, api, FUNCTION_ARN, gatewayResponse, method, proxyTo, serve, throws } from './served-api.ts';

describe('the answer of the function', () => {
  const answered = async (answer: unknown, httpMethod = 'GET') => {
    const served = await serve([...api(), method('root', 'ANY')], () => answers(answer));
    return served.send('/test', { method: httpMethod });
  };

  test('201: status, headers and body reach the client', async () => {
    const reply = await answered({
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain', Location: '/pets/7', 'X-Both': 'lost' },
      multiValueHeaders: { 'x-both': ['a', 'b'] },
      body: 'ü',
      isBase64Encoded: false,
    });
    expect(reply).toMatchObject({ status: 201, body: 'ü' });
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain',
      location: '/pets/7',
      'x-both': 'a, b',
      'content-length': '2',
    });
  });

  test('200: has the request ids, and is JSON unless the function sets a type', async () => {
    const reply = await answered({ statusCode: 200 });
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
    const { rawHeaders, headers } = await answered({
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
    const { headers, body } = await answered({ statusCode: 200 }, 'HEAD');
    expect([headers['content-length'], body]).toEqual([undefined, '']);
  });

  test('200: has the length of the body but no body for HEAD', async () => {
    const reply = await answered({ statusCode: 200, body: 'hello' }, 'HEAD');
    expect(reply.body).toBe('');
    expect(reply.headers['content-length']).toBe('5');
  });

  test('204: has neither body nor length', async () => {
    const reply = await answered({ statusCode: 204, body: null, headers: null });
    expect(reply).toMatchObject({ status: 204, body: '' });
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  test.each([
    ['nothing', null],
    ['a text', 'hello'],
    ['no status', { body: 'x' }],
    ['a status as text', { statusCode: '200' }],
    ['a status out of range', { statusCode: 99 }],
    ['a status that is not final', { statusCode: 101 }],
    ['a body that is not text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is not text', { statusCode: 200, headers: { 'X-A': 1 } }],
    ['a header with a line break', { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['a malformed header name', { statusCode: 200, headers: { 'X A': 'a' } }],
    ['multiValueHeaders without lists', { statusCode: 200, multiValueHeaders: { 'X-A': 'a' } }],
    ['an unknown field', { statusCode: 200, cookies: [] }],
  ])('502: %s', async (_, answer) => {
    expect(await answered(answer)).toMatchObject({
      status: 502,
      body: '{"message":"Internal server error"}',
    });
  });
});

describe('a function without an answer', () => {
  test('502: it throws', async () => {
    const served = await serve([...api(), method('root', 'GET')], () => throws('oh'));
    expect((await served.send('/test')).status).toBe(502);
  });

  test('502: its answer is not JSON', async () => {
    const served = await serve([...api(), method('root', 'GET')], () => ({ payload: '{' }));
    expect((await served.send('/test')).status).toBe(502);
  });

  test('502: it cannot be invoked; DEFAULT_5XX customises the answer', async () => {
    const custom = gatewayResponse('DEFAULT_5XX', {
      ResponseTemplates: { 'application/json': '{"code":"internal_error"}' },
    });
    const served = await serve([...api(), method('root', 'GET'), custom], () => {
      throw new Error('AccessDeniedException');
    });
    expect(await served.send('/test')).toMatchObject({ status: 502, body: '{"code":"internal_error"}' });
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
