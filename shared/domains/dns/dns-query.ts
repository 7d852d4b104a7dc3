import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type Answer, decode, encode, type Packet, RECURSION_DESIRED, streamEncode } from 'dns-packet';

export interface DnsQuestion {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'NS' | 'CAA' | 'SOA' | 'MX';
}

export interface DnsResponse {
  readonly code: string;
  /** Whether the server is one of the zone of the name. */
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
  readonly additionals: readonly Answer[];
}

interface QueryOptions {
  /** Whether the server is asked to find the answer elsewhere. */
  readonly isRecursive: boolean;
  /** How long the server may take. */
  readonly timeoutMs: number;
  /** Ends the query early: the budget of a check is used up, or another server has answered. */
  readonly signal: AbortSignal;
}

/** The server did not answer. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const DNS_PORT = 53;

/** The response codes in their order; the code is the last four bits of the flags. */
const CODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
const CODE_MASK = 0xf;
const MAX_ID = 2 ** 16;

/** A UDP message may be lost: the query is sent three times within the time that the server has. */
const SENDINGS = 3;
const LENGTH_BYTES = 2;

/** Asks a DNS server, given as 192.0.2.53 or 192.0.2.53:5353, over UDP, and over TCP when the response is truncated. */
export async function query(
  server: string,
  question: DnsQuestion,
  options: QueryOptions,
): Promise<DnsResponse> {
  const packet: Packet = {
    type: 'query',
    id: randomInt(MAX_ID),
    flags: options.isRecursive ? RECURSION_DESIRED : 0,
    questions: [question],
  };
  if (options.signal.aborted) throw new NoAnswer('no answer');
  const limit = new AbortController();
  const { signal } = limit;
  const abort = () => limit.abort();
  const timer = setTimeout(abort, options.timeoutMs);
  options.signal.addEventListener('abort', abort);
  try {
    const [host, port] = endpointOf(server);
    const response = await overUdp(host, port, packet, signal, options.timeoutMs / SENDINGS);
    return responseOf(response.flag_tc ? await overTcp(host, port, packet, signal) : response);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
  }
}

type Decoded = ReturnType<typeof decode>;

function overUdp(
  host: string,
  port: number,
  packet: Packet,
  signal: AbortSignal,
  intervalMs: number,
): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const message = encode(packet);
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      socket.close();
    };
    const fail = (cause?: Error | null) => {
      end();
      reject(new NoAnswer('no answer', { cause }));
    };
    // A datagram to a port where nobody listens comes back as an error.
    const send = () => socket.send(message, error => error && fail(error));
    socket.on('error', fail);
    socket.on('message', received => {
      const response = decoded(received);
      if (!response || !isResponseTo(response, packet)) return;
      end();
      resolve(response);
    });
    signal.addEventListener('abort', () => fail());
    // A connected socket receives from this server only.
    socket.connect(port, host, () => {
      send();
      timer = setInterval(send, intervalMs);
    });
  });
}

function overTcp(host: string, port: number, packet: Packet, signal: AbortSignal): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    let received = Buffer.alloc(0);
    const fail = (cause?: Error) => {
      socket.destroy();
      reject(new NoAnswer('no answer', { cause }));
    };
    socket.on('error', fail);
    socket.on('close', () => fail());
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (received.length < LENGTH_BYTES) return;
      const length = LENGTH_BYTES + received.readUInt16BE();
      if (received.length < length) return;
      const response = decoded(received.subarray(LENGTH_BYTES, length));
      if (!response || !isResponseTo(response, packet)) return fail();
      resolve(response);
      socket.destroy();
    });
    signal.addEventListener('abort', () => fail());
    socket.write(streamEncode(packet));
  });
}

function endpointOf(server: string): [host: string, port: number] {
  const [, host = server, port = DNS_PORT] = /^([\d.]+):(\d+)$/.exec(server) ?? [];
  return [host, Number(port)];
}

function decoded(message: Buffer): Decoded | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

function isResponseTo(response: Decoded, { id, questions: [asked] = [] }: Packet): boolean {
  const [echoed] = response.questions ?? [];
  return (
    response.flag_qr &&
    response.id === id &&
    echoed?.name.toLowerCase() === asked?.name.toLowerCase() &&
    echoed?.type === asked?.type
  );
}

function responseOf({ flags = 0, flag_aa, answers, authorities, additionals }: Decoded): DnsResponse {
  return {
    code: CODES[flags & CODE_MASK] ?? 'FORMERR',
    isAuthoritative: flag_aa,
    answers: answers ?? [],
    authorities: authorities ?? [],
    additionals: additionals ?? [],
  };
}

/** A name as this service compares and stores names: in lower case, without the dot that DNS and AWS end names with. */
export function withoutTrailingDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
