/** What ACM looks up in DNS before it issues a certificate: the validation record of each name, and CAA records. */
import { createHash } from 'node:crypto';
import { ACCOUNT_ID } from '../cloudformation/pseudo-parameters.ts';
import type { RecursiveResolver } from '../dns/recursive-resolver.ts';

/** ACM follows no more than five chained CNAMEs. */
const MAX_CHAIN = 5;

interface ValidationRecord {
  readonly Name: string;
  readonly Type: 'CNAME';
  readonly Value: string;
}

/**
 * The record that validates a domain name, the same each time for a domain and an account:
 * `_<32 hex>.zoo.example.` → `_<32 hex>.<10 letters>.acm-validations.aws.` *.zoo.example has the record of zoo.example.
 */
export function validationRecord(domainName: string): ValidationRecord {
  const domain = domainName.replace(/^\*\./, '');
  const known = records.get(domain) ?? newRecord(domain);
  records.set(domain, known);
  return known;
}

/** That record as look-ups have it. */
export function validationOf(domainName: string): { readonly name: string; readonly value: string } {
  const { Name, Value } = validationRecord(domainName);
  return { name: withoutDot(Name), value: withoutDot(Value) };
}

const records = new Map<string, ValidationRecord>();

function newRecord(domain: string): ValidationRecord {
  const digest = (purpose: string) =>
    createHash('sha256').update(`${purpose} ${ACCOUNT_ID} ${domain}`).digest('hex').slice(0, 32);
  return {
    Name: `_${digest('name')}.${domain}.`,
    Type: 'CNAME',
    Value: `_${digest('value')}.${letters(digest('zone').slice(0, 10))}.acm-validations.aws.`,
  };
}

/** Whether the record is in DNS with its value, at the name itself or at the end of a chain. */
export async function isValidated(domainName: string, lookup: Lookup): Promise<boolean> {
  const { Name, Value } = validationRecord(domainName);
  let name = withoutDot(Name);
  for (let followed = 0; followed < MAX_CHAIN; followed++) {
    const answer = await lookup.cname(name);
    if (answer.outcome !== 'RECORDS') return false;
    name = withoutDot(answer.records[0] ?? '');
    if (name === withoutDot(Value)) return true;
  }
  return false;
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}

/** Hexadecimal digits as the letters g to v. */
function letters(digits: string): string {
  return [...digits].map(digit => (16 + Number.parseInt(digit, 16)).toString(36)).join('');
}

/** Unknown means that a lookup failed: Amazon cannot issue the certificate yet. */
type CaaDecision = 'allowed' | 'forbidden' | 'unknown';

const AMAZON = new Set(['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']);

const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail', 'contactemail', 'contactphone']);
const CRITICAL = 128;
const MAX_ALIASES = 8;

/**
 * Decides by RFC 8659 whether Amazon may issue a certificate: by the first non-empty set of CAA records, looked up at
 * the name (following aliases), then at its parent, and so on.
 */
export async function caaDecision(domainName: string, lookup: Lookup): Promise<CaaDecision> {
  const isWildcard = domainName.startsWith('*.');
  const labels = domainName.replace(/^\*\./, '').split('.');
  for (const first of labels.keys()) {
    const answer = await caaFollowingAliases(labels.slice(first).join('.'), lookup);
    if (answer.outcome === 'SERVFAIL') return 'unknown';
    if (answer.outcome === 'RECORDS' && answer.records.length > 0) {
      return allowsAmazon(answer.records, isWildcard) ? 'allowed' : 'forbidden';
    }
  }
  return 'allowed';
}

async function caaFollowingAliases(name: string, lookup: Lookup): Promise<LookupAnswer<CaaRecord>> {
  let current = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const answer = await lookup.caa(current);
    if (answer.outcome !== 'NODATA') return answer;
    const alias = await lookup.cname(current);
    if (alias.outcome === 'SERVFAIL') return alias;
    const target = alias.outcome === 'RECORDS' ? alias.records[0] : undefined;
    if (target === undefined) return answer;
    current = target;
  }
  return { outcome: 'SERVFAIL' };
}

/** Whether Amazon may issue a certificate for a name whose CAA records, or those of its closest parent with any, are these. */
export function allowsAmazon(records: readonly CaaRecord[], isWildcard: boolean): boolean {
  const tagged = (name: string) => records.filter(({ tag }) => tag.toLowerCase() === name);
  if (records.some(({ flags, tag }) => flags >= CRITICAL && !KNOWN_TAGS.has(tag.toLowerCase()))) return false;
  const forWildcards = isWildcard ? tagged('issuewild') : [];
  const relevant = forWildcards.length > 0 ? forWildcards : tagged('issue');
  return relevant.length === 0 || relevant.some(({ value }) => AMAZON.has(issuerOf(value)));
}

/** The issuer precedes the parameters: `amazon.com; account=1`. */
function issuerOf(value: string): string {
  return value.replace(/;.*$/s, '').trim().toLowerCase();
}

/** A CAA record: `0 issue "amazon.com"`. */
export interface CaaRecord {
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

/** The answer of DNS for a name and a type. SERVFAIL may be temporary. */
export type LookupAnswer<Value> =
  | { readonly outcome: 'RECORDS'; readonly records: readonly Value[] }
  | { readonly outcome: 'NXDOMAIN' | 'NODATA' | 'SERVFAIL' };

/** The lookups that ACM needs. Names have no trailing dot. The promises never reject. */
export interface Lookup {
  cname(name: string): Promise<LookupAnswer<string>>;
  caa(name: string): Promise<LookupAnswer<CaaRecord>>;
}

/** Asks a recursive resolver. A server that is silent has failed. */
export function lookupAt(resolver: Pick<RecursiveResolver, 'resolve'>): Lookup {
  const lookUp = async <Value>(
    type: 'CNAME' | 'CAA',
    name: string,
    read: (data: unknown) => Value,
  ): Promise<LookupAnswer<Value>> => {
    const reply = resolver.resolve({ name, type });
    if (reply === 'silence' || reply.code === 'SERVFAIL' || reply.code === 'REFUSED')
      return { outcome: 'SERVFAIL' };
    const records = reply.answers.flatMap(answer => (answer.type === type ? [read(answer.data)] : []));
    if (records.length > 0) return { outcome: 'RECORDS', records };
    return { outcome: reply.code === 'NXDOMAIN' ? 'NXDOMAIN' : 'NODATA' };
  };
  return {
    cname: name => lookUp('CNAME', name, String),
    caa: name => lookUp('CAA', name, data => data as CaaRecord),
  };
}
