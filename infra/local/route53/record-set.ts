/** The values of resource records as Route 53 takes them, `10 mail.example.com`, and as dns-packet encodes them. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Answer } from 'dns-packet';
import * as z from 'zod';
import { normalizedName, unescapedName } from './domain-name.ts';

export const RECORD_TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** A value that is invalid for its type. The message names the problem in Route 53's words. */
export class InvalidRecordValue extends Error {
  override readonly name = 'InvalidRecordValue';

  constructor(problem: string, value: string) {
    super(`FATAL problem: ${problem} encountered with '${value}'`);
  }
}

/** The data of a value in the form that dns-packet encodes. */
export function recordData(type: RecordType, value: string): unknown {
  return READ_BY_TYPE[type](value);
}

/** A record of a DNS message. */
export function dnsRecord(type: RecordType, name: string, ttl: number, value: string): Answer {
  return { type, name, ttl, class: 'IN', data: recordData(type, value) } as Answer;
}

const MAX_UINT8 = 2 ** 8 - 1;
const MAX_UINT16 = 2 ** 16 - 1;
const MAX_UINT32 = 2 ** 32 - 1;
const MAX_CHARACTER_STRING_OCTETS = 255;

const READ_BY_TYPE: Readonly<Record<RecordType, (value: string) => unknown>> = {
  A: value => {
    if (isIPv4(value)) return value;
    throw new InvalidRecordValue('ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)', value);
  },
  AAAA: value => {
    if (isIPv6(value)) return value;
    throw new InvalidRecordValue('AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)', value);
  },
  CAA: value => {
    const [, flags, tag = '', given = ''] = /^(\d+)\s+([a-z0-9]+)\s+(.+)$/i.exec(value) ?? [];
    if (flags === undefined) {
      throw new InvalidRecordValue('CAARRDATANotThreeFields (Value is not flags, tag and value)', value);
    }
    const text = characterStrings(given, value);
    if (text.length !== 1) {
      throw new InvalidRecordValue('CAARRDATAIllegalValue (Value is more than one string)', value);
    }
    return { flags: uint(flags, MAX_UINT8, value), tag, value: text.join() };
  },
  CNAME: domainName,
  MX: value => {
    const [preference = '', exchange = '', ...rest] = value.split(/\s+/);
    if (exchange === '' || rest.length > 0) {
      throw new InvalidRecordValue('MXRRDATANotTwoFields (Value is not preference and mail server)', value);
    }
    return { preference: uint(preference, MAX_UINT16, value), exchange: domainName(exchange) };
  },
  NS: domainName,
  SOA: value => {
    const [mname = '', rname = '', ...numbers] = value.split(/\s+/);
    const [serial, refresh, retry, expire, minimum, ...rest] = numbers.map(text =>
      uint(text, MAX_UINT32, value),
    );
    if (minimum === undefined || rest.length > 0) {
      throw new InvalidRecordValue(
        'SOARRDATANotSevenFields (Value is not two names and five numbers)',
        value,
      );
    }
    return { mname: domainName(mname), rname: domainName(rname), serial, refresh, retry, expire, minimum };
  },
  TXT: value => characterStrings(value, value).map(text => Buffer.from(text, 'latin1')),
};

function domainName(value: string): string {
  const name = normalizedName(value);
  if (name === undefined) {
    const problem = /(^|\.)\./.test(value)
      ? 'DomainLabelEmpty (Domain label is empty)'
      : 'UnsupportedCharacter (Value contains unsupported characters)';
    throw new InvalidRecordValue(problem, value);
  }
  return unescapedName(name).slice(0, -1);
}

function uint(text: string, max: number, value: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text);
  throw new InvalidRecordValue(`IllegalInteger (${text} is not an integer of 0 to ${max})`, value);
}

/** `"one" "two"`: strings of up to 255 octets; within them \" and \\ stand for themselves, \ooo for an octet. */
function characterStrings(text: string, value: string): string[] {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/.test(text)) {
    const problem = 'InvalidCharacterString (Value should be enclosed in quotation marks)';
    throw new InvalidRecordValue(problem, value);
  }
  if (/[^\x20-\x7e\t]/.test(text)) {
    throw new InvalidRecordValue('UnsupportedCharacter (Value contains unsupported characters)', value);
  }
  const strings = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replaceAll(/\\([0-3][0-7]{2})|\\(.)/g, (_, octal?: string, literal = '') =>
      octal === undefined ? literal : String.fromCharCode(Number.parseInt(octal, 8)),
    ),
  );
  if (strings.some(({ length }) => length > MAX_CHARACTER_STRING_OCTETS)) {
    throw new InvalidRecordValue('CharacterStringTooLong (Value is too long)', value);
  }
  return strings;
}

/** A resource record set: values with a TTL, or an alias of another name. Names are in Route 53's form. */
export const RecordSet = z.strictObject({
  name: z.string(),
  type: z.enum(RECORD_TYPES),
  ttlSeconds: z.number().optional(),
  values: z.array(z.string()).readonly(),
  aliasTarget: z
    .strictObject({ hostedZoneId: z.string(), dnsName: z.string(), evaluateTargetHealth: z.boolean() })
    .optional(),
});
export type RecordSet = Readonly<z.infer<typeof RecordSet>>;
