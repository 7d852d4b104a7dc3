import type { CaaRecord, Lookup, LookupAnswer } from '../acm/dns-validation.ts';
import { isWithin } from '../route53/domain-name.ts';
import { recordData } from '../route53/record-set.ts';
import type { AccountZones } from './account-zones.ts';
import { MINUTE_MS, type VirtualTime } from './virtual-time.ts';

type RecordType = OwnerRecordType | 'MX' | 'NS' | 'SOA';

/** What a DNS server says; `unknown` if it fails or is silent. */
export type Found =
  /** `canonical` has the records, where the name that was asked for is an alias (CNAME) of it. */
  | { readonly kind: 'records'; readonly values: readonly string[]; readonly canonical?: string }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

/** The types of records that owners create. An ALIAS resolves to the addresses of its value. */
type OwnerRecordType = 'A' | 'AAAA' | 'ALIAS' | 'CAA' | 'CNAME' | 'TXT';

const NONE: Found = { kind: 'none' };

/**
 * Public DNS: the records that owners created at their providers, and the hosted zones of the account. The servers of a
 * zone know this zone alone: they refuse other names, and names in a delegated sub-zone.
 */
export class PublicDns {
  readonly resolvers: readonly CachingResolver[];
  /** Whether the hosts of AWS have IPv6 addresses, too: a few of a pool at a time, others later. */
  isDualStack = false;
  readonly #time: VirtualTime;
  readonly #route53: AccountZones;
  /** Every zone, the closest to a name first. */
  readonly #zones: readonly string[];
  readonly #records = new Map<string, readonly string[]>();
  /** When a record was replaced or deleted, by type, name and value. */
  readonly #lastSeenMs = new Map<string, number>();
  /** When a record was created, by type, name and value. */
  readonly #addedAtMs = new Map<string, number>();
  /** Until when resolvers may have older answers of a zone than its servers. */
  readonly #cachedUntilMs = new Map<string, number>();
  readonly #failures = new Map<string, { readonly untilMs: number; readonly isSilent: boolean }>();

  /** `ownersZones` are those at other providers; they may be within each other. */
  constructor(time: VirtualTime, route53: AccountZones, ownersZones: readonly string[]) {
    this.#time = time;
    this.#route53 = route53;
    this.#zones = [...ownersZones, ...route53.zoneNames].toSorted(
      (left, right) => right.length - left.length,
    );
    const isShortLived = (name: string) =>
      isOfAws(name) || this.#route53.idOf(this.zoneOf(name)) !== undefined;
    this.resolvers = [0, 1].map(
      () => new CachingResolver(time, (name, type) => this.#askZone(name, type), isShortLived),
    );
  }

  set(name: string, type: OwnerRecordType, ...values: string[]): void {
    const key = `${type} ${name}`;
    const before = this.#records.get(key) ?? [];
    for (const value of before) this.#lastSeenMs.set(`${key} ${value}`, this.#time.nowMs);
    for (const value of values) {
      if (!before.includes(value)) this.#addedAtMs.set(`${key} ${value}`, this.#time.nowMs);
    }
    if (values.length > 0) this.#records.set(key, values);
    else this.#records.delete(key);
    this.#cachedUntilMs.set(this.zoneOf(name), this.#time.nowMs + CACHED_MS);
  }

  /** Adds a value beside those that the record has. */
  add(name: string, type: OwnerRecordType, value: string): void {
    this.set(name, type, ...new Set([...(this.#records.get(`${type} ${name}`) ?? []), value]));
  }

  /** The servers of a zone answer SERVFAIL, or nothing at all, for this time. */
  failFor(zone: string, ms: number, { isSilent = false } = {}): void {
    this.#failures.set(zone, { untilMs: this.#time.nowMs + ms, isSilent });
    this.#cachedUntilMs.set(zone, this.#time.nowMs + ms + CACHED_MS);
  }

  /** Whether nothing has changed in a name's zone for as long as resolvers keep answers. */
  isSettled(name: string): boolean {
    const zone = this.zoneOf(name);
    const untilMs = this.#cachedUntilMs.get(zone) ?? 0;
    const changedAtMs = this.#route53.changedAtMs.get(this.#route53.idOf(zone) ?? '') ?? 0;
    return Math.max(untilMs, changedAtMs + 2 * SHORT_TTL_MS) < this.#time.nowMs;
  }

  /** When a value was last in its zone: now if it still is, minus infinity if it never was. */
  lastSeenMs(name: string, type: 'CNAME' | 'TXT', value: string): number {
    if (this.#values(name, type).includes(value)) return this.#time.nowMs;
    return this.#lastSeenMs.get(`${type} ${name} ${value}`) ?? Number.NEGATIVE_INFINITY;
  }

  /** Whether a value has been in its zone for this long. Route 53 does not say since when its records are there. */
  isStanding(name: string, type: 'CNAME' | 'TXT', value: string, ms: number): boolean {
    if (!this.#values(name, type).includes(value)) return false;
    const addedAtMs = this.#addedAtMs.get(`${type} ${name} ${value}`);
    return addedAtMs !== undefined && addedAtMs <= this.#time.nowMs - ms;
  }

  /** What a resolver without a cache finds. */
  readonly ask = (name: string, type: RecordType): Found => {
    const found = this.#askZone(name, type);
    return found.kind === 'alias' ? this.ask(found.target, type) : found;
  };

  /** The closest zone that encloses a name. */
  zoneOf(name: string): string {
    return this.#zones.find(zone => isWithin(name, zone)) ?? name.split('.').slice(-2).join('.');
  }

  /** How the servers of a name's zone fail now; undefined if they don't. Asking silent ones takes as long as one waits. */
  failureOf(name: string) {
    const failure = this.#failures.get(this.zoneOf(name));
    return failure && failure.untilMs > this.#time.nowMs ? failure : undefined;
  }

  /** The answer of a zone's servers, which do not know the names of any other zone. */
  askServersOf(zone: string, name: string, type: RecordType): Found {
    if (!isWithin(name, zone)) return { kind: 'unknown', why: 'REFUSED' };
    if (this.zoneOf(name) !== zone) return { kind: 'unknown', why: 'not authoritative' };
    const found = this.#askZone(name, type);
    return found.kind === 'alias' && this.zoneOf(found.target) === zone
      ? this.askServersOf(zone, found.target, type)
      : found;
  }

  /** The answer of the servers of the name's own zone. */
  #askZone(name: string, type: RecordType): Found {
    const failure = this.failureOf(name);
    if (failure) return { kind: 'unknown', why: failure.isSilent ? 'no answer' : 'SERVFAIL' };
    if (type === 'SOA' || type === 'MX') return NONE;
    if (type === 'NS') return records(this.#nameServers(name));
    if (type === 'CNAME') return records(this.#values(name, type));
    const [target] = this.#values(name, 'CNAME');
    if (target !== undefined) return { kind: 'alias', target };
    return records(type === 'A' || type === 'AAAA' ? this.#addresses(name, type) : this.#values(name, type));
  }

  #nameServers(name: string): readonly string[] {
    const zoneId = this.#route53.idOf(name);
    if (zoneId !== undefined) return this.#route53.nameServers(zoneId);
    return this.zoneOf(name) === name ? [`ns.${name}`] : [];
  }

  #values(name: string, type: OwnerRecordType): readonly string[] {
    const zoneId = this.#route53.idOf(this.zoneOf(name));
    if (zoneId === undefined) return this.#records.get(`${type} ${name}`) ?? [];
    const { values = [] } = this.#route53.find(zoneId, name, type) ?? {};
    return values.map(value => value.replace(/^"(.*)"$/, '$1'));
  }

  /** What the addresses of a name are those of. At Route 53 an alias is for one type of addresses, elsewhere for both. */
  #aliasOf(name: string, type: 'A' | 'AAAA'): string | undefined {
    const zoneId = this.#route53.idOf(this.zoneOf(name));
    if (zoneId === undefined) return this.#values(name, 'ALIAS')[0];
    return this.#route53.find(zoneId, name, type)?.aliasTarget?.dnsName.slice(0, -1);
  }

  #sample(host: string): readonly string[] {
    const first = host.length + Math.floor(this.#time.nowMs / SAMPLED_MS);
    return Array.from({ length: SAMPLED }, (_, index) => AWS_POOL[(first + index) % AWS_POOL.length] ?? '');
  }

  /** The provider of an ALIAS asks for the addresses of its value by itself. */
  #addresses(name: string, type: 'A' | 'AAAA'): readonly string[] {
    if (isOfAws(name)) return type === 'A' ? [addressOf(name)] : this.isDualStack ? this.#sample(name) : [];
    const alias = this.#aliasOf(name, type);
    const flattened = alias === undefined ? NONE : this.ask(alias, type);
    return [...(flattened.kind === 'records' ? flattened.values : []), ...this.#values(name, type)];
  }
}

/** The IPv4 address of a host of AWS. */
export function addressOf(host: string): string {
  return `address of ${host}`;
}

/** The addresses of IPv6 that the hosts of AWS share, and how long a host has the same ones. */
export const AWS_POOL: readonly string[] = [1, 2, 3, 4, 5, 6].map(last => `2600:1f18::${last}`);
const SAMPLED = 2;
const SAMPLED_MS = 10 * MINUTE_MS;

function isOfAws(name: string): boolean {
  return name.endsWith('.amazonaws.com');
}

function records(values: readonly string[]): Found {
  return values.length > 0 ? { kind: 'records', values } : NONE;
}

/** Answers are cached for their TTL, and the absence of records for a shorter time. */
const CACHED_MS = 60 * MINUTE_MS;
const NEGATIVELY_CACHED_MS = 5 * MINUTE_MS;
/** The TTL of the platform's hosts, of AWS's own and of the addresses that an ALIAS leads to. */
const SHORT_TTL_MS = MINUTE_MS;
const MAX_CHAIN = 8;

interface Cached {
  readonly found: Found;
  readonly untilMs: number;
}

/** A public resolver: it follows CNAME records over zones and caches every answer on the way. */
class CachingResolver {
  readonly #time: VirtualTime;
  /** The answer of the servers of the name's zone. */
  readonly #askZone: (name: string, type: RecordType) => Found;
  readonly #isShortLived: (name: string) => boolean;
  readonly #cache = new Map<string, Cached>();
  #staleUntilMs = 0;

  constructor(
    time: VirtualTime,
    askZone: (name: string, type: RecordType) => Found,
    isShortLived: (name: string) => boolean,
  ) {
    this.#time = time;
    this.#askZone = askZone;
    this.#isShortLived = isShortLived;
  }

  /** Lags for this time: it keeps the answers that it has, whatever their TTL. */
  lagFor(ms: number): void {
    this.#staleUntilMs = this.#time.nowMs + ms;
  }

  readonly resolve = (name: string, type: RecordType): Found => {
    let owner = name;
    for (let followed = 0; followed <= MAX_CHAIN; followed += 1) {
      const found = this.#askCached(owner, type);
      if (found.kind === 'records' && followed > 0) return { ...found, canonical: owner };
      if (found.kind !== 'alias') return found;
      owner = found.target;
    }
    return { kind: 'unknown', why: 'SERVFAIL' };
  };

  /** A CNAME that is cached answers for every type of record. */
  #askCached(name: string, type: RecordType): Found {
    const cname = type === 'CNAME' ? undefined : this.#cached(name, 'CNAME');
    if (cname?.kind === 'records') return { kind: 'alias', target: cname.values[0] ?? '' };
    const cached = this.#cached(name, type);
    if (cached) return cached;
    const found = this.#askZone(name, type);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'alias') this.#keep(name, 'CNAME', { kind: 'records', values: [found.target] });
    else this.#keep(name, type, found);
    return found;
  }

  #cached(name: string, type: RecordType): Found | undefined {
    const cached = this.#cache.get(`${type} ${name}`);
    const isValid = cached && (cached.untilMs > this.#time.nowMs || this.#staleUntilMs > this.#time.nowMs);
    return isValid ? cached.found : undefined;
  }

  #keep(name: string, type: RecordType, found: Found): void {
    const isShort = this.#isShortLived(name) || type === 'A' || type === 'AAAA';
    const positiveMs = isShort ? SHORT_TTL_MS : CACHED_MS;
    const keptMs = found.kind === 'records' ? positiveMs : Math.min(positiveMs, NEGATIVELY_CACHED_MS);
    this.#cache.set(`${type} ${name}`, { found, untilMs: this.#time.nowMs + keptMs });
  }
}

/** DNS as ACM sees it. */
export function lookupOf(dns: PublicDns): Lookup {
  const answer = async <Value>(
    name: string,
    type: RecordType,
    read: (value: string) => Value,
  ): Promise<LookupAnswer<Value>> => {
    const found = dns.ask(name, type);
    if (found.kind === 'unknown') return { outcome: 'SERVFAIL' };
    return found.kind === 'records'
      ? { outcome: 'RECORDS', records: found.values.map(read) }
      : { outcome: 'NODATA' };
  };
  return {
    cname: name => answer(name, 'CNAME', value => value),
    caa: name => answer(name, 'CAA', value => recordData('CAA', value) as CaaRecord),
  };
}
