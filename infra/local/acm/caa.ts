/**
 * Decides by RFC 8659 whether Amazon may issue a certificate: by the first non-empty set of CAA records, looked up at
 * the name (following aliases), then at its parent, and so on.
 */
import type { CaaRecord, Lookup, LookupAnswer } from './lookup.ts';

/** Unknown means that a lookup failed: Amazon cannot issue the certificate yet. */
export type CaaDecision = 'allowed' | 'forbidden' | 'unknown';

const AMAZON = new Set(['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']);

const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail', 'contactemail', 'contactphone']);
const CRITICAL = 128;
const MAX_ALIASES = 8;

export async function caaDecision(domainName: string, lookup: Lookup): Promise<CaaDecision> {
  const isWildcard = domainName.startsWith('*.');
  const labels = domainName.replace(/^\*\./, '').split('.');
  for (const first of labels.keys()) {
    const answer = await caaFollowingAliases(labels.slice(first).join('.'), lookup);
    if (answer.outcome === 'SERVFAIL') return 'unknown';
    if (answer.outcome === 'RECORDS' && answer.records.length > 0) {
      return allows(answer.records, isWildcard) ? 'allowed' : 'forbidden';
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

function allows(records: readonly CaaRecord[], isWildcard: boolean): boolean {
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
