import type { Domain } from '../life/domain.ts';
import { isWithin } from '../life/domain-name.ts';
import type { Lookup } from './lookup.ts';
import { labelIn } from './required-record.ts';
import { anyOf, type VantagePoints } from './vantage-points.ts';

/** Any one of these in an `issue` property lets Amazon issue a certificate. */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc'];

const PERMISSION = '0 issue "amazon.com"';

/** CAA records that keep Amazon from issuing a certificate. */
type CaaBlock = NonNullable<Domain['caa']>;

/** Whether CAA records let Amazon issue a certificate for a name. */
export type CaaVerdict =
  | { readonly kind: 'allowed'; readonly block?: undefined }
  | { readonly kind: 'blocked'; readonly block: CaaBlock }
  /** A look-up failed. A certificate authority doesn't issue then, but no record forbids it either. */
  | { readonly kind: 'unknown'; readonly at: string; readonly block?: undefined };

/**
 * Finds CAA records across zones: the zone's own servers know what its owner just changed; resolvers know the zones above it
 * and the targets of aliases.
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

/** Climbs from the name to its parents; the first one with CAA records decides (RFC 8659). */
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
  const lacksAmazon = issuers.length > 0 && !issuers.some(({ value }) => AMAZON.includes(value));
  // No other record helps: an authority that doesn't know a critical property may not issue at all.
  const unknown = parsed.find(({ isCritical, tag }) => isCritical && !KNOWN_TAGS.includes(tag));
  if (unknown) {
    const { record, tag } = unknown;
    return { kind: 'blocked', block: { at, record, unknownTag: tag, lacksAmazon } };
  }
  const [first] = issuers;
  return lacksAmazon && first
    ? { kind: 'blocked', block: { at, record: first.record, lacksAmazon } }
    : { kind: 'allowed' };
}

/** A record that has to be created besides the domain's own. */
export interface RecordFix {
  readonly type: 'CAA';
  readonly name: string;
  /** The name relative to the zone of the domain; `@` for the zone's own name. */
  readonly label: string;
  readonly value: string;
  /** What it's for. */
  readonly why?: string;
}

/** The record that lets Amazon issue the certificate; undefined if none does. */
export function caaFix(block: CaaBlock, zone: string): RecordFix | undefined {
  const { at, lacksAmazon } = block;
  if (!lacksAmazon) return undefined;
  return { type: 'CAA', name: at, label: labelIn(zone, at), value: PERMISSION, why: blockOf(block) };
}

/** What blocks the certificate, and what to do about it. */
export function caaAdvice(block: CaaBlock, zone: string): string {
  const fix = caaFix(block, zone);
  return fix ? `${blockOf(block)} Add CAA: name ${fix.label}, value ${fix.value}.` : blockOf(block);
}

function blockOf({ at, record, unknownTag }: CaaBlock): string {
  const problem = `Amazon isn't allowed to issue certificates: ${at} has the CAA record ${record}.`;
  return unknownTag === undefined
    ? problem
    : `${problem} Delete it, or set its flags to 0: "${unknownTag}" is critical, and Amazon doesn't know it.`;
}

function parseCaa(record: string): { isCritical: boolean; tag: string; value: string } {
  const [, flags = '0', tag = '', text = ''] = /^(\d+) (\S+) "(.*)"$/.exec(record) ?? [];
  const [issuer = ''] = text.split(';');
  return { isCritical: Number(flags) >= 128, tag: tag.toLowerCase(), value: issuer.trim().toLowerCase() };
}
