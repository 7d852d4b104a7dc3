import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type CertificateAuthority,
  openCertificateAuthority,
} from '../../../infra/local/acm/certificate-authority.ts';
import { startPublicDns } from '../../../infra/local/dns/public-dns.ts';
import { HostedZones } from '../../../infra/local/route53/hosted-zones.ts';
import { reacher } from '../../../shared/domains/reach.ts';

const NAME = 'www.zoo.example';
const ERROR = { code: 'not_found', message: 'There is no such path.', status: 404 };

let authority: CertificateAuthority;
let resolver: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reach-'));
  authority = await openCertificateAuthority(folder);
  const zones = new HostedZones();
  const zone = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
  const address = { name: `${NAME}.`, type: 'A' as const, ttlSeconds: 60, values: ['127.0.0.1'] };
  zones.replaceRecordSets(zone.id, [...zone.recordSets, address]);
  const dns = await startPublicDns(zones);
  resolver = dns.resolvers[0].address;
  return async () => {
    rmSync(folder, { recursive: true });
    await dns.stop();
  };
});

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** A server with a certificate of this name, and how it is reached. */
async function served(answer: RequestListener, certificateName = NAME) {
  const { certificate, privateKey, serial } = await authority.sign(
    [certificateName],
    'EC_prime256v1',
    Date.now(),
  );
  const server = createSecureServer({ cert: certificate, key: privateKey }, answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const trusting = { port, ca: authority.certificate, budgetMs: 60_000 };
  return { serial, port, reach: reacher([resolver], trusting) };
}

describe('a domain is reached', () => {
  test.each([
    ['an Error of the service', answering(404, ERROR)],
    ['a redirect', answering(301, '', { Location: 'https://zoo.example/' })],
    ['whatever an API of another project says', answering(200, 'hello', { 'x-amzn-RequestId': '1' })],
  ])('by its own certificate and %s', async (_, answer) => {
    const { serial, reach } = await served(answer);
    expect(await reach(NAME, serial)).toEqual({ kind: 'reached' });
    expect(await reach(NAME, null)).toEqual({ kind: 'reached' });
  });

  test('by GET / with its name as the host', async () => {
    let seen = '';
    const { serial, reach } = await served((request, response) => {
      seen = `${request.method} ${request.url} ${request.headers.host}`;
      answering(404, ERROR)(request, response);
    });
    await reach(NAME, serial);
    expect(seen).toBe(`GET / ${NAME}`);
  });
});

describe('a domain is not reached', () => {
  test('without an address', async () => {
    const { reach } = await served(answering(404, ERROR));
    expect(await reach('none.zoo.example', null)).toEqual({
      kind: 'unreachable',
      why: 'The name has no IP address.',
    });
  });

  test('where nothing listens', async () => {
    const reached = await reacher([resolver], { port: 1 })(NAME, null);
    expect(reached).toMatchObject({ kind: 'unreachable', why: expect.stringContaining('ECONNREFUSED') });
  });

  test('when there is no answer in time', async () => {
    const { port } = await served(() => {});
    const reach = reacher([resolver], { port, ca: authority.certificate, budgetMs: 200 });
    expect(await reach(NAME, null)).toMatchObject({ kind: 'unreachable' });
  });

  test('when the DNS server is silent', async () => {
    const reached = await reacher(['127.0.0.1:9'], { budgetMs: 200 })(NAME, null);
    expect(reached).toMatchObject({ kind: 'unreachable' });
  });

  test('with another certificate of the name than its own', async () => {
    const { reach } = await served(answering(404, ERROR));
    expect(await reach(NAME, '0a:0b:0c')).toEqual({
      kind: 'certificate_wrong',
      why: "It isn't the one issued for the domain.",
    });
  });

  test('with a certificate of another name', async () => {
    const { reach } = await served(answering(404, ERROR), 'other.zoo.example');
    expect(await reach(NAME, null)).toMatchObject({ kind: 'certificate_wrong' });
  });

  test('with a certificate that nobody trusts', async () => {
    const { port } = await served(answering(404, ERROR));
    const reached = await reacher([resolver], { port, budgetMs: 60_000 })(NAME, null);
    expect(reached).toMatchObject({ kind: 'certificate_wrong' });
  });

  test.each([
    ['an unmapped domain name', answering(403, { message: 'Forbidden' }, { 'x-amzn-RequestId': '1' })],
    ['a web page of somebody else', answering(200, '<html>')],
    ['an answer that is not JSON', answering(404, '{')],
  ])('when %s answers', async (_, answer) => {
    const { serial, reach } = await served(answer);
    expect(await reach(NAME, serial)).toMatchObject({ kind: 'answer_foreign' });
  });
});
