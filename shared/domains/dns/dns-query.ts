import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type Answer, decode, encode, type Packet, RECURSION_DESIRED, streamEncode } from 'dns-packet';

export interface DnsQuestion {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'NS' | 'CAA' | 'SOA' | 'MX';
}

/** A record of a response. Its texts come from outside: they're short and printable, but may say anything. */
export interface DnsRecord {
  readonly name: string;
  readonly type: Answer['type'];
  /** Names in it have no dot at their end. */
  readonly value: string;
  /** In seconds: at a resolver the rest of it, at the zone's servers all of it. */
  readonly ttl: number;
}

export interface DnsResponse {
  readonly code: string;
  /** Whether the server is one of the name's zone. */
  readonly isAuthoritative: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
}

/** Counts what servers send, in bytes. */
export type Spend = (bytes: number) => void;

interface QueryOptions {
  /** Whether the server is asked to find the answer elsewhere. */
  readonly isRecursive: boolean;
  /** How long the server may take. */
  readonly timeoutMs: number;
  /** Ends the query early: the check's budget is used up, or another server has answered. */
  readonly signal: AbortSignal;
  /** Called for everything that the server sends. */
  readonly spend?: Spend | undefined;
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

/** UDP messages may be lost, so the query is sent three times within the server's time. */
const SENDINGS = 3;
const LENGTH_BYTES = 2;

/** Larger responses, or ones with more records, aren't read: a domain's owner may run any server. */
const MAX_RESPONSE_BYTES = 8192;
export const MAX_RECORDS = 128;
/** Of a header, whose bytes 6 to 11 count the records. */
const HEADER_BYTES = 12;

/**
 * What a message costs: at least this much, and more with its records, since each may have names compressed to a chain of
 * pointers through the whole message.
 */
const LEAST_COST_BYTES = 512;
const RECORDS_PER_COST = 16;

const MAX_TEXT_LENGTH = 255;

/**
 * Aborts after this time, but first reads what has arrived by then: work on other domains may have kept this thread from
 * reading it.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => setImmediate(() => limit.abort()), ms).unref();
  return limit.signal;
}

/** Asks a DNS server, given as 192.0.2.53 or 192.0.2.53:5353, over UDP, then over TCP if the response is truncated. */
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
  const signal = AbortSignal.any([options.signal, timeLimit(options.timeoutMs)]);
  const [host, port] = endpointOf(server);
  const exchange = { host, port, packet, signal, spend: options.spend ?? (() => {}) };
  const response = await overUdp(exchange, options.timeoutMs / SENDINGS);
  return responseOf(response.flag_tc ? await overTcp(exchange) : response);
}

type Decoded = ReturnType<typeof decode>;

interface Exchange {
  readonly host: string;
  readonly port: number;
  readonly packet: Packet;
  readonly signal: AbortSignal;
  readonly spend: Spend;
}

function overUdp({ host, port, packet, signal, spend }: Exchange, intervalMs: number): Promise<Decoded> {
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
    // A datagram to a port that nobody listens on comes back as an error.
    const send = () => socket.send(message, error => error && fail(error));
    socket.on('error', fail);
    socket.on('message', received => {
      if (isOver) return;
      spend(Math.max(received.length, LEAST_COST_BYTES));
      const response = responseTo(packet, received, spend);
      if (!response) return;
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

function overTcp({ host, port, packet, signal, spend }: Exchange): Promise<Decoded> {
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
      spend(Math.max(chunk.length, LEAST_COST_BYTES));
      received = Buffer.concat([received, chunk]);
      if (received.length < LENGTH_BYTES) return;
      const length = received.readUInt16BE();
      if (length > MAX_RESPONSE_BYTES) return fail();
      if (received.length < LENGTH_BYTES + length) return;
      const response = responseTo(packet, received.subarray(LENGTH_BYTES, LENGTH_BYTES + length), spend);
      if (!response) return fail();
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

/** The response to a query; undefined for any other message, and for one that is too large or can't be read. */
function responseTo(
  { id, questions: [asked] = [] }: Packet,
  message: Buffer,
  spend: Spend,
): Decoded | undefined {
  if (message.length < HEADER_BYTES || message.length > MAX_RESPONSE_BYTES) return undefined;
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  if (message.readUInt16BE() !== id || records > MAX_RECORDS) return undefined;
  spend((records / RECORDS_PER_COST) * message.length);
  try {
    const response = decode(message);
    const [echoed, ...others] = response.questions ?? [];
    const isSame = echoed?.name.toLowerCase() === asked?.name.toLowerCase() && echoed?.type === asked?.type;
    return response.flag_qr && isSame && others.length === 0 ? response : undefined;
  } catch {
    return undefined;
  }
}

function responseOf({ flags = 0, flag_aa, answers, authorities, additionals }: Decoded): DnsResponse {
  return {
    code: CODES[flags & CODE_MASK] ?? 'FORMERR',
    isAuthoritative: flag_aa,
    answers: (answers ?? []).map(recordOf),
    authorities: (authorities ?? []).map(recordOf),
    additionals: (additionals ?? []).map(recordOf),
  };
}

/** A record in this service's form. */
export function recordOf(answer: Answer): DnsRecord {
  return {
    name: printable(withoutTrailingDot(answer.name)),
    type: answer.type,
    value: printable(textOf(answer)),
    ttl: ('ttl' in answer && answer.ttl) || 0,
  };
}

function textOf(answer: Answer): string {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data;
    case 'CNAME':
    case 'NS':
      return withoutTrailingDot(answer.data);
    case 'TXT':
      return [answer.data].flat().map(String).join('');
    case 'CAA':
      return `${answer.data.flags ?? 0} ${answer.data.tag} "${answer.data.value}"`;
    case 'MX':
      return `${answer.data.preference} ${withoutTrailingDot(answer.data.exchange)}`;
    case 'SOA':
      return withoutTrailingDot(answer.data.mname);
    default:
      return '';
  }
}

/**
 * The beginning of a text. Characters that a terminal, an email or a log would act on (control characters, line breaks, marks
 * that change the writing direction) are replaced, not removed: removal could turn the text into another one.
 */
function printable(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** A name the way this service compares and stores names: in lowercase, without the trailing dot of DNS and AWS. */
export function withoutTrailingDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
