import type { Lookup } from './lookup.ts';

/** Any one of these in an `issue` property lets Amazon issue a certificate. */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc'];

/** Whether CAA records let Amazon issue a certificate for a name. */
type CaaVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'blocked'; readonly record: string; readonly at: string; readonly add: string }
  /** A look-up failed. A certificate authority does not issue then, but no record forbids it either. */
  | { readonly kind: 'unknown'; readonly at: string };

/** Climbs from the name to its parents; the first of them that has CAA records decides (RFC 8659). */
export async function checkCaa(domain: string, lookup: Lookup): Promise<CaaVerdict> {
  const labels = domain.split('.');
  for (let depth = 0; depth < labels.length; depth += 1) {
    const at = labels.slice(depth).join('.');
    const found = await lookup(at, 'CAA');
    if (found.kind === 'unknown') return { kind: 'unknown', at };
    if (found.kind === 'records' && found.values.length > 0) return judge(found.values, at);
  }
  return { kind: 'allowed' };
}

function judge(records: readonly string[], at: string): CaaVerdict {
  const parsed = records.map(record => ({ record, ...parseCaa(record) }));
  const add = `${at}. CAA 0 issue "amazon.com"`;
  const unknownCritical = parsed.find(({ isCritical, tag }) => isCritical && !KNOWN_TAGS.includes(tag));
  if (unknownCritical) return { kind: 'blocked', record: unknownCritical.record, at, add };
  const issuers = parsed.filter(({ tag }) => tag === 'issue');
  const [first] = issuers;
  if (!first || issuers.some(({ value }) => AMAZON.includes(value))) return { kind: 'allowed' };
  return { kind: 'blocked', record: first.record, at, add };
}

function parseCaa(record: string): { isCritical: boolean; tag: string; value: string } {
  const [, flags = '0', tag = '', text = ''] = /^(\d+) (\S+) "(.*)"$/.exec(record) ?? [];
  const [issuer = ''] = text.split(';');
  return { isCritical: Number(flags) >= 128, tag: tag.toLowerCase(), value: issuer.trim().toLowerCase() };
}
