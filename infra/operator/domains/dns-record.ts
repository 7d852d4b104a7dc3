import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { quoted } from '../../../shared/domains/dns/zone-file.ts';
import { usageError } from '../connection/command-error.ts';

export const RECORD_TYPES = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** The records of one type at one name. Names have no dot at their end. */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly ttl: number;
  readonly values: readonly string[];
}

/** A label may begin with an underscore, and the first label may be a wildcard. */
const NAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LONGEST_NAME = 253;

const LONGEST_TTL = 2 ** 31 - 1;

export function readName(text: string): string {
  const name = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  if (NAME.test(name) && name.length <= LONGEST_NAME) return name;
  throw usageError(`"${text}" isn't a DNS name. Enter the full name, such as www.example.com.`);
}

export function readType(text: string): RecordType {
  const type = RECORD_TYPES.find(known => known === text.toUpperCase());
  if (type) return type;
  throw usageError(`The record type "${text}" isn't supported. The types are ${RECORD_TYPES.join(', ')}.`);
}

export function readTtl(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= LONGEST_TTL) return Number(text);
  throw usageError(`--ttl takes seconds, from 0 to ${LONGEST_TTL}, such as 300, not "${text}".`);
}

/** Turns values as people type them into the form that Route 53 takes. */
export function readValues(type: RecordType, texts: readonly string[]): string[] {
  if ((type === 'CNAME' || type === 'ALIAS') && texts.length > 1) {
    throw usageError(`Give one value for the type ${type}, not ${texts.length}.`);
  }
  return texts.map(text => {
    const { read, example } = VALUES[type];
    const value = read(text);
    if (value !== undefined) return value;
    throw usageError(`"${text}" isn't a valid value for the type ${type}. Enter one such as ${example}.`);
  });
}

interface ValueForm {
  read(text: string): string | undefined;
  readonly example: string;
}

const HOST: ValueForm = { read: readHost, example: 'www.example.com' };

const VALUES: Readonly<Record<RecordType, ValueForm>> = {
  A: { read: text => (isIPv4(text) ? text : undefined), example: '192.0.2.1' },
  AAAA: { read: text => (isIPv6(text) ? text : undefined), example: '2001:db8::1' },
  ALIAS: HOST,
  CNAME: HOST,
  NS: HOST,
  TXT: { read: text => (isQuoted(text) ? text : quoted(text)), example: '"any text"' },
  MX: {
    read(text) {
      const [, preference, host = ''] = /^(\d{1,5})\s+(\S+)$/.exec(text) ?? [];
      const read = readHost(host);
      return preference && read && `${preference} ${read}`;
    },
    example: '"10 mail.example.com"',
  },
  CAA: {
    read(text) {
      const [, flags, tag, value = ''] = /^(\d{1,3})\s+([a-z0-9]+)\s+(.+)$/i.exec(text) ?? [];
      return flags && `${flags} ${tag} ${isQuoted(value) ? value : quoted(value)}`;
    },
    example: `'0 issue "amazon.com"'`,
  },
};

function readHost(text: string): string | undefined {
  const name = text.replace(/\.$/, '').toLowerCase();
  return NAME.test(name) && !name.startsWith('*') && !isIPv4(name) ? name : undefined;
}

function isQuoted(text: string): boolean {
  return /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/.test(text);
}
