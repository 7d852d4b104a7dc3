import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SERVER_LIMITS } from '../../host/http-servers.ts';
import { plainResponse, respondToUnreadableRequests } from '../../host/unreadable-requests.ts';
import { api, gatewayResponse, onePet, returns, type ServedApi, serve } from '../../testing/served-api.ts';

const ERROR = { code: 'invalid_request', message: 'The request is not valid.', status: 400 };

/** An API that returns an Error for every refusal of its own. */
const ERRORS = gatewayResponse('DEFAULT_4XX', {
  StatusCode: '400',
  ResponseParameters: { 'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId' },
  ResponseTemplates: { 'application/json': JSON.stringify(ERROR) },
});

/** Serves an API on its own port. Returns a function that sends raw text to it and reads the whole response. */
async function listening(served?: ServedApi, limits: { headersTimeout?: number } = {}) {
  const server = createServer({ ...SERVER_LIMITS, ...limits, connectionsCheckingInterval: 50 });
  server.on('request', (request, response) => served?.apis.handle(request, response));
  respondToUnreadableRequests(
    server,
    request => served?.apis.respondToUnreadable(request) ?? plainResponse(request),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return (text: string) =>
    new Promise<string>((resolve, reject) => {
      let response = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (part: string) => {
        response += part;
      });
      socket.on('end', () => resolve(response)).on('error', reject);
    });
}

const served = () => serve([...api(), ...onePet(), ERRORS]);

/** The status, the headers with names in lower case, and the body of the last response in a text. */
function lastResponse(text: string) {
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map(line => [
    line.split(':')[0]?.toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body };
}

const HOST = 'Host: x\r\n';

describe('a request that cannot be read', () => {
  test.each([
    ['a space in the path', `GET /test/a b HTTP/1.1\r\n${HOST}\r\n`],
    ['raw UTF-8 in the path', `GET /test/pets/é HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown method', `BREW /test/pets/7 HTTP/1.1\r\n${HOST}\r\n`],
    ['the method CONNECT', `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown version', `GET /test/pets/7 HTTP/9.9\r\n${HOST}\r\n`],
    ['no request line', '\u0001\u0002\r\n\r\n'],
    ['a header without a colon', `GET /test/pets/7 HTTP/1.1\r\n${HOST}Broken\r\n\r\n`],
    ['a space in a header name', `GET /test/pets/7 HTTP/1.1\r\n${HOST}Two words: x\r\n\r\n`],
    ['a control character in a header', `GET /test/pets/7 HTTP/1.1\r\n${HOST}X: a\u0000b\r\n\r\n`],
    ['no Host header', 'GET /test/pets/7 HTTP/1.1\r\n\r\n'],
    ['no Host header in HTTP/1.0', 'GET /test/pets/7 HTTP/1.0\r\n\r\n'],
    ['two Host headers', `GET /test/pets/7 HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ...[
      '',
      'x y',
      'x/y',
      'x?',
      'x#',
      'a@x',
      'http://x',
      'x,y',
      'x:',
      'x:y',
      'x:123456',
      'x:1:2',
      '.x',
      'x..y',
      '"x"',
      '<x>',
      '::1',
      '[x]',
      '[::1',
      '%78',
    ].map((host): [string, string] => [
      `the host ${JSON.stringify(host)}`,
      `GET /test/pets/7 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ]),
    ['no Host header and no stage', 'GET /other HTTP/1.1\r\n\r\n'],
    ['more than 64 KB of headers', `GET /test HTTP/1.1\r\n${HOST}X: ${'a'.repeat(70_000)}\r\n\r\n`],
    ['another expectation', `GET /test/pets/7 HTTP/1.1\r\n${HOST}Expect: 200-ok\r\n\r\n`],
    ['two lengths', `POST /test HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a malformed length', `POST /test HTTP/1.1\r\n${HOST}Content-Length: x\r\n\r\n`],
    ['a bad chunk', `POST /test HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ])('400: %s', async (_, text) => {
    const send = await listening(await served());
    const { status, headers, body } = lastResponse(await send(text));
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 400, body: ERROR });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-request-id': expect.stringMatching(/^[\w-]{15}=$/),
      'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
      connection: 'close',
    });
  });

  test.each(['localhost', '127.0.0.1:3000', '[::1]:3000', 'WWW.Zoo.example.', 'my_host-1'])(
    '200: the host %s',
    async host => {
      const send = await listening(await served());
      const text = `GET /test/pets/7 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(lastResponse(await send(text)).status).toBe(200);
    },
  );

  test('400: one that is not complete in time', async () => {
    const send = await listening(await served(), { headersTimeout: 100 });
    const { status, body } = lastResponse(await send(`GET /test/pets/7 HTTP/1.1\r\n${HOST}`));
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 400, body: ERROR });
  });

  test('400: HEAD, without a body', async () => {
    const send = await listening(await served());
    const { status, headers, body } = lastResponse(await send(`HEAD /test/pets/é HTTP/1.1\r\n${HOST}\r\n`));
    expect({ status, body }).toEqual({ status: 400, body: '' });
    expect(headers['content-length']).toBe(String(JSON.stringify(ERROR).length));
  });

  test('is not invoked', async () => {
    const api = await served();
    const send = await listening(api);
    await send(`GET /test/pets/7 HTTP/1.1\r\n${HOST}Expect: 200-ok\r\n\r\n`);
    expect(api.invocations).toEqual([]);
  });

  test('gets its response after the request before it on the same connection', async () => {
    const slow = await serve([...api(), ...onePet(), ERRORS], async () => {
      await new Promise(resolve => setTimeout(resolve, 20));
      return returns({ statusCode: 200, body: '"slow"' });
    });
    const send = await listening(slow);
    const text = await send(`GET /test/pets/7 HTTP/1.1\r\n${HOST}\r\nBREW / HTTP/1.1\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(text.indexOf('"slow"')).toBeLessThan(text.indexOf('invalid_request'));
  });

  test.each([
    ['431', `GET /test HTTP/1.1\r\n${HOST}X: ${'a'.repeat(70_000)}\r\n\r\n`],
    ['417', `GET /test HTTP/1.1\r\n${HOST}Expect: 200-ok\r\n\r\n`],
    ['400', `BREW /test HTTP/1.1\r\n${HOST}\r\n`],
  ])('%s: has its own status if the API does not customise DEFAULT_4XX', async (status, text) => {
    const send = await listening(await serve([...api(), ...onePet()]));
    expect(lastResponse(await send(text))).toMatchObject({
      status: Number(status),
      body: '{"message":"Bad Request"}',
    });
  });

  test('400: gets a response before anything is deployed', async () => {
    const send = await listening();
    const { status, body } = lastResponse(await send('BREW / HTTP/1.1\r\n\r\n'));
    expect({ status, body }).toEqual({ status: 400, body: '{"message":"Bad Request"}' });
  });
});
