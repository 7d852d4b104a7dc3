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
import type { DnsResolution } from './resolution.ts';

/** The response codes, which are the last four bits of the flags. */
const RESPONSE_CODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4 };

/** The limit of UDP without EDNS (RFC 1035), and the limit with EDNS: 1232 bytes are not fragmented anywhere. */
const PLAIN_UDP_BYTES = 512;
const EDNS_UDP_BYTES = 1232;

const OPCODE_MASK = 0xf << 11;

/** The response to a message, or undefined for none. A response that is too long for UDP is sent empty and truncated. */
export function respond(resolution: DnsResolution, message: Buffer, transport: 'udp' | 'tcp') {
  const query = decoded(message);
  if (query === undefined || query.flag_qr) return undefined;
  const response = responseTo(query, resolution);
  if (response === undefined) return undefined;
  const encoded = encode(response);
  if (transport === 'tcp' || encoded.length <= udpLimit(query)) return encoded;
  const flags = (response.flags ?? 0) | TRUNCATED_RESPONSE;
  return encode({ ...response, flags, answers: [], authorities: [] });
}

function decoded(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

function responseTo(query: DecodedPacket, resolution: DnsResolution): Packet | undefined {
  const { id, questions = [] } = query;
  const queryFlags = query.flags ?? 0;
  const isRecursive = (queryFlags & RECURSION_DESIRED) !== 0;
  const response = (code: keyof typeof RESPONSE_CODES, sections: Partial<Packet> = {}): Packet => ({
    type: 'response',
    id,
    flags:
      RESPONSE_CODES[code] |
      AUTHORITATIVE_ANSWER |
      RECURSION_AVAILABLE |
      (isRecursive ? RECURSION_DESIRED : 0),
    questions,
    ...sections,
    ...(optionOf(query) !== undefined && { additionals: [OPTION] }),
  });
  const [question] = questions;
  if ((queryFlags & OPCODE_MASK) !== 0) return response('NOTIMP');
  if (question === undefined || questions.length > 1) return response('FORMERR');
  const resolved = resolution.resolve(question, isRecursive);
  if (resolved === 'silence') return undefined;
  if (resolved === 'SERVFAIL') return response('SERVFAIL');
  return response(resolved.code, {
    answers: [...resolved.answers],
    authorities: [...resolved.authorities],
  });
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

function optionOf({ additionals = [] }: DecodedPacket): OptionRecord | undefined {
  return additionals.find(record => record.type === 'OPT');
}

function udpLimit(query: DecodedPacket): number {
  const asked = optionOf(query)?.udpPayloadSize ?? PLAIN_UDP_BYTES;
  return Math.max(PLAIN_UDP_BYTES, Math.min(asked, EDNS_UDP_BYTES));
}
