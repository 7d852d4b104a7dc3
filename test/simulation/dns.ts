import {
  HOUR_MS,
  MINUTE_MS,
  type OwnerRecordType,
  type Question,
  type RecordChange,
  type Reply,
  type VirtualAws,
  type VirtualDns,
} from '../../infra/local/simulation.ts';
import { recordOf } from '../../shared/domains/dns/dns-query.ts';
import { type Found, foundIn, type Lookup, type RecordType } from '../../shared/domains/dns/lookup.ts';

/** How long resolvers may keep the records of owners, those of the service at Route 53, and that Route 53 has none. */
const OWNERS_CHANGE_MS = HOUR_MS;
const ROUTE53_CHANGE_MS = 2 * MINUTE_MS;
const ROUTE53_NEGATIVE_MS = 15 * MINUTE_MS;

/** Public DNS as the people of a world change it, and as its judges see it: with what was there before. */
export class WorldDns {
  readonly #aws: Pick<VirtualAws, 'publicDns' | 'route53' | 'time'>;
  readonly #dns: VirtualDns;
  /** When a record was replaced or deleted, by type, name and value. */
  readonly #lastSeenMs = new Map<string, number>();
  /** When a record was created, by type, name and value. */
  readonly #addedAtMs = new Map<string, number>();
  /** Until when resolvers may have older answers of a zone than its servers. */
  readonly #cachedUntilMs = new Map<string, number>();

  constructor(aws: Pick<VirtualAws, 'publicDns' | 'route53' | 'time'>) {
    this.#aws = aws;
    this.#dns = aws.publicDns;
  }

  get #nowMs(): number {
    return this.#aws.time.nowMs;
  }

  /** An owner replaces a record, or deletes it. In a zone of the account nobody does. */
  set(name: string, type: OwnerRecordType, ...values: string[]): void {
    if (this.#aws.route53.idOf(this.zoneOf(name)) !== undefined) return;
    const key = `${type} ${name}`;
    const { owners } = this.#dns;
    const before = owners.values(name, type);
    for (const value of before) this.#lastSeenMs.set(`${key} ${value}`, this.#nowMs);
    for (const value of values) {
      if (!before.includes(value)) this.#addedAtMs.set(`${key} ${value}`, this.#nowMs);
    }
    owners.set(name, type, ...values);
    this.#cachedUntilMs.set(this.zoneOf(name), this.#nowMs + OWNERS_CHANGE_MS);
  }

  /** Adds a value beside those that the record has. */
  add(name: string, type: OwnerRecordType, value: string): void {
    const before = this.#aws.route53.idOf(this.zoneOf(name)) ? [] : this.#dns.owners.values(name, type);
    this.set(name, type, ...new Set([...before, value]));
  }

  /** The servers of a zone answer SERVFAIL, or nothing at all, for this time. */
  failFor(zone: string, ms: number, { isSilent = false } = {}): void {
    this.#dns.faults.setZone(zone, isSilent ? 'silence' : 'SERVFAIL', ms);
    this.#cachedUntilMs.set(zone, this.#nowMs + ms + OWNERS_CHANGE_MS);
  }

  /** How servers on the way to a name fail now; undefined if they don't. Asking silent ones takes as long as one waits. */
  failureOf(name: string): { readonly isSilent: boolean } | undefined {
    const faults = this.#dns.zonesOf(name).map(zone => this.#dns.faults.at(zone.name, `${name}.`));
    const fault = faults.findLast(known => known !== undefined);
    return fault && { isSilent: fault === 'silence' };
  }

  /** Notes a change at Route 53. */
  noteChange({ name, type, before }: Pick<RecordChange, 'name' | 'type' | 'before'>): void {
    const zone = this.zoneOf(name);
    // Resolvers may have it until its TTL has passed, and the service asks them while the servers of the zone fail.
    for (const value of valuesOf(before)) this.#lastSeenMs.set(`${type} ${name} ${value}`, this.#nowMs);
    const untilMs = this.#nowMs + (before ? ROUTE53_CHANGE_MS : ROUTE53_NEGATIVE_MS);
    this.#cachedUntilMs.set(zone, Math.max(this.#cachedUntilMs.get(zone) ?? 0, untilMs));
  }

  /** Whether nothing has changed in a name's zone, or those above it, for as long as resolvers keep answers. */
  isSettled(name: string): boolean {
    return this.#dns.zonesOf(name).every(zone => {
      return (this.#cachedUntilMs.get(zone.name.slice(0, -1)) ?? 0) < this.#nowMs;
    });
  }

  /** When a value was last in its zone: now if it still is, minus infinity if it never was. */
  lastSeenMs(name: string, type: 'CNAME' | 'TXT', value: string): number {
    if (this.#values(name, type).includes(value)) return this.#nowMs;
    return this.#lastSeenMs.get(`${type} ${name} ${value}`) ?? Number.NEGATIVE_INFINITY;
  }

  /** Whether a value has been in its zone for this long. Route 53 does not say since when its records are there. */
  isStanding(name: string, type: 'CNAME' | 'TXT', value: string, ms: number): boolean {
    if (!this.#values(name, type).includes(value)) return false;
    const addedAtMs = this.#addedAtMs.get(`${type} ${name} ${value}`);
    return addedAtMs !== undefined && addedAtMs <= this.#nowMs - ms;
  }

  /** What a resolver without a cache finds. */
  ask(name: string, type: RecordType): Found {
    return found(this.#dns.ask({ name, type }), { name, type });
  }

  /** A public resolver, as the service asks it. */
  resolver(index: 0 | 1): Lookup {
    return async (name, type) => found(this.#dns.resolvers[index].resolve({ name, type }), { name, type });
  }

  /** The servers of the zone of a name, as the service asks them. */
  serversOf(name: string): Lookup {
    const [zone] = this.#dns.zonesOf(name);
    return async (asked, type) => {
      const question = { name: asked, type };
      return found(this.#dns.nameServers.reply(zone?.id ?? '', question), question, { isZoneServer: true });
    };
  }

  /** The closest zone that encloses a name. */
  zoneOf(name: string): string {
    return this.#dns.zonesOf(name)[0]?.name.slice(0, -1) ?? name.split('.').slice(-2).join('.');
  }

  #values(name: string, type: 'CNAME' | 'TXT'): readonly string[] {
    const [zone] = this.#dns.zonesOf(name);
    const set = this.#aws.route53.find(zone?.id ?? '', name, type);
    if (set) return valuesOf(set);
    return this.#aws.route53.idOf(this.zoneOf(name)) ? [] : this.#dns.owners.values(name, type);
  }
}

function valuesOf(set: RecordChange['before']): readonly string[] {
  return (set?.values ?? []).map(value => value.replace(/^"(.*)"$/, '$1'));
}

/** What the service makes of a response. */
function found(
  reply: Reply | 'silence',
  { name, type }: Question & { readonly type: string },
  { isZoneServer = false } = {},
): Found {
  if (reply === 'silence') return { kind: 'unknown', why: 'no answer' };
  const { code, isAuthoritative } = reply;
  if (code === 'SERVFAIL' || code === 'REFUSED') return { kind: 'unknown', why: code };
  if (isZoneServer && !isAuthoritative) return { kind: 'unknown', why: 'not authoritative' };
  const answers = reply.answers.map(recordOf);
  return foundIn({ code, answers }, name, type as RecordType, { isZoneServer });
}
