import { isWithin } from '../life/domain-name.ts';
import type { Lookup } from './lookup.ts';
import { anyOf, type VantagePoints } from './vantage-points.ts';

/** Any one of these in an `issue` property lets Amazon issue a certificate. */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc'];

/** Whether CAA records let Amazon issue a certificate for a name. */
type CaaVerdict =
  | { readonly kind: 'allowed' }
  /** `solution` says what to do about the record. */
  | { readonly kind: 'blocked'; readonly record: string; readonly at: string; readonly solution: string }
  /** A look-up failed. A certificate authority does not issue then, but no record forbids it either. */
  | { readonly kind: 'unknown'; readonly at: string };

/**
 * Finds CAA records over zones: the zone's own servers know what its owner has just changed, and resolvers know the zones
 * above it and the names that it has aliases of.
 */
export function caaLookup({ zone, authoritative, resolvers }: VantagePoints): Lookup {
  const resolve = anyOf(resolvers);
  return async (name, type) => {
    if (!authoritative || zone === undefined || !isWithin(name, zone)) return resolve(name, type);
    const found = await authoritative(name, type);
    if (found.kind !== 'alias') return found.kind === 'unknown' ? resolve(name, type) : found;
    const atTarget = await resolve(found.target, type);
    return atTarget.kind === 'records' ? { canonical: found.target, ...atTarget } : atTarget;
  };
}

/** Climbs from the name to its parents; the first of them that has CAA records decides (RFC 8659). */
export async function checkCaa(domain: string, lookup: Lookup): Promise<CaaVerdict> {
  const labels = domain.split('.');
  for (let depth = 0; depth < labels.length; depth += 1) {
    const at = labels.slice(depth).join('.');
    const found = await lookup(at, 'CAA');
    if (found.kind === 'unknown') return { kind: 'unknown', at };
    if (found.kind === 'records' && found.values.length > 0)
      return judge(found.values, found.canonical ?? at);
  }
  return { kind: 'allowed' };
}

function judge(records: readonly string[], at: string): CaaVerdict {
  const parsed = records.map(record => ({ record, ...parseCaa(record) }));
  const issuers = parsed.filter(({ tag }) => tag === 'issue');
  const isAllowed = issuers.length === 0 || issuers.some(({ value }) => AMAZON.includes(value));
  const addition = `Add: ${at}. CAA 0 issue "amazon.com"`;
  const unknownCritical = parsed.find(({ isCritical, tag }) => isCritical && !KNOWN_TAGS.includes(tag));
  if (unknownCritical) {
    // No further record helps: an authority that does not know a critical property may not issue at all.
    const { record, tag } = unknownCritical;
    const removal = `Delete it, or give it the flags 0: "${tag}" is critical, and Amazon does not know it.`;
    return { kind: 'blocked', record, at, solution: isAllowed ? removal : `${removal} ${addition}` };
  }
  const [first] = issuers;
  return isAllowed || !first
    ? { kind: 'allowed' }
    : { kind: 'blocked', record: first.record, at, solution: addition };
}

function parseCaa(record: string): { isCritical: boolean; tag: string; value: string } {
  const [, flags = '0', tag = '', text = ''] = /^(\d+) (\S+) "(.*)"$/.exec(record) ?? [];
  const [issuer = ''] = text.split(';');
  return { isCritical: Number(flags) >= 128, tag: tag.toLowerCase(), value: issuer.trim().toLowerCase() };
}
