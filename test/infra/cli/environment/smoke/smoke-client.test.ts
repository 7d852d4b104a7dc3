import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smokeClient } from '../../../../../infra/cli/environment/smoke/smoke-client.ts';
import { openCertificateAuthority } from '../../../../../infra/local/acm/certificate-authority.ts';
import { temporaryFolder } from '../../../local/temporary-folder.ts';

/** A client of a server that answers with these statuses in turn, and then with the last one. */
async function clientOf(...statuses: number[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push([method, url, headers.authorization ?? '-'].join(' '));
    const status = statuses[Math.min(requests.length, statuses.length) - 1] ?? 500;
    response.writeHead(status, { 'Retry-After': '3' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const waits: number[] = [];
  const send = smokeClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/staging/v1`,
    key: 'own',
    edge: undefined,
    wait: async ms => waits.push(ms),
  });
  return { send, requests, waits };
}

describe('the client of the smoke checks', () => {
  test('repeats a throttled request after the time that the answer asks for', async () => {
    const { send, requests, waits } = await clientOf(429, 429, 200);
    expect((await send('GET /pets')).status).toBe(200);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([3000, 3000]);
  });

  test('gives up after five throttled answers', async () => {
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

  test('reaches a custom domain of the local AWS by its edge, and trusts its CA', async () => {
    const authority = await openCertificateAuthority(temporaryFolder());
    const { certificate, privateKey } = await authority.sign(['www.zoo.dev'], 'EC_prime256v1', Date.now());
    const server = createSecureServer({ cert: certificate, key: privateKey }, (request, response) =>
      response.end(`${request.headers.host}${request.url}`),
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
    expect((await send('GET https://www.zoo.dev/v1/pets?limit=1')).text).toBe('www.zoo.dev/v1/pets?limit=1');
    // The certificate is for another name.
    await expect(send('GET https://zoo.dev/v1/pets')).rejects.toThrow('expected a response, got none');
  });
});
