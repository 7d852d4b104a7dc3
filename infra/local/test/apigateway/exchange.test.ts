import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mappedTarget, pathSegments, queryParameters, requestTarget } from '../../apigateway/exchange.ts';
import { api, authorizer, gatewayResponse, method, returns, serve } from '../../testing/served-api.ts';

describe('a target', () => {
  test.each([
    ['/test/v1/pets?limit=5', { stageName: 'test', path: '/v1/pets', query: 'limit=5' }],
    ['/test', { stageName: 'test', path: '/', query: '' }],
    ['/test/', { stageName: 'test', path: '/', query: '' }],
    ['/test?a=b?c', { stageName: 'test', path: '/', query: 'a=b?c' }],
    ['http://localhost:3000/test/v1', { stageName: 'test', path: '/v1', query: '' }],
    ['/', { stageName: '', path: '/', query: '' }],
    ['*', { stageName: '', path: '/', query: '' }],
  ])('%s is split', (url, expected) => {
    const calledPath = `/${expected.stageName}${expected.path}`;
    expect(requestTarget(url)).toEqual({ ...expected, calledPath });
  });

  test.each([
    ['/v1/pets?limit=5', '/v1/pets', 'limit=5'],
    ['/', '/', ''],
    ['https://zoo.example/v1', '/v1', ''],
    ['https://zoo.example', '/', ''],
  ])('%s of a custom domain name contains no stage', (url, path, query) => {
    expect(mappedTarget(url, 'test')).toEqual({ stageName: 'test', path, calledPath: path, query });
  });
});

describe('a path', () => {
  test.each([
    ['/', []],
    ['/v1/pets', ['v1', 'pets']],
    ['/v1/pets/', ['v1', 'pets']],
    ['/v1//pets', ['v1', '', 'pets']],
    ['/a%20b', ['a%20b']],
  ])('%s has the segments %j', (path, expected) => {
    expect(pathSegments(path)).toEqual(expected);
  });

  test.each(['%', '%2', '%zz', 'a%2gb'])('%s, a malformed escape, is a segment as it is', segment => {
    expect(pathSegments(`/pets/${segment}`)).toEqual(['pets', segment]);
  });
});

describe('a query', () => {
  test.each([
    ['', []],
    ['&&', []],
    ['a', [['a', '']]],
    ['a=1=2', [['a', '1=2']]],
    ['=1', [['', '1']]],
    [
      'a=b+c&d%2B=e%20f',
      [
        ['a', 'b c'],
        ['d+', 'e f'],
      ],
    ],
    [
      'a=1;b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=2&a=1',
      [
        ['a', '2'],
        ['a', '1'],
      ],
    ],
    ['a=%FF', [['a', '\uFFFD']]],
  ])('%s is read as %j', (query, expected) => {
    expect(queryParameters(query)).toEqual(expected);
  });

  test.each(['a=%', '%4=1', 'a=%zz', 'a=b|c', 'a={b', 'a}=b'])('400: %s is malformed', query => {
    expect(() => queryParameters(query)).toThrow('BAD_REQUEST_PARAMETERS');
  });

  const pairs = fc.array(
    fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
  );

  test('of a form encoder is decoded to the same values', () => {
    fc.assert(
      fc.property(pairs, written => {
        expect(queryParameters(new URLSearchParams(written).toString())).toEqual(written);
      }),
    );
  });

  test('of any text is decoded or refused with 400', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), query => {
        const malformed = /%(?![0-9A-Fa-f]{2})|[|{}]/.test(query);
        if (malformed) expect(() => queryParameters(query)).toThrow('BAD_REQUEST_PARAMETERS');
        else expect(queryParameters(query)).toBeInstanceOf(Array);
      }),
    );
  });
});

const MEGABYTE = 1024 * 1024;

describe('a body', () => {
  const sent = async (coding: string, body: Buffer) => {
    const served = await serve([...api(), method('root', 'POST')]);
    const reply = await served.send('/test', { method: 'POST', headers: ['Content-Encoding', coding], body });
    const [invocation] = served.invocations;
    return { ...reply, event: invocation?.event };
  };

  test.each([
    ['gzip', gzipSync('{}')],
    ['GZIP', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['identity', Buffer.from('{}')],
  ])('200: in %s is decompressed, and keeps its Content-Encoding', async (coding, body) => {
    const { status, event } = await sent(coding, body);
    expect([status, event?.body, event?.headers?.['Content-Encoding']]).toEqual([200, '{}', coding]);
  });

  test.each([
    ['an unknown coding', 'br', Buffer.from('{}')],
    ['no coding', 'constructor', Buffer.from('{}')],
    ['two codings', 'gzip, gzip', gzipSync(gzipSync('{}'))],
    ['a coding that it does not have', 'gzip', Buffer.from('{}')],
  ])('415: in %s', async (_, coding, body) => {
    expect(await sent(coding, body)).toMatchObject({ status: 415, event: undefined });
  });

  test('413: of 6 kB that would be more than 6 MB; 401: without a key it is not decompressed', async () => {
    const body = gzipSync(Buffer.alloc(6 * MEGABYTE + 1));
    expect(await sent('gzip', body)).toMatchObject({ status: 413, event: undefined });
    const guarded = await serve([
      ...api(),
      authorizer(),
      method('root', 'POST', { AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1' }),
    ]);
    const headers = ['Content-Encoding', 'gzip'];
    expect(await guarded.send('/test', { method: 'POST', headers, body })).toMatchObject({ status: 401 });
  });

  test('200: of 10 MB reaches the function', async () => {
    const served = await serve([...api(), method('root', 'POST')]);
    const reply = await served.send('/test', { method: 'POST', body: Buffer.alloc(10 * MEGABYTE, 'a') });
    expect(reply.status).toBe(200);
    expect(served.invocations[0]?.event.body).toHaveLength(10 * MEGABYTE);
  });

  const customised = [
    gatewayResponse('REQUEST_TOO_LARGE', { ResponseTemplates: { 'application/json': '{"code":"x"}' } }),
    gatewayResponse('DEFAULT_4XX', { StatusCode: '400' }),
  ];

  test.each([
    ['announced', []],
    ['unknown', ['Transfer-Encoding', 'chunked']],
  ])(
    '413: above 10 MB, its length %s, is rejected; the response cannot be customised',
    async (_, headers) => {
      const served = await serve([...api(), method('root', 'POST'), ...customised]);
      const body = Buffer.alloc(12 * MEGABYTE, 'a');
      const { status, body: response } =
        headers.length === 0
          ? await served.send('/test', { method: 'POST', body })
          : await chunked(served.port, body);
      expect({ status, response }).toEqual({ status: 413, response: '{"message":"Request Too Long"}' });
      expect(served.invocations).toEqual([]);
    },
  );
});

test('431: above 10,240 bytes of headers', async () => {
  const served = await serve([...api(), method('root', 'GET')]);
  expect((await served.send('/test', { headers: ['X-Long', 'a'.repeat(10_000)] })).status).toBe(200);
  expect(await served.send('/test', { headers: ['X-Long', 'a'.repeat(10_240)] })).toMatchObject({
    status: 431,
    body: '{"message":"Request Header Fields Too Large"}',
  });
});

describe('a client that disconnects', () => {
  const disconnect = (port: number, text: string) =>
    new Promise<void>(resolve => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text, () => socket.resetAndDestroy()));
      socket.on('close', () => resolve());
      socket.on('error', () => {});
    });

  test('while sending its body is not served', async () => {
    const served = await serve([...api(), method('root', 'POST')]);
    await disconnect(served.port, 'POST /test HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    expect((await served.send('/test', { method: 'POST' })).status).toBe(200);
    expect(served.invocations).toHaveLength(1);
  });

  test('while its request is served does not affect others', async () => {
    const invoked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const served = await serve([...api(), method('root', 'ANY')], async ({ event }) => {
      invoked.resolve();
      if (event.httpMethod === 'PUT') await gone.promise;
      return returns({ statusCode: 200, body: 'x'.repeat(MEGABYTE) });
    });
    const socket = connect(served.port, '127.0.0.1');
    socket.write('PUT /test HTTP/1.1\r\nHost: x\r\n\r\n');
    await invoked.promise;
    socket.resetAndDestroy();
    gone.resolve();
    expect((await served.send('/test')).status).toBe(200);
  });
});

/** Sends a body in chunks, without its length, and reads the response that comes before the end of the body. */
function chunked(port: number, body: Buffer): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.on('error', reject);
    socket.on('data', data => {
      response += data.toString();
      const [head = '', text = ''] = response.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (text.length < length) return;
      resolve({ status: Number(head.split(' ')[1]), body: text });
      socket.destroy();
    });
    socket.write('POST /test HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body);
    socket.write('\r\n0\r\n\r\n');
  });
}
