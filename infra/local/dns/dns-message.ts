import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

export interface Question {
  readonly name: string;
  readonly type: string;
}

/** The reply of a name server or a resolver to a question. */
export interface Reply {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
  /** Whether it comes from a server of the zone itself. A referral and an answer of a resolver do not. */
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
  /** The SOA record of the zone when the name or the record does not exist; the NS records of a referral. */
  readonly authorities: readonly Answer[];
  /** The IP addresses of the name servers of a referral that the zone itself has. */
  readonly additionals: readonly Answer[];
}

/** A reply without records. */
export function emptyReply(code: Reply['code'], isAuthoritative = false): Reply {
  return { code, isAuthoritative, answers: [], authorities: [], additionals: [] };
}

/** Replies to questions. */
export interface Responder {
  /** Whether recursion is available. */
  readonly isRecursive: boolean;
  reply(question: Question, isRecursionDesired: boolean): Promise<Reply | 'silence'>;
  /** Whether the reply to the question is truncated over UDP, whatever its length. */
  isTruncated?(question: Question): boolean;
}

type Transport = 'udp' | 'tcp';

/** The response codes, which are the last four bits of the flags. */
const RESPONSE_CODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** The limit of UDP without EDNS (RFC 1035), and the limit with EDNS: 1232 bytes are not fragmented anywhere. */
const PLAIN_UDP_BYTES = 512;
const EDNS_UDP_BYTES = 1232;

const OPCODE_MASK = 0xf << 11;

/** The response to a message, or undefined for none. A response that is too long for UDP is sent empty and truncated. */
export async function respond(
  responder: Responder,
  message: Buffer,
  transport: Transport,
): Promise<Buffer | undefined> {
  const query = decoded(message);
  if (query === undefined || query.flag_qr) return undefined;
  const response = await responseTo(query, responder);
  if (response === undefined) return undefined;
  const encoded = encode(response);
  const [question] = query.questions ?? [];
  const isTruncated =
    encoded.length > udpLimit(query) || (question !== undefined && responder.isTruncated?.(question));
  if (transport === 'tcp' || !isTruncated) return encoded;
  const flags = (response.flags ?? 0) | TRUNCATED_RESPONSE;
  return encode({ ...response, flags, answers: [], authorities: [], additionals: optionsOf(query) });
}

function decoded(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

async function responseTo(query: DecodedPacket, responder: Responder): Promise<Packet | undefined> {
  const { id, questions = [] } = query;
  const queryFlags = query.flags ?? 0;
  const isRecursionDesired = (queryFlags & RECURSION_DESIRED) !== 0;
  const response = (code: keyof typeof RESPONSE_CODES, reply?: Reply): Packet => ({
    type: 'response',
    id,
    flags:
      RESPONSE_CODES[code] |
      (reply?.isAuthoritative ? AUTHORITATIVE_ANSWER : 0) |
      (responder.isRecursive ? RECURSION_AVAILABLE : 0) |
      (isRecursionDesired ? RECURSION_DESIRED : 0),
    questions,
    answers: [...(reply?.answers ?? [])],
    authorities: [...(reply?.authorities ?? [])],
    additionals: [...(reply?.additionals ?? []), ...optionsOf(query)],
  });
  const [question] = questions;
  if ((queryFlags & OPCODE_MASK) !== 0) return response('NOTIMP');
  if (question === undefined || questions.length > 1) return response('FORMERR');
  const reply = await responder.reply(question, isRecursionDesired);
  return reply === 'silence' ? undefined : response(reply.code, reply);
}

type OptionRecord = Extract<Answer, { type: 'OPT' }>;

const OPTION: OptionRecord = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: EDNS_UDP_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** The response has an OPT record when the query has one. */
function optionsOf(query: DecodedPacket): OptionRecord[] {
  return optionOf(query) === undefined ? [] : [OPTION];
}

function optionOf({ additionals = [] }: DecodedPacket): OptionRecord | undefined {
  return additionals.find(record => record.type === 'OPT');
}

function udpLimit(query: DecodedPacket): number {
  const asked = optionOf(query)?.udpPayloadSize ?? PLAIN_UDP_BYTES;
  return Math.max(PLAIN_UDP_BYTES, Math.min(asked, EDNS_UDP_BYTES));
}
