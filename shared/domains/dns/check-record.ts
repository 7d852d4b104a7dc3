import type { Domain } from '../life/domain.ts';
import { NO_ANSWER } from './delegation.ts';
import { creationOf, dnsProviderOf } from './dns-provider.ts';
import { isCloudflareProxy } from './ip-address.ts';
import type { Found, Lookup } from './lookup.ts';
import { type Advice, adviceText, instruction } from './record-advice.ts';
import type { RequiredRecord } from './required-record.ts';

export type RecordState = Domain['records'][number]['state'];

/** A required record, what was observed instead, and what the domain's owner has to do. */
export interface CheckedRecord extends RequiredRecord {
  readonly state: RecordState;
  readonly observed: readonly string[];
  /** What to do, as facts and in words. */
  readonly advice: Advice;
  readonly action: string | null;
}

/** One vantage point, and recursive resolution for names it doesn't know. */
export interface Vantage {
  /** The zone that the record belongs to. */
  readonly zone: string;
  readonly lookup: Lookup;
  readonly resolve: Lookup;
  /** For the DNS provider of the domain. */
  readonly creation?: Creation;
}

/** How to create a record at the domain's provider, perhaps in place of the records that have these addresses. */
export type Creation = (required: RequiredRecord, inPlaceOf?: readonly string[]) => Advice;

/** Checks one required record from one vantage point. */
export async function checkRecord(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  switch (required.type) {
    case 'CNAME':
      return checkCname(required, vantage);
    case 'ALIAS':
      return checkAlias(required, vantage);
    case 'TXT':
      return checkTxt(required, vantage);
    default:
      return required.type satisfies never;
  }
}

/** More chained CNAMEs than resolvers follow reliably. */
const MAX_CHAIN = 8;

/** Other records people have at a name. A CNAME record can't stand beside any of them. */
const OTHER_TYPES = ['MX', 'TXT', 'CAA'] as const;

async function checkCname(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const cname = await vantage.lookup(name, 'CNAME');
  if (cname.kind === 'unknown') return unreachable(required, cname.why);
  const seen = valuesOf(cname);
  if (seen.includes(value)) return checked(required, 'ok', seen);
  if (seen.length > 0) return checked(required, 'mismatch', seen, await correction(required, seen, vantage));
  const { addresses, why } = await lookUpAddresses(name, vantage);
  if (addresses.length === 0 && why !== undefined) return unreachable(required, why);
  if (addresses.length > 0) {
    return (await flattened(required, addresses, vantage)) ?? addressesInTheWay(required, addresses, vantage);
  }
  return (await otherRecordInTheWay(required, vantage)) ?? missing(required, vantage);
}

/**
 * Some DNS providers flatten CNAME records: they answer with the host's addresses. Traffic still arrives, but nothing shows
 * which host it is, so another record has to prove the claim (isFlattened). Undefined for other addresses.
 */
async function flattened(
  required: RequiredRecord,
  addresses: readonly string[],
  vantage: Vantage,
): Promise<CheckedRecord | undefined> {
  const { purpose, value } = required;
  if (purpose !== 'traffic') return undefined;
  const foreign = await foreignAmong(addresses, value, vantage);
  if (foreign === 'unknown') return unreachable(required, NO_ANSWER, value);
  return foreign?.length === 0 ? checked(required, 'ok', addresses) : undefined;
}

/** What to do about a CNAME with another value. */
async function correction(
  { name, value }: RequiredRecord,
  seen: readonly string[],
  { zone, lookup, resolve }: Vantage,
): Promise<Advice> {
  const siblings = valuesOf(await lookup(randomSibling(name), 'CNAME'));
  if (siblings.some(sibling => seen.includes(sibling))) {
    return [instruction('wildcard'), instruction('create_itself')];
  }
  const change = instruction('change', ...seen);
  if (seen.includes(`${value}.${zone}`)) {
    return [instruction('zone_in_value', zone), change, instruction('end_with_dot')];
  }
  // Only the zone's owner can create the record itself. A name along the chain may belong to somebody else.
  const way = [...seen];
  while (way.length < MAX_CHAIN) {
    const [next] = valuesOf(await resolve(way.at(-1) ?? name, 'CNAME'));
    if (next === undefined) break;
    if (next === value) return [instruction('chained', ...way), change];
    way.push(next);
  }
  return [change];
}

async function addressesInTheWay(
  required: RequiredRecord,
  addresses: readonly string[],
  vantage: Vantage,
): Promise<CheckedRecord> {
  const { name } = required;
  const replacement = creationIn(vantage, required, addresses);
  const proxied = await proxyAdvice(required, addresses, replacement, vantage);
  if (proxied) return checked(required, 'conflict', addresses, proxied);
  const siblings = await addressesOf(randomSibling(name), vantage);
  if (!siblings?.some(address => addresses.includes(address))) {
    return checked(required, 'conflict', addresses, replacement);
  }
  const advice = [...besideWildcard(required, vantage), instruction('delete_own_addresses')];
  return checked(required, 'missing', addresses, advice);
}

/** The record can be created even though a wildcard answers in its place. */
function besideWildcard(required: RequiredRecord, vantage: Vantage): Advice {
  return [instruction('wildcard'), instruction('keep_wildcard'), ...creationIn(vantage, required)];
}

async function otherRecordInTheWay(
  required: RequiredRecord,
  { lookup }: Vantage,
): Promise<CheckedRecord | undefined> {
  const records = await otherRecordsAt(required.name, lookup);
  if (records.length === 0) return undefined;
  const types = records.map(({ type }) => type);
  return checked(
    required,
    'conflict',
    records.flatMap(({ type, values }) => values.map(value => `${type} ${value}`)),
    [
      instruction('delete_others', ...types),
      instruction('then_create'),
      instruction('use_another_name', ...types),
    ],
  );
}

/**
 * The records at a name, by type, other than addresses, that a CNAME record can't stand beside. A wildcard's don't count.
 */
export async function otherRecordsAt(name: string, lookup: Lookup) {
  const sibling = randomSibling(name);
  const found = await Promise.all(
    OTHER_TYPES.map(async type => {
      const values = valuesOf(await lookup(name, type));
      const fromWildcard = values.length > 0 ? valuesOf(await lookup(sibling, type)) : [];
      return { type, values: values.filter(value => !fromWildcard.includes(value)) };
    }),
  );
  return found.filter(({ values }) => values.length > 0);
}

async function checkTxt(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const found = await vantage.lookup(name, 'TXT');
  if (found.kind === 'unknown') return unreachable(required, found.why);
  if (found.kind === 'none') return (await misplacedText(required, vantage)) ?? missing(required, vantage);
  const canonical = found.kind === 'alias' ? found.target : found.canonical;
  if (canonical !== undefined) {
    // An alias's target may belong to somebody else. A record can be created beside a wildcard, but not beside a CNAME.
    const fromWildcard = valuesOf(await vantage.lookup(randomSibling(name), 'CNAME')).includes(canonical);
    const advice = fromWildcard
      ? [instruction('wildcard'), instruction('create_itself')]
      : [instruction('alias_of', canonical), instruction('delete_alias'), instruction('create')];
    return checked(required, 'mismatch', [`CNAME ${canonical}`], advice);
  }
  const values = valuesOf(found);
  if (values.includes(value)) return checked(required, 'ok', values);
  if (isSameSet(values, valuesOf(await vantage.lookup(randomSibling(name), 'TXT')))) {
    const inPlace = await misplacedText(required, vantage);
    return inPlace ?? checked(required, 'missing', values, besideWildcard(required, vantage));
  }
  const quoted = values.find(seen => seen.replaceAll(/[\s"'\\“”]/g, '') === value);
  const advice = quoted ? instruction('unquote', quoted) : instruction('add_value');
  return checked(required, 'mismatch', values, [advice]);
}

/** The text is at the domain itself or at the apex instead of at the challenge's name; undefined if it's at neither. */
async function misplacedText(
  required: RequiredRecord,
  { zone, lookup }: Vantage,
): Promise<CheckedRecord | undefined> {
  const { name, value } = required;
  const above = name.slice(name.indexOf('.') + 1);
  for (const place of new Set([above, zone])) {
    if (!valuesOf(await lookup(place, 'TXT')).includes(value)) continue;
    return checked(required, 'mismatch', [`${place} TXT ${value}`], [instruction('misplaced', place)]);
  }
  return undefined;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(value => other.includes(value));
}

/** An ALIAS shows only as addresses, which are compared with the host's. */
async function checkAlias(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const { addresses: seen, why } = await lookUpAddresses(name, vantage);
  if (seen.length === 0 && why !== undefined) return unreachable(required, why);
  if (seen.length === 0) return checked(required, 'missing', [], creationIn(vantage, required));
  const foreign = await foreignAmong(seen, value, vantage);
  if (foreign === 'unknown') return unreachable(required, NO_ANSWER, value);
  if (foreign === undefined) {
    return checked(required, 'unreachable', seen, [instruction('host_without_address')]);
  }
  if (foreign.length === 0) return checked(required, 'ok', seen);
  const isPartlyRight = foreign.length < seen.length;
  const advice = isPartlyRight
    ? [instruction('delete_foreign', ...foreign)]
    : creationIn(vantage, required, foreign);
  const proxied = await proxyAdvice(required, foreign, advice, vantage);
  return checked(required, 'mismatch', seen, proxied ?? advice);
}

/**
 * The addresses that aren't the host's; undefined if the host has none. Only recursive resolvers know the host, since the
 * domain's zone doesn't have it. Every answer may be just a sample of the host's addresses, so addresses are compared with a
 * second sample before they're called foreign.
 */
async function foreignAmong(
  seen: readonly string[],
  host: string,
  { resolve }: Vantage,
): Promise<readonly string[] | 'unknown' | undefined> {
  const vantage = { lookup: resolve, resolve };
  const first = await addressesOf(host, vantage);
  if (first === undefined) return 'unknown';
  if (first.length === 0) return undefined;
  const unexpected = seen.filter(address => !first.includes(address));
  if (unexpected.length === 0) return [];
  const second = await allAddressesOf(host, vantage);
  return second ? unexpected.filter(address => !second.includes(address)) : 'unknown';
}

/** The record is missing, or one level too deep: many DNS providers append the zone to the name. */
export async function missing(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { zone, lookup } = vantage;
  const { type, name, value } = required;
  const doubled = `${name}.${zone}`;
  const lookedUp = type === 'TXT' ? 'TXT' : 'CNAME';
  const tooDeep = valuesOf(await lookup(doubled, lookedUp));
  if (tooDeep.includes(value)) {
    const advice = [instruction('zone_twice', zone)];
    return checked(required, 'mismatch', [`${doubled} ${lookedUp} ${value}`], advice);
  }
  return checked(required, 'missing', [], creationIn(vantage, required));
}

function creationIn({ creation }: Vantage, required: RequiredRecord, inPlaceOf?: readonly string[]): Advice {
  return creation?.(required, inPlaceOf) ?? creationOf(required.type, inPlaceOf);
}

/**
 * What to do about addresses of Cloudflare's proxy at a name; undefined for other addresses. Cloudflare proxies records of its
 * own zones. In another provider's zone they're ordinary records that point at somebody's proxied site.
 */
async function proxyAdvice(
  { purpose }: RequiredRecord,
  addresses: readonly string[],
  otherwise: Advice,
  { zone, lookup }: Vantage,
): Promise<Advice | undefined> {
  if (!addresses.some(isCloudflareProxy)) return undefined;
  const servers = await lookup(zone, 'NS');
  if (valuesOf(servers).some(server => dnsProviderOf([server])?.name === 'Cloudflare')) {
    return [instruction('proxied'), ...(purpose === 'traffic' ? [instruction('keep_proxy')] : [])];
  }
  return servers.kind === 'records' ? undefined : [instruction('perhaps_proxied'), ...otherwise];
}

export function checked(
  required: RequiredRecord,
  state: RecordState,
  observed: readonly string[],
  advice: Advice = [],
): CheckedRecord {
  return { ...required, state, observed, advice, action: adviceText(advice, required) ?? null };
}

function unreachable(required: RequiredRecord, why: string, name = required.name): CheckedRecord {
  return checked(required, 'unreachable', [why], [instruction('no_answer', name)]);
}

export function valuesOf(found: Found): readonly string[] {
  return found.kind === 'records' ? found.values : [];
}

/** The addresses of a name; undefined if none is known because a look-up failed. */
async function addressesOf(name: string, vantage: AddressVantage) {
  const { addresses, why } = await lookUpAddresses(name, vantage);
  return addresses.length > 0 || why === undefined ? addresses : undefined;
}

/** All addresses of a name; undefined if there may be others because a look-up failed. */
async function allAddressesOf(name: string, vantage: AddressVantage) {
  const { addresses, why } = await lookUpAddresses(name, vantage);
  return why === undefined ? addresses : undefined;
}

type AddressVantage = Omit<Vantage, 'zone'>;

/** `why` a look-up failed: there may be more addresses than were found. */
async function lookUpAddresses(name: string, { lookup, resolve }: AddressVantage) {
  const found = await Promise.all(
    (['A', 'AAAA'] as const).map(async type => {
      const seen = await lookup(name, type);
      return seen.kind === 'alias' ? resolve(seen.target, type) : seen;
    }),
  );
  const failed = found.find(({ kind }) => kind === 'unknown');
  return { addresses: found.flatMap(valuesOf), why: failed?.kind === 'unknown' ? failed.why : undefined };
}

/** A random name beside the given one: whatever it has comes from a wildcard record. */
export function randomSibling(name: string): string {
  const parent = name.slice(name.indexOf('.') + 1);
  return `petstore-probe-${Math.random().toString(36).slice(2, 12)}.${parent}`;
}
