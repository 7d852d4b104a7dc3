import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smokeClient } from '../../../../../infra/cli/checks/http/smoke-client.ts';
import { openCertificateAuthority } from '../../../../../infra/local/testing/certificate-authority.ts';
import { temporaryFolder } from '../../../../../infra/local/testing/temporary-folder.ts';
import { silentServer } from '../../../../shared/aws/silent-server.ts';

/** A client of a server that responds with these statuses in turn, and then with the last one. */
function clientOf(...statuses: number[]) {
  let count = 0;
  return clientOfServer((_, response) => {
    count += 1;
    const status = statuses[Math.min(count, statuses.length) - 1] ?? 500;
    response.writeHead(status, { 'Retry-After': '3' }).end();
  });
}

async function clientOfServer(answer: RequestListener) {
  const requests: string[] = [];
  const { endpoint: origin } = await silentServer(({ method, url, headers }) => {
    requests.push([method, url, headers.authorization ?? '-'].join(' '));
    return answer;
  });
  const waits: number[] = [];
  const throttled: number[] = [];
  const send = smokeClient({
    baseUrl: `${origin}/staging/v1`,
    key: 'own',
    edge: undefined,
    onThrottled: ms => throttled.push(ms),
    isSpreading: key => key === 'own' && waits.length < 2,
    wait: async ms => waits.push(ms),
  });
  return { send, origin, requests, waits, throttled };
}

describe('the client of the smoke checks', () => {
  test('repeats a throttled request after the time that the response asks for', async () => {
    const { send, requests, waits, throttled } = await clientOf(429, 429, 200);
    expect((await send('GET /pets')).status).toBe(200);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([3000, 3000]);
    expect(throttled).toEqual(waits);
  });

  test('repeats a request whose key API Gateway may not know yet', async () => {
    const { send, requests, waits, throttled } = await clientOf(401);
    expect((await send('GET /pets')).status).toBe(401);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([1000, 1000]);
    await send('GET /pets', { key: 'other' });
    await send('GET /pets', { key: null });
    expect(requests).toHaveLength(5);
    expect(throttled).toEqual([]);
  });

  test('accepts gzip, and decodes it', async () => {
    const { send } = await clientOfServer(({ headers, method }, response) => {
      const isAccepted = headers['accept-encoding'] === 'gzip';
      response.writeHead(200, isAccepted ? { 'Content-Encoding': 'gzip' } : {});
      response.end(method === 'HEAD' ? undefined : isAccepted ? gzipSync('[1]') : '[2]');
    });
    expect(await send('GET /pets')).toMatchObject({ text: '[1]', headers: { 'content-encoding': 'gzip' } });
    expect((await send('GET /pets', { headers: { 'Accept-Encoding': 'identity' } })).text).toBe('[2]');
    expect((await send('HEAD /pets')).text).toBe('');
  });

  test.each([
    [
      'gzip',
      gzipSync('[1]').toString('base64'),
      /^GET \/pets: .* base64 text .*: is binaryMediaTypes missing/,
    ],
    ['gzip', '[1]', /got a body that begins with "\[1\]"$/],
    ['br', '[1]', /^GET \/pets: expected a body with the Content-Encoding br, got/],
  ])('refuses a body that is not encoded with %s as it says: %s', async (encoding, body, message) => {
    const { send } = await clientOfServer((_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(body),
    );
    await expect(send('GET /pets')).rejects.toThrow(message);
  });

  test('gives up after five throttled responses', async () => {
    const { send, requests } = await clientOf(429);
    expect((await send('GET /pets')).status).toBe(429);
    expect(requests).toHaveLength(5);
  });

  test('sends paths as they are written, with its own key, another or none', async () => {
    const { send, requests } = await clientOf(200);
    await send('GET /pets?limit=%zz');
    await send('GET /pets//', { key: 'other' });
    await send('GET /docs', { key: null });
    expect(requests).toEqual([
      'GET /staging/v1/pets?limit=%zz Bearer own',
      'GET /staging/v1/pets// Bearer other',
      'GET /staging/v1/docs -',
    ]);
  });

  test('sends another host no key, and reads no more than the beginning of what it says', async () => {
    const { send } = await clientOf(200);
    const { origin, requests } = await clientOfServer((_, response) => {
      response.writeHead(429, { 'Content-Encoding': 'gzip' });
      const sendMore = () => response.write('x'.repeat(65_536), error => error || setImmediate(sendMore));
      sendMore();
    });
    const { status, text } = await send(`GET ${origin}/v1/pets`, { key: 'own' });
    expect([status, text]).toEqual([429, 'x'.repeat(4096)]);
    expect(requests).toEqual(['GET /v1/pets -']);
  });

  test('reaches a custom domain by our host, with a key only if it is the base URL', async () => {
    const authority = await openCertificateAuthority(temporaryFolder());
    const { certificate, privateKey } = await authority.sign(['www.zoo.dev'], 'EC_prime256v1', Date.now());
    const server = createSecureServer({ cert: certificate, key: privateKey }, (request, response) =>
      response.end(`${request.headers.host}${request.url} ${request.headers.authorization ?? '-'}`),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const https = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const edge = { https, ca: authority.file };
    const send = smokeClient({ baseUrl: 'http://127.0.0.1:1', key: 'own', edge });
    expect((await send('GET https://www.zoo.dev/v1/pets')).text).toBe('www.zoo.dev/v1/pets -');
    // The certificate is for another name.
    await expect(send('GET https://zoo.dev/v1/pets')).rejects.toThrow('expected a response, got none');
    const before = getCACertificates();
    setDefaultCACertificates([readFileSync(authority.file, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(before));
    const onAws = { baseUrl: 'https://www.zoo.dev/v1', baseHost: https, key: 'own', edge: undefined };
    expect((await smokeClient(onAws)('GET /pets')).text).toBe('www.zoo.dev/v1/pets Bearer own');
  });
});
