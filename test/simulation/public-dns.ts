import type { Found, RecordType } from '../../shared/domains/dns/lookup.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import { isWithin } from '../../shared/domains/life/domain-name.ts';
import type { Route53Model } from './route53-model.ts';
import { MINUTE_MS, type VirtualTime } from './virtual-time.ts';

/** The types of records that owners create. An ALIAS resolves to the addresses of its value. */
export type OwnerRecordType = 'A' | 'ALIAS' | 'CAA' | 'CNAME' | 'TXT';

/** Resolvers cache an answer for its TTL, and the absence of records for a shorter time. */
const CACHED_MS = 60 * MINUTE_MS;
const NEGATIVELY_CACHED_MS = 5 * MINUTE_MS;
const MAX_CHAIN = 8;

const NONE: Found = { kind: 'none' };

/** Public DNS: the records that owners created at their providers, and the hosted zones of the account. */
export class PublicDns {
  readonly #time: VirtualTime;
  readonly #route53: Route53Model;
  /** The ids of the account's hosted zones, by zone name. */
  readonly #hostedZoneIds: Readonly<Record<string, string>>;
  readonly #records = new Map<string, readonly string[]>();
  /** When a record was replaced or deleted, by type, name and value. */
  readonly #lastSeenMs = new Map<string, number>();
  readonly #failsUntilMs = new Map<string, number>();
  readonly #resolvers = [new Map<string, Cached>(), new Map<string, Cached>()];

  constructor(time: VirtualTime, route53: Route53Model, hostedZoneIds: Readonly<Record<string, string>>) {
    this.#time = time;
    this.#route53 = route53;
    this.#hostedZoneIds = hostedZoneIds;
  }

  set(name: string, type: OwnerRecordType, ...values: string[]): void {
    const key = `${type} ${name}`;
    for (const value of this.#records.get(key) ?? []) {
      this.#lastSeenMs.set(`${key} ${value}`, this.#time.nowMs);
    }
    if (values.length > 0) this.#records.set(key, values);
    else this.#records.delete(key);
  }

  /** The servers of a registrable domain answer SERVFAIL for this time. */
  failFor(registrable: string, ms: number): void {
    this.#failsUntilMs.set(registrable, this.#time.nowMs + ms);
  }

  /** When a value was last in its zone: now if it still is, minus infinity if it never was. */
  lastSeenMs(name: string, type: 'CNAME' | 'TXT', value: string): number {
    const found = this.#inZone(name, type);
    if (found.kind === 'records' && found.values.includes(value)) return this.#time.nowMs;
    return this.#lastSeenMs.get(`${type} ${name} ${value}`) ?? Number.NEGATIVE_INFINITY;
  }

  /** The answer of the zone's own servers. */
  ask(name: string, type: RecordType): Found {
    return this.#isFailing(name) ? { kind: 'unknown', why: 'ESERVFAIL' } : this.#inZone(name, type);
  }

  vantagePointsFor(domain: string): VantagePoints {
    const resolvers = this.#resolvers.map(
      cache => async (name: string, type: RecordType) => this.#askResolver(cache, name, type),
    );
    const authoritative = async (name: string, type: RecordType) => this.ask(name, type);
    return {
      zone: this.#zoneOf(domain),
      isApex: this.#zoneOf(domain) === domain,
      authoritative: this.#isFailing(domain) ? undefined : authoritative,
      resolvers,
    };
  }

  /** The registrable domain: the owners of the simulation have no sub-zones. */
  #zoneOf(domain: string): string {
    return domain.split('.').slice(-2).join('.');
  }

  #isFailing(name: string): boolean {
    for (const [registrable, untilMs] of this.#failsUntilMs) {
      if (untilMs > this.#time.nowMs && isWithin(name, registrable)) return true;
    }
    return false;
  }

  #askResolver(cache: Map<string, Cached>, name: string, type: RecordType): Found {
    const key = `${type} ${name}`;
    const cached = cache.get(key);
    if (cached && cached.untilMs > this.#time.nowMs) return cached.found;
    const found = this.ask(name, type);
    // The platform's host and AWS's own addresses have a TTL of a minute.
    const keptMs = type === 'A' ? MINUTE_MS : found.kind === 'records' ? CACHED_MS : NEGATIVELY_CACHED_MS;
    if (found.kind !== 'unknown') cache.set(key, { found, untilMs: this.#time.nowMs + keptMs });
    return found;
  }

  #inZone(name: string, type: RecordType): Found {
    if (type === 'A') return records(this.#addresses(name, 0));
    if (type === 'AAAA' || type === 'SOA' || type === 'MX') return NONE;
    if (type === 'NS') return records(this.#nameServers(name));
    return records(this.#values(name, type));
  }

  #nameServers(name: string): readonly string[] {
    const zoneId = this.#hostedZoneIds[name];
    return zoneId === undefined ? [`ns.${name}`] : this.#route53.nameServers(zoneId);
  }

  #values(name: string, type: OwnerRecordType): readonly string[] {
    const zoneId = this.#zoneIdOf(name);
    if (zoneId === undefined) return this.#records.get(`${type} ${name}`) ?? [];
    const set = this.#route53.find(zoneId, name, type === 'ALIAS' ? 'A' : type);
    if (type === 'ALIAS') return set?.AliasTarget?.DNSName ? [set.AliasTarget.DNSName] : [];
    return (set?.ResourceRecords ?? []).map(({ Value = '' }) => Value.replace(/^"(.*)"$/, '$1'));
  }

  #addresses(name: string, depth: number): readonly string[] {
    if (depth > MAX_CHAIN) return [];
    if (name.endsWith('.amazonaws.com')) return [`address of ${name}`];
    const [next] = [...this.#values(name, 'CNAME'), ...this.#values(name, 'ALIAS')];
    return next === undefined ? this.#values(name, 'A') : this.#addresses(next, depth + 1);
  }

  #zoneIdOf(name: string): string | undefined {
    return Object.entries(this.#hostedZoneIds).find(([zone]) => isWithin(name, zone))?.[1];
  }
}

interface Cached {
  readonly found: Found;
  readonly untilMs: number;
}

function records(values: readonly string[]): Found {
  return values.length > 0 ? { kind: 'records', values } : NONE;
}
