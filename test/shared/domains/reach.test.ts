import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecureServer, request as sendSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type CertificateAuthority,
  openCertificateAuthority,
} from '../../../infra/local/testing/certificate-authority.ts';
import {
  type DnsServers,
  emptyReply,
  HostedZones,
  startDnsListener,
  startDnsServers,
} from '../../../infra/local/testing/dns.ts';
import { EDGE_ADDRESSES, webServerAddress } from '../../../infra/local/testing/public-addresses.ts';
import { edge, https } from '../../../infra/local/testing/routed-sockets.ts';
import { temporaryFolder } from '../../../infra/local/testing/temporary-folder.ts';
import { PROOF_PATH, proofOf } from '../../../shared/domains/arrival-proof.ts';
import { type OwnCertificate, reacher } from '../../../shared/domains/reach.ts';

vi.mock('node:https', async () => (await import('../../../infra/local/testing/routed-sockets.ts')).https);

const NAME = 'www.zoo.example';
const SECRET = 'the secret of proofs';
const ERROR = { code: 'not_found', message: 'There is no such path.', status: 404 };

/** The host of the domain name at API Gateway. */
const EDGE = 'edge.zoo.example';

/** Names of the zone and their addresses: the edge's lead to the server of the test. */
const ADDRESSES: readonly (readonly [name: string, type: 'A' | 'AAAA' | 'TXT', ...values: string[]])[] = [
  [NAME, 'A', EDGE_ADDRESSES.A],
  [EDGE, 'A', EDGE_ADDRESSES.A],
  [EDGE, 'AAAA', EDGE_ADDRESSES.AAAA],
  ['private.zoo.example', 'A', EDGE_ADDRESSES.A, '10.0.0.7'],
  ['mapped.zoo.example', 'AAAA', '::ffff:169.254.169.254'],
  ['stale.zoo.example', 'A', EDGE_ADDRESSES.A],
  ['stale.zoo.example', 'AAAA', '2001:db8::7'],
  ['moved.zoo.example', 'A', EDGE_ADDRESSES.A],
  ['moved.zoo.example', 'AAAA', '2606:4700::7'],
  ['text.zoo.example', 'TXT', '"text"'],
  ['own.zoo.example', 'AAAA', EDGE_ADDRESSES.AAAA],
  ['pool.zoo.example', 'AAAA', '2600:1f18::7'],
];

let authority: CertificateAuthority;
let dns: DnsServers;
let resolver: string;
const zones = new HostedZones();
const zone = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
const addRecords = (records: typeof ADDRESSES) => {
  const sets = records.map(([name, type, ...values]) => ({ name: `${name}.`, type, ttlSeconds: 60, values }));
  zones.replaceRecordSets(zone.id, [...(zones.find(zone.id)?.recordSets ?? []), ...sets]);
};
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reach-'));
  authority = await openCertificateAuthority(folder);
  addRecords(ADDRESSES);
  dns = await startDnsServers(zones);
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

/** A server with a certificate of this name. */
async function listening(
  answer: RequestListener,
  name: string,
  signedBy = authority,
  startsAtMs = Date.now(),
) {
  const { certificate, privateKey, serial } = await signedBy.sign([name], 'EC_prime256v1', startsAtMs);
  const server = createSecureServer({ cert: certificate, key: privateKey }, answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, serial, port: (server.address() as AddressInfo).port };
}

/** The addresses of IPv6 that API Gateway was seen to have. */
let gatewayAddresses = async (): Promise<ReadonlySet<string>> => new Set();
beforeEach(() => {
  gatewayAddresses = async () => new Set();
});

const reacherWithin = (budgetMs: number, resolvers = [resolver]) =>
  reacher(resolvers, { secret: SECRET, gatewayAddresses: () => gatewayAddresses(), budgetMs });

/** A server at the edge's address with a certificate of this name, and how it is reached. */
async function served(
  answer: RequestListener,
  { name = NAME, signedBy = authority, startsAtMs = Date.now(), budgetMs = 60_000 } = {},
) {
  const { server, port, serial } = await listening(answer, name, signedBy, startsAtMs);
  Object.assign(edge, { port, authority: authority.certificate });
  /** How the requests to the addresses of a name end. */
  const reach = async (domain = NAME, own: OwnCertificate = { serials: [serial] }) =>
    (await reacherWithin(budgetMs)(domain, own, EDGE)).visitors;
  /** The edge with these requests, and with those to what the name servers have by now. */
  const observed = (domain: string, ...published: string[]) =>
    reacherWithin(budgetMs)(domain, { serials: [serial] }, EDGE, published);
  return { serial, server, reach, observed };
}

describe('a domain is reached', () => {
  test.each([
    ['an Error of the service', answering(404, ERROR)],
    ['a redirect', answering(301, '', { Location: 'https://zoo.example/' })],
    ['whatever an API of another project says', answering(200, 'hello', { 'x-amzn-RequestId': '1' })],
  ])('by its own certificate and %s', async (_, answer) => {
    const { reach } = await served(answer);
    expect(await reach()).toEqual({ kind: 'reached' });
  });

  test('by GET / with its name as the host', async () => {
    let seen = '';
    const { reach } = await served((request, response) => {
      seen = `${request.method} ${request.url} ${request.headers.host}`;
      answering(404, ERROR)(request, response);
    });
    await reach();
    expect(seen).toBe(`GET / ${NAME}`);
  });

  test('with the address that the second resolver knows, when the first is silent', async () => {
    const { serial } = await served(answering(404, ERROR));
    const silentFirst = reacherWithin(60_000, ['127.0.0.1:9', resolver]);
    const { visitors } = await silentFirst(NAME, { serials: [serial] }, EDGE);
    expect(visitors).toEqual({ kind: 'reached' });
  });
});

/** Ports of servers at addresses that have no route otherwise. */
const routes = new Map<unknown, number>();

/** A network without IPv6, and with no other way out: it notes the addresses that are asked for. */
function withoutIpv6(): string[] {
  const asked: string[] = [];
  const { createConnection } = https.Agent.prototype;
  const connected = vi.spyOn(https.Agent.prototype, 'createConnection');
  onTestFinished(() => connected.mockRestore());
  connected.mockImplementation(function (this: unknown, options, ...rest) {
    asked.push(String(options.host));
    const port = routes.get(options.host);
    const host = port === undefined ? String(options.host) : webServerAddress(port);
    if (/^(3|127)\./.test(host)) return createConnection.call(this as never, { ...options, host }, ...rest);
    throw Object.assign(new Error('No route.'), { code: 'ENETUNREACH' });
  });
  return asked;
}

describe('where the network has no IPv6', () => {
  const unconfirmed = (at: string) => ({ kind: 'unconfirmed', at });

  test('an address of IPv6 counts as reached if our host has it, or API Gateway was seen to have it', async () => {
    withoutIpv6();
    const { reach } = await served(answering(404, ERROR), { name: 'pool.zoo.example' });
    expect(await reach('pool.zoo.example')).toMatchObject(unconfirmed('2600:1f18::7'));
    gatewayAddresses = async () => new Set(['2600:1f18::7']);
    expect(await reach('pool.zoo.example')).toEqual({ kind: 'reached' });
    const own = await served(answering(404, ERROR), { name: 'own.zoo.example' });
    expect(await own.reach('own.zoo.example')).toEqual({ kind: 'reached' });
  });

  test('one in the same network is unconfirmed, and so is every one while the memory is not there', async () => {
    withoutIpv6();
    const { reach, observed } = await served(answering(404, ERROR), { name: 'pool.zoo.example' });
    gatewayAddresses = async () => new Set(['2600:1f18::8']);
    expect(await observed('pool.zoo.example')).toMatchObject({
      edge: { kind: 'reached' },
      visitors: unconfirmed('2600:1f18::7'),
    });
    gatewayAddresses = () => Promise.reject(new Error('socket hang up'));
    expect(await reach('pool.zoo.example')).toMatchObject(unconfirmed('2600:1f18::7'));
  });

  test('one that API Gateway has shows nothing while our edge does not serve the domain', async () => {
    withoutIpv6();
    gatewayAddresses = async () => new Set(['2600:1f18::7']);
    const { observed } = await served(answering(403, { message: 'Forbidden' }), { name: 'pool.zoo.example' });
    expect(await observed('pool.zoo.example')).toMatchObject({
      edge: { kind: 'answer_foreign', at: EDGE_ADDRESSES.A },
      visitors: unconfirmed('2600:1f18::7'),
    });
  });

  test('any other is unconfirmed, whatever arrives by IPv4, unless that is wrong', async () => {
    withoutIpv6();
    const { reach, observed } = await served(answering(404, ERROR), { name: 'moved.zoo.example' });
    const other = { ...unconfirmed('2606:4700::7'), isPartial: true };
    expect(await reach('moved.zoo.example')).toMatchObject(other);
    expect(await observed('moved.zoo.example', '8.8.9.9')).toMatchObject({
      visitors: { kind: 'unreachable', at: '8.8.9.9', isPartial: true },
    });
  });
});

/** The service's own API, which proves itself. */
const ownApi: RequestListener = (request, response) => {
  const { host = '' } = request.headers;
  const { pathname, searchParams } = new URL(request.url ?? '', `https://${host}`);
  const proof = pathname === PROOF_PATH && proofOf(SECRET, host, searchParams.get('nonce') ?? '');
  const answer = proof ? answering(200, { proof }) : answering(404, ERROR);
  answer(request, response);
};

/** Passes a request on to the edge as Cloudflare does: with the name in Host and SNI. A proxy may change it. */
const passingOn =
  (change: (sent: { path: string; host: string }) => object = () => ({})): RequestListener =>
  ({ url: path = '', headers: { host = '' } }, response) => {
    const { port, authority: ca } = edge;
    const sent = { path, host, ...change({ path, host }) };
    const to = { port, ca, path: sent.path, servername: host, headers: { Host: sent.host }, agent: false };
    sendSecurely({ host: '127.0.0.1', ...to }, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => response.destroy())
      .end();
  };
const passedOn = passingOn();

describe('behind a proxy, which has a certificate of its own', () => {
  let names = 0;
  /** What requests show of a domain that leads to this API, and whose addresses lead to this proxy. */
  async function seen(api: RequestListener, proxy: RequestListener, records: typeof ADDRESSES = []) {
    names += 1;
    const name = `proxied${names}.zoo.example`;
    const { port } = await listening(proxy, name);
    addRecords([
      [name, 'A', webServerAddress(port)],
      ...records.map(([, ...rest]) => [name, ...rest] as const),
    ]);
    const { observed } = await served(api, { name });
    return observed(name);
  }

  test('a domain is reached where the proxy passes requests on to the service’s own API', async () => {
    const { visitors } = await seen(ownApi, passedOn);
    expect(visitors).toEqual({ kind: 'reached', isProxied: true });
  });

  const old = 'e'.repeat(32);
  test.each<[string, RequestListener]>([
    ['is another server with the same API', answering(404, ERROR)],
    ['returns an old proof', passingOn(({ path }) => ({ path: path.replace(/nonce=.*/, `nonce=${old}`) }))],
    ['drops the query', passingOn(({ path }) => ({ path: path.replace(/\?.*/, '') }))],
    ['asks for another host', passingOn(() => ({ host: EDGE }))],
  ])('a domain is not reached where the proxy %s', async (_, proxy) => {
    const visitors = { kind: 'unproven', why: "It isn't the one issued for the domain." };
    expect(await seen(ownApi, proxy)).toMatchObject({ visitors });
  });

  test('nor where it responds itself beside the proof', async () => {
    const ownPage: RequestListener = (request, response) =>
      request.url === '/' ? answering(200, '<html>')(request, response) : passedOn(request, response);
    expect(await seen(ownApi, ownPage)).toMatchObject({ visitors: { kind: 'answer_foreign' } });
  });

  test('nothing is known while our edge fails, or others use up the throttle of proofs', async () => {
    const refusing =
      (status: number, times = Number.POSITIVE_INFINITY, asked = { times: 0 }): RequestListener =>
      (request, response) => {
        if (request.url === '/') return ownApi(request, response);
        asked.times += 1;
        if (asked.times > times) return ownApi(request, response);
        return answering(status, ERROR)(request, response);
      };
    expect(await seen(refusing(429), passedOn)).toMatchObject({ visitors: { kind: 'unknown' } });
    expect(await seen(refusing(503), passedOn)).toMatchObject({ visitors: { kind: 'unknown' } });
    expect(await seen(refusing(429, 3), passedOn)).toMatchObject({ visitors: { kind: 'reached' } });
    expect(await seen(ownApi, refusing(429))).toMatchObject({ visitors: { kind: 'unproven' } });
    const elsewhere = [['', 'A', EDGE_ADDRESSES.A, '10.0.0.7']] as const;
    expect(await seen(refusing(429), passedOn, elsewhere)).toMatchObject({
      visitors: { kind: 'unreachable', at: '10.0.0.7' },
    });
  });

  test('nothing proves an API that is not the service’s own', async () => {
    const other = answering(403, { message: 'Missing Authentication Token' }, { 'x-amzn-RequestId': '1' });
    expect(await seen(other, passedOn)).toMatchObject({ visitors: { kind: 'unprovable' } });
  });

  test('without IPv6, an address of Cloudflare counts if another of Cloudflare was proven', async () => {
    const asked = withoutIpv6();
    expect(await seen(ownApi, passedOn, [['', 'AAAA', '2606:4700::7']])).toMatchObject({
      visitors: { kind: 'unconfirmed', at: '2606:4700::7', isPartial: true },
    });
    routes.set('104.16.0.7', (await listening(passedOn, `proxied${names + 1}.zoo.example`)).port);
    const both = [
      ['', 'A', '104.16.0.7'],
      ['', 'AAAA', '2606:4700::7'],
    ] as const;
    expect(await seen(ownApi, passedOn, both)).toMatchObject({
      visitors: { kind: 'reached', isProxied: true },
    });
    expect(asked).toContain('2606:4700::7');
  });

  test('but no other address of IPv6', async () => {
    withoutIpv6();
    routes.set('104.16.0.8', (await listening(passedOn, `proxied${names + 1}.zoo.example`)).port);
    const both = [
      ['', 'A', '104.16.0.8'],
      ['', 'AAAA', '2a00:1450::7'],
    ] as const;
    expect(await seen(ownApi, passedOn, both)).toMatchObject({
      visitors: { kind: 'unconfirmed', at: '2a00:1450::7', isPartial: true },
    });
  });
});

describe('of many addresses', () => {
  const crowd = Array.from({ length: 60 }, (_, last) => `8.8.9.${last}`);
  beforeAll(() => addRecords([['crowd.zoo.example', 'A', EDGE_ADDRESSES.A, ...crowd]]));

  test('our edge is asked first, then every one, once', async () => {
    const asked = withoutIpv6();
    const { observed } = await served(answering(404, ERROR), { name: 'crowd.zoo.example' });
    const visitors = { kind: 'unreachable', at: expect.stringContaining('8.8.9.'), isPartial: true };
    expect(await observed('crowd.zoo.example')).toMatchObject({ edge: { kind: 'reached' }, visitors });
    expect(asked.filter(address => address.startsWith('8.8.9.'))).toEqual(crowd);
    expect(asked[0]).toBe(EDGE_ADDRESSES.A);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('those that the time did not suffice for are unconfirmed', async () => {
    withoutIpv6();
    onTestFinished(() => routes.clear());
    const seen = async (answer: RequestListener, budgetMs: number) => {
      const { observed } = await served(answer, { name: 'crowd.zoo.example', budgetMs });
      for (const address of crowd) routes.set(address, edge.port);
      return (await observed('crowd.zoo.example')).visitors;
    };
    expect(await seen(answering(404, ERROR), 60_000)).toEqual({ kind: 'reached' });
    const why = 'There was no response in time.';
    expect(await seen(() => {}, 600)).toMatchObject({ kind: 'unreachable', why });
    const slowly: RequestListener = (...exchange) =>
      void setTimeout(() => answering(404, ERROR)(...exchange), 4400);
    const at = expect.stringContaining('8.8.9.');
    expect(await seen(slowly, 6000)).toMatchObject({ kind: 'unconfirmed', at, isPartial: true });
  });
});

test('one address of our host stands for all of them in a sample, and for no other', async () => {
  const ours = [EDGE_ADDRESSES.A, '8.8.7.1', '8.8.7.2'];
  addRecords([
    ['host.zoo.example', 'A', ...ours],
    ['sample.zoo.example', 'A', ...ours, '8.8.7.9'],
  ]);
  const asked = withoutIpv6();
  const { serial } = await served(answering(404, ERROR), { name: 'sample.zoo.example' });
  onTestFinished(() => routes.clear());
  for (const address of ours) routes.set(address, edge.port);
  const own = { serials: [serial] };
  const reach = reacherWithin(60_000);
  expect(await reach('sample.zoo.example', own, 'host.zoo.example', [], { isSample: true })).toEqual({
    edge: { kind: 'reached' },
    visitors: expect.objectContaining({ kind: 'unreachable', at: '8.8.7.9', isPartial: true }),
  });
  expect([asked.length, asked.includes('8.8.7.9')]).toEqual([2, true]);
});

test('what the name servers have by now is asked for beside what resolvers have cached', async () => {
  const { observed } = await served(answering(404, ERROR));
  expect(await observed(NAME, NAME, EDGE_ADDRESSES.A)).toMatchObject({ visitors: { kind: 'reached' } });
  const elsewhere = { kind: 'unreachable', at: '10.0.0.7', isPartial: true };
  expect(await observed(NAME, 'private.zoo.example')).toMatchObject({ visitors: elsewhere });
  expect(await observed(NAME, '10.0.0.7')).toMatchObject({ visitors: elsewhere });
  expect(await observed(NAME, 'none.zoo.example')).toMatchObject({ visitors: { kind: 'unreachable' } });
});

test('while a certificate is renewed, one of Amazon with the same names counts that was issued in that time', async () => {
  const amazon = await openCertificateAuthority(temporaryFolder(), 'CN=Amazon RSA 2048 M01, O=Amazon');
  const wrong = { kind: 'certificate_wrong' };
  const sinceMs = Date.now() - 60_000;
  const renewal = { names: [NAME], sinceMs };
  const { reach } = await served(answering(404, ERROR), { signedBy: amazon });
  edge.authority = amazon.certificate;
  expect(await reach(NAME, { serials: ['01'], renewal })).toEqual({ kind: 'reached' });
  expect(await reach(NAME, { serials: ['01'] })).toMatchObject(wrong);
  for (const other of [{ sinceMs: Date.now() + 60_000 }, { names: [NAME, 'zoo.example'] }]) {
    const own = { serials: ['01'], renewal: { ...renewal, ...other } };
    expect(await reach(NAME, own)).toMatchObject(wrong);
  }
  const { reach: reachOther } = await served(answering(404, ERROR));
  expect(await reachOther(NAME, { serials: ['01'], renewal })).toMatchObject(wrong);
});

describe('a domain is not reached', () => {
  const at: string | undefined = EDGE_ADDRESSES.A;
  const unreachable = (why: string, address = at) => ({ kind: 'unreachable', why, at: address });
  const certificateWrong = (why: string) => ({ kind: 'certificate_wrong', why, at });

  test.each([
    ['none.zoo.example', "The name doesn't exist."],
    ['text.zoo.example', 'The name has no IP address.'],
  ])('without an address: %s', async (name, why) => {
    const { reach } = await served(answering(404, ERROR));
    expect(await reach(name)).toEqual({ kind: 'unreachable', why });
  });

  test.each([
    ['SERVFAIL', 'Its name servers fail (SERVFAIL).'],
    ['REFUSED', 'Its name servers fail (SERVFAIL).'],
    ['silence', "Its name servers don't answer."],
  ] as const)('while its name servers fail: %s', async (fault, why) => {
    const name = `${fault.toLowerCase()}.zoo.example`;
    addRecords([[name, 'A', EDGE_ADDRESSES.A]]);
    dns.faults.set(name, fault);
    const { reach, observed } = await served(answering(404, ERROR));
    expect(await reach(name)).toEqual({ kind: 'unresolved', why });
    // Caches still have what was there before.
    expect(await observed(NAME, name)).toMatchObject({
      edge: { kind: 'reached' },
      visitors: { kind: 'unresolved', why, isPartial: true },
    });
  });

  test('for certain, while its addresses of one family are found, and look-ups of the other fail', async () => {
    const [{ resolver: healthy }] = dns.resolvers;
    const failing = await startDnsListener({
      isRecursive: true,
      reply: async question =>
        question.name === NAME && question.type === 'AAAA'
          ? emptyReply('SERVFAIL')
          : healthy.resolve(question),
    });
    onTestFinished(failing.stop);
    const { serial } = await served(answering(404, ERROR));
    const { visitors } = await reacherWithin(60_000, [failing.address])(NAME, { serials: [serial] }, EDGE);
    const why = 'Its name servers fail (SERVFAIL) when asked for its IPv6 addresses.';
    expect(visitors).toEqual({ kind: 'unconfirmed', why, isPartial: true });
  });

  test.each([
    ['private.zoo.example', '10.0.0.7', { isPartial: true }],
    ['mapped.zoo.example', '::ffff:a9fe:a9fe', {}],
    ['stale.zoo.example', '2001:db8::7', { isPartial: true }],
  ])(
    'at %s, which has an address that is not public and is not connected to',
    async (name, address, part) => {
      const connected = vi.spyOn(https.Agent.prototype, 'createConnection');
      onTestFinished(() => connected.mockRestore());
      const { reach } = await served(answering(404, ERROR), { name });
      expect(await reach(name)).toEqual({
        ...unreachable("It isn't a public IP address.", address),
        ...part,
      });
      expect(connected.mock.calls.map(([{ host }]) => host)).not.toContain(address);
    },
  );

  test('where nothing listens', async () => {
    const { server, reach } = await served(() => {});
    await new Promise(resolve => server.close(resolve));
    expect(await reach()).toEqual(unreachable('The connection was refused.'));
  });

  test('when there is no response in time, or no end of it', async () => {
    const silent = await served(() => {}, { budgetMs: 200 });
    expect(await silent.reach()).toEqual(unreachable('There was no response in time.'));
    const dripping = await served((_, response) => response.writeHead(200).write('{'), { budgetMs: 200 });
    expect(await dripping.reach()).toMatchObject({ kind: 'unreachable' });
  });

  test('nor known to be elsewhere, when no name can be looked up', async () => {
    expect(await reacherWithin(200, ['127.0.0.1:9'])(NAME, { serials: [] }, EDGE)).toMatchObject({
      edge: { kind: 'unreachable' },
      visitors: { kind: 'unconfirmed' },
    });
  });

  test('with another certificate of the name than its own', async () => {
    const { reach } = await served(answering(404, ERROR));
    const other = certificateWrong("It isn't the one issued for the domain.");
    expect(await reach(NAME, { serials: ['0a:0b:0c'] })).toEqual(other);
  });

  test('with a certificate of another name, that has expired, or that nobody trusts', async () => {
    const signedBy = await openCertificateAuthority(temporaryFolder());
    for (const [options, why] of [
      [{ name: 'other.zoo.example' }, "It's for another name."],
      [{ startsAtMs: Date.UTC(2020, 0) }, "It has expired, or isn't valid yet."],
      [{ signedBy }, "It isn't from a certificate authority that browsers trust."],
    ] as const) {
      const { reach } = await served(answering(404, ERROR), options);
      expect(await reach()).toEqual(certificateWrong(why));
    }
  });

  test.each([
    ['an unmapped domain name', answering(403, { message: 'Forbidden' }, { 'x-amzn-RequestId': '1' })],
    ['a web page of somebody else', answering(200, '<html>')],
    ['an answer that is not JSON', answering(404, '{')],
  ])('when %s answers', async (_, answer) => {
    const { reach } = await served(answer);
    expect(await reach()).toMatchObject({ kind: 'answer_foreign' });
  });

  const endlessly = (response: ServerResponse, text: string) => {
    const { socket } = response;
    const write = () => {
      while (socket?.writable && socket.write(text)) sent += text.length;
    };
    socket?.on('drain', write);
    write();
  };
  let sent = 0;
  test.each<[what: string, kind: string, answer: RequestListener]>([
    ['interim responses', 'unreachable', (_, response) => endlessly(response, 'HTTP/1.1 103 Hint\r\n\r\n')],
    ['headers', 'unreachable', (_, response) => endlessly(response, 'HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n')],
    [
      'a body',
      'answer_foreign',
      (_, response) => {
        response.writeHead(200).write('{');
        endlessly(response, '400\r\n'.padEnd(0x405, ' ').concat('\r\n'));
      },
    ],
  ])('by a server that sends %s without end', async (_, kind, answer) => {
    const { reach } = await served(answer);
    sent = 0;
    expect(await reach()).toMatchObject({ kind });
    expect(sent).toBeLessThan(2 ** 24);
  });

  test('by a server that switches protocols', async () => {
    const { reach } = await served((_, { socket }) => {
      socket?.write('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    });
    expect(await reach()).toEqual(unreachable('The connection failed.'));
  });
});
