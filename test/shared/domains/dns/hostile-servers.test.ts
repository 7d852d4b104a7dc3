import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCertificateAuthority } from '../../../../infra/local/testing/certificate-authority.ts';
import {
  dnsRecord,
  emptyReply,
  type Reply,
  type Responder,
  startDnsListener,
} from '../../../../infra/local/testing/dns.ts';
import { EDGE_ADDRESSES, nameServerAddress } from '../../../../infra/local/testing/public-addresses.ts';
import { Random } from '../../../../infra/local/testing/random.ts';
import { edge, routeTo } from '../../../../infra/local/testing/routed-sockets.ts';
import { type Line, served } from '../../../../infra/local/testing/served-zones.ts';
import { temporaryFolder } from '../../../../infra/local/testing/temporary-folder.ts';
import { checkDns } from '../../../../shared/domains/dns/check-dns.ts';
import { query } from '../../../../shared/domains/dns/dns-query.ts';
import { authoritativeLookup, resolverLookup } from '../../../../shared/domains/dns/lookup.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import { vantagePointsFor } from '../../../../shared/domains/dns/vantage-points.ts';
import { tendAffected } from '../../../../shared/domains/pass/scheduled-work.ts';
import { reacher } from '../../../../shared/domains/reach.ts';
import { certified, live, TARGET, VALIDATION } from '../claimed-domain.ts';
import { flowWorld } from '../pass/flow-world.ts';

vi.mock('node:dgram', async () => (await import('../../../../infra/local/testing/routed-sockets.ts')).dgram);
vi.mock('node:net', async () => (await import('../../../../infra/local/testing/routed-sockets.ts')).net);
vi.mock('node:https', async () => (await import('../../../../infra/local/testing/routed-sockets.ts')).https);

/** The sizes of the responses that were decoded, here or in a server: the work that others can cause. */
const decoded: number[] = [];
vi.mock('dns-packet', async original => {
  const actual = await original<typeof import('dns-packet')>();
  const counting = (message: Buffer) => {
    if (message[2] !== undefined && message[2] >= 128) decoded.push(message.length);
    return actual.decode(message);
  };
  return { ...actual, decode: counting };
});

const EIGHT_KILOBYTES = 8192;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const LIMITS = { timeoutMs: 30_000, budget: new AbortController().signal, silent: new Set<string>() };

/** What a server sends for a query: datagrams, or messages over TCP. */
type Attack = (packet: Packet, transport: 'udp' | 'tcp') => readonly Buffer[];

/** A name server that sends whatever it likes; returns its public address. */
async function hostileServer(attack: Attack): Promise<string> {
  const tcp = createServer(connection => {
    connection.on('error', () => {});
    connection.once('data', chunk => {
      for (const message of attack(decode(chunk.subarray(2)), 'tcp')) {
        connection.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4').bind(port, '127.0.0.1');
  await once(udp, 'listening');
  let isClosed = false;
  udp.on('message', async (message, from) => {
    for (const response of attack(decode(message), 'udp')) {
      if (isClosed) return;
      udp.send(response, from.port, from.address);
      // So that the buffers of the system take them all.
      await new Promise(resolve => setImmediate(resolve));
    }
  });
  onTestFinished(() => {
    isClosed = true;
    tcp.close();
    udp.close();
  });
  return nameServerAddress(port);
}

const responseTo = ({ id, questions }: Packet, rest: Packet = {}): Packet => ({
  type: 'response',
  id,
  flags: AUTHORITATIVE_ANSWER,
  questions,
  ...rest,
});
const truncated = (packet: Packet) => [
  encode(responseTo(packet, { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE })),
];
const askedIn = ({ questions: [question] = [] }: Packet) => question?.name ?? '';

/** A response with this section in place of its answers. */
function withAnswers(packet: Packet, count: number, answers: Buffer): Buffer {
  const message = Buffer.concat([encode(responseTo(packet)), answers]);
  message.writeUInt16BE(count, 6);
  return message;
}

const CNAME_HEADER = Buffer.from([0, 5, 0, 1, 0, 0, 0, 60]);

/** 2,900 CNAMEs, each of which leads to the next: 64 kB. */
const CHAINED: Attack = (packet, transport) => {
  if (transport === 'udp') return truncated(packet);
  const label = (index: number) => Buffer.from([4, ...Buffer.from(String(1000 + index)), 0]);
  const records = Array.from({ length: 2900 }, (_, index) =>
    Buffer.concat([label(index), CNAME_HEADER, Buffer.from([0, 6]), label(index + 1)]),
  );
  return [withAnswers(packet, records.length, Buffer.concat(records))];
};

/** As many names as are read, each compressed to the end of a chain of pointers: just below 8 kB. */
const POINTERS: Attack = (packet, transport) => {
  if (transport === 'udp') return truncated(packet);
  const start = encode(responseTo(packet)).length + 11;
  // The first record holds the chain as data of an unknown type.
  const chain = Buffer.alloc(6000);
  for (let at = 2; at < chain.length; at += 2) chain.writeUInt16BE(0xc000 + start + at - 2, at);
  const unknown = Buffer.from([0, 0xff, 0x00, 0, 1, 0, 0, 0, 60, chain.length >> 8, chain.length & 255]);
  const end = 0xc000 + start + chain.length - 2;
  const pointer = Buffer.from([end >> 8, end & 255]);
  const record = Buffer.concat([pointer, CNAME_HEADER, Buffer.from([0, 2]), pointer]);
  return [withAnswers(packet, 128, Buffer.concat([unknown, chain, ...Array(127).fill(record)]))];
};

const ESCAPE = '\u001b]0;owned\u0007\r\n::error::\u202e\u2028!';

/** CNAMEs and TXT records with escape codes and line breaks. */
const ESCAPING: Attack = packet => {
  const name = askedIn(packet);
  const answers: Answer[] =
    packet.questions?.[0]?.type === 'TXT'
      ? Array.from({ length: 25 }, (_, index) => ({ name, type: 'TXT', data: [ESCAPE, `${index}`] }))
      : [{ name, type: 'CNAME', data: `${ESCAPE}.example` }];
  return [encode(responseTo(packet, { answers }))];
};

/** A TXT record of 60 kB. */
const LENGTHY: Attack = (packet, transport) =>
  transport === 'udp'
    ? truncated(packet)
    : [
        encode(
          responseTo(packet, {
            answers: [{ name: askedIn(packet), type: 'TXT', data: Array(240).fill('x'.repeat(250)) }],
          }),
        ),
      ];

/** Datagrams without end, of which none is the response. */
const FLOODING: Attack = packet => Array(2000).fill(encode({ ...responseTo(packet), questions: [] }));

test.each([
  ['a chain of 2,900 CNAMEs', CHAINED, { kind: 'unknown', why: 'no answer' }],
  ['a TXT record of 60 kB', LENGTHY, { kind: 'unknown', why: 'no answer' }],
  ['names that are chains of pointers', POINTERS, { kind: 'none' }],
])('%s is read as far as 8 kB', async (_, attack, found) => {
  decoded.length = 0;
  const lookup = authoritativeLookup([await hostileServer(attack)], { ...LIMITS, silent: new Set() });
  expect(await lookup('www.zoo.example', 'TXT')).toEqual(found);
  expect(Math.max(...decoded)).toBeLessThanOrEqual(EIGHT_KILOBYTES);
});

test('a chain of 16 CNAMEs is followed, and no longer one', async () => {
  const chain =
    (length: number): Attack =>
    packet => {
      const answers = Array.from({ length }, (_, index) => ({
        name: index === 0 ? askedIn(packet) : `${index}.example`,
        type: 'CNAME' as const,
        data: `${index + 1}.example`,
      }));
      return [
        encode(
          responseTo(packet, {
            answers: [...answers, { name: `${length}.example`, type: 'TXT', data: 'end' }],
          }),
        ),
      ];
    };
  const found = async (length: number) => {
    const address = await hostileServer(chain(length));
    routeTo(`127.0.0.1:${portOf(address)}`, '');
    return resolverLookup('1.1.1.1', LIMITS)('www.zoo.example', 'TXT');
  };
  expect(await found(16)).toEqual({ kind: 'records', values: ['end'], canonical: '16.example' });
  expect(await found(17)).toEqual({ kind: 'none' });
});

const portOf = (address: string) => {
  const [, , high, low] = address.split('.').map(Number);
  return (high ?? 0) * 256 + (low ?? 0);
};

test('texts of others are cut, and have nothing that a terminal, a mail or a log acts on', async () => {
  const lookup = authoritativeLookup([await hostileServer(ESCAPING)], LIMITS);
  const texts = await lookup('www.zoo.example', 'TXT');
  const target = await lookup('www.zoo.example', 'A');
  expect(texts).toMatchObject({
    kind: 'records',
    values: expect.arrayContaining(['\ufffd]0;owned\ufffd\ufffd\ufffd::error::\ufffd\ufffd!0']),
  });
  expect(target).toEqual({
    kind: 'alias',
    target: '\ufffd]0;owned\ufffd\ufffd\ufffd::error::\ufffd\ufffd!.example',
  });
  expect(texts).toHaveProperty('values.length', 20);
});

test('6,000 damaged responses are read or ignored', async () => {
  const random = new Random(39);
  const name = 'www.zoo.example';
  const whole = (packet: Packet) =>
    responseTo(packet, {
      answers: [
        { name, type: 'CNAME', data: 'a.example' },
        { name: 'a.example', type: 'TXT', data: ['text', 'more'] },
        { name, type: 'MX', data: { preference: 10, exchange: 'mail.example' } },
        { name, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'amazon.com' } },
        { name, type: 'AAAA', data: '2001:db8::1' },
      ],
      authorities: [
        {
          name,
          type: 'SOA',
          data: { mname: 'a', rname: 'b', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
        },
      ],
      additionals: [{ name, type: 'A', data: '192.0.2.1' }],
    });
  const end = (packet: Packet) =>
    encode(responseTo(packet, { answers: [{ name, type: 'TXT', data: 'end' }] }));
  const address = await hostileServer(packet => {
    const damaged = Buffer.concat([encode(whole(packet)), Buffer.alloc(random.between(0, 20))]);
    // Half of them keep the header and the question, so that they are read to the end.
    const first = random.between(0, 1) === 0 ? 0 : 12 + name.length + 6;
    for (let changes = random.between(1, 4); changes > 0; changes -= 1) {
      damaged[random.between(first, damaged.length - 1)] = random.between(0, 255);
    }
    const length = random.chance(0.25) ? random.between(first, damaged.length) : damaged.length;
    return [damaged.subarray(0, length), end(packet)];
  });
  const options = { isRecursive: false, timeoutMs: 30_000, signal: LIMITS.budget };
  const ask = () => query(address, { name, type: 'TXT' }, options).catch(({ message }) => message);
  let damagedOnes = 0;
  for (let round = 0; round < 120; round += 1) {
    for (const read of await Promise.all(Array.from({ length: 50 }, ask))) {
      if (read === 'no answer') continue;
      const records = [...read.answers, ...read.authorities, ...read.additionals];
      expect(records.length).toBeLessThanOrEqual(128);
      expect(records.every(({ value }) => value.length <= 255 && !UNPRINTABLE.test(value))).toBe(true);
      if (records[0]?.value !== 'end') damagedOnes += 1;
    }
  }
  expect(damagedOnes).toBeGreaterThan(600);
});

test('eight hostile domains leave eight healthy ones as they are, and their own records small', async () => {
  const healthy = Array.from({ length: 8 }, (_, index) => `www.healthy-${index}.com`);
  const hostile = Array.from({ length: 8 }, (_, index) => `www.hostile-${index}.com`);
  const attacks = [CHAINED, POINTERS, ESCAPING, FLOODING];
  const addresses = await Promise.all(hostile.map((_, index) => hostileServer(attacks[index % 4] as Attack)));
  const zoneOf = (domain: string) => `${domain.slice(domain.indexOf('.') + 1)}.`;
  const hosted = healthy.map(domain => [zoneOf(domain), [[`${domain}.`, 'CNAME', TARGET]]] as const);
  const { dns, setRecords, serversOf } = await served({
    'com.': [],
    'apps.petstore.example.': [[`${TARGET}.`, 'A', EDGE_ADDRESSES.A]],
    'zoo.example.': [[`${VALIDATION.name}.`, 'CNAME', VALIDATION.value]],
    ...Object.fromEntries(hosted),
  });
  setRecords('com.', [
    ...healthy.map((domain): Line => [zoneOf(domain), 'NS', ...serversOf(zoneOf(domain))]),
    ...hostile.flatMap((domain, index): Line[] => [
      [zoneOf(domain), 'NS', `ns.${zoneOf(domain)}`],
      [`ns.${zoneOf(domain)}`, 'A', addresses[index] ?? ''],
    ]),
  ]);
  routeTo(dns.resolvers[0].address, dns.resolvers[1].address);
  const serial = await serveEdge(healthy);
  const resolvers = ['1.1.1.1', '8.8.8.8'];
  const reach = reacher(resolvers, {
    secret: 'secret',
    gatewayAddresses: async () => new Set(),
    budgetMs: 60_000,
  });
  const world = await flowWorld({
    scale: 0.001,
    vantagePoints: domain => vantagePointsFor(domain, resolvers, { budgetMs: 120_000, timeoutMs: 30_000 }),
    reach: (domain, _, ...rest) => reach(domain, { serials: [serial] }, ...rest),
  });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  for (const domain of [...healthy, ...hostile]) {
    world.attach(domain);
    await world.stored(live({ domain, zone: zoneOf(domain).slice(0, -1), certificate: certified() }));
  }
  decoded.length = 0;
  expect(await tendAffected(world.parts, [certified().arn ?? ''])).toBe(16);
  for (const domain of healthy) {
    const { status, records } = await world.found(domain);
    expect({ domain, status, states: records.map(({ state }) => state) }).toEqual({
      domain,
      status: 'live',
      states: ['ok', 'ok'],
    });
  }
  for (const domain of hostile) {
    const text = JSON.stringify(await world.found(domain));
    expect(text.length).toBeLessThan(10_000);
    expect(text).not.toMatch(UNPRINTABLE);
  }
  expect(Math.max(...decoded)).toBeLessThanOrEqual(EIGHT_KILOBYTES);
  // Two domains send pointers, and each is looked up twice.
  expect(decoded.filter(size => size > EIGHT_KILOBYTES / 2).length).toBeLessThanOrEqual(2 * 2 * 5);
});

/** Serves these names at the edge as the service does; returns the serial number of their certificate. */
async function serveEdge(names: readonly string[]): Promise<string> {
  const authority = await openCertificateAuthority(temporaryFolder());
  const { certificate, privateKey, serial } = await authority.sign(names, 'EC_prime256v1', Date.now());
  const server = createSecureServer({ cert: certificate, key: privateKey }, (_, response) => {
    response.writeHead(404).end('{"code":"not_found","message":"","status":404}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  Object.assign(edge, { port: (server.address() as AddressInfo).port, authority: authority.certificate });
  return serial;
}

async function listening(responder: Responder) {
  const listener = await startDnsListener(responder);
  onTestFinished(listener.stop);
  return listener;
}

/** A resolver that knows the six name servers of zoo.com, all of them silent, and fails by `fault` for other names. */
async function silentZone(fault: Reply | 'silence') {
  const questions: string[] = [];
  const silent = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      listening({
        isRecursive: false,
        reply: async ({ type }) => {
          questions.push(`${index} ${type}`);
          return 'silence';
        },
      }),
    ),
  );
  const resolver = await listening({
    isRecursive: true,
    reply: async ({ name, type }) => {
      const answers =
        name === 'zoo.com' && type === 'NS'
          ? silent.map((_, index) => dnsRecord('NS', name, 60, `ns${index}.provider.test`))
          : silent.flatMap(({ port }, index) =>
              name === `ns${index}.provider.test` ? [dnsRecord('A', name, 60, nameServerAddress(port))] : [],
            );
      return answers.length > 0 ? { ...emptyReply('NOERROR'), answers } : fault;
    },
  });
  routeTo(resolver.address, resolver.address);
  return {
    /** Which servers were asked for which types, without repetitions. */
    asked: () => [...new Set(questions)].toSorted(),
    pointsFor: (limits: { budgetMs: number; timeoutMs: number }) =>
      vantagePointsFor('www.zoo.com', ['1.1.1.1', '8.8.8.8'], limits),
  };
}

const REQUIRED = requiredRecords({
  domain: 'www.zoo.com',
  kind: 'subdomain',
  status: 'verifying',
  records: [],
  zone: 'zoo.com',
  target: 'host.apps.platform.test',
  challenge: 'unused',
  certificate: { validations: [{ name: '_v.www.zoo.com', value: '_w.acm-validations.aws' }] },
});

test('asks at most four silent name servers, all at once, and each only once', async () => {
  const { pointsFor, asked } = await silentZone(emptyReply('SERVFAIL'));
  // Long enough for the resolver on a busy machine; the silent servers take it once.
  const points = await pointsFor({ budgetMs: 60_000, timeoutMs: 1500 });
  expect(points).toMatchObject({ zone: undefined, isApex: false });
  const records = await checkDns(REQUIRED, 'zoo.com', points);
  expect(records.map(({ state }) => state)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(asked()).toEqual(['0 SOA', '1 SOA', '2 SOA', '3 SOA']);
});

test('ends a whole check when its budget is used up', async () => {
  const { pointsFor } = await silentZone('silence');
  const startedMs = performance.now();
  const points = await pointsFor({ budgetMs: 150, timeoutMs: 200_000 });
  const records = await checkDns(REQUIRED, 'zoo.com', points);
  expect(records.map(({ state }) => state)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(performance.now() - startedMs).toBeLessThan(150_000);
});

test('finds nothing, and does not throw, when nobody listens at the address of a server', async () => {
  const points = await vantagePointsFor('www.zoo.com', ['127.0.0.1:1']);
  expect(points).toMatchObject({ zone: undefined, authoritative: undefined });
  expect(await points.resolvers[0]?.('www.zoo.com', 'A')).toEqual({ kind: 'unknown', why: 'no answer' });
});
