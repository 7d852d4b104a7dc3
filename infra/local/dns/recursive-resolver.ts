import type { Answer } from 'dns-packet';
import { type AddressesOf, AWS_TTL_SECONDS, isAwsName } from '../route53/aws-names.ts';
import { isWithin, normalizedName, parentOf, unescapedName } from '../route53/domain-name.ts';
import type { HostedZone } from '../route53/hosted-zones.ts';
import { dnsRecord, type RecordType } from '../route53/record-set.ts';
import { emptyReply, type Question, type Reply } from './dns-message.ts';
import type { NameServers, Zones } from './name-servers.ts';

/** How many CNAME records are followed, about as many as public resolvers follow. */
const MAX_CHAIN = 16;

/**
 * Real top-level domains differ in how long resolvers may cache that a domain does not exist. With a minute, a person at the
 * terminal soon sees a zone that was just created.
 */
const TOP_LEVEL_NEGATIVE_TTL_SECONDS = 60;

interface RecursiveResolverOptions extends ResolverCacheOptions {
  readonly zones: Zones;
  readonly nameServers: NameServers;
  /** Of the names that are in none of the zones. */
  readonly addressesOf: AddressesOf;
}

/**
 * A public recursive resolver. It follows delegations from zone to zone and CNAMEs, and caches the answers. A
 * zone that is in no other hosted zone is delegated by its public suffix, which is virtual; any other zone is found
 * only by NS records in its parent. All other names but those of AWS do not exist.
 */
export class RecursiveResolver {
  readonly #zones: Zones;
  readonly #nameServers: NameServers;
  readonly #addressesOf: AddressesOf;
  readonly #cache: ResolverCache;

  constructor({ zones, nameServers, addressesOf, ...options }: RecursiveResolverOptions) {
    this.#zones = zones;
    this.#nameServers = nameServers;
    this.#addressesOf = addressesOf;
    this.#cache = new ResolverCache(options);
  }

  /** Lags for this time: it keeps the answers that it has, whatever their TTL. */
  lagFor(ms: number): void {
    this.#cache.lagFor(ms);
  }

  resolve({ name: asked, type }: Question): Reply | 'silence' {
    const answers: Answer[] = [];
    let name = asked;
    for (let followed = 0; followed < MAX_CHAIN; followed++) {
      const normalized = normalizedName(name);
      if (normalized === undefined) return emptyReply('NXDOMAIN');
      const found = this.#lookUp(normalized, type);
      if (found === 'silence') return found;
      if (found === 'SERVFAIL') return emptyReply('SERVFAIL');
      if (found.kind !== 'records') {
        const code = found.kind === 'NXDOMAIN' ? 'NXDOMAIN' : 'NOERROR';
        return { ...emptyReply(code), answers, authorities: [found.soa] };
      }
      // The records keep the letter case of the question.
      answers.push(...found.records.map(record => ({ ...record, name })));
      const [first] = found.records;
      if (first?.type !== 'CNAME' || type === 'CNAME' || type === 'ANY') {
        return { ...emptyReply('NOERROR'), answers };
      }
      name = first.data;
    }
    return emptyReply('SERVFAIL');
  }

  /** The records of a type at a name, or the CNAME record in their place. */
  #lookUp(name: string, type: string): CachedAnswer | 'SERVFAIL' | 'silence' {
    const alias = this.#cache.find(name, 'CNAME');
    if (alias?.kind === 'records') return alias;
    const cached = this.#cache.find(name, type);
    if (cached !== undefined) return cached;
    const found = this.#ask(name, type);
    if (typeof found === 'string') return found;
    const isAlias = found.kind === 'records' && found.records[0]?.type === 'CNAME' && type !== 'ANY';
    this.#cache.store(name, isAlias ? 'CNAME' : type, found);
    return found;
  }

  /** Asks the servers of the zones from the top to the one that answers. A failure is not cached. */
  #ask(name: string, type: string): CachedAnswer | 'SERVFAIL' | 'silence' {
    let zone = this.#topmostZoneOf(name);
    if (zone === undefined) return this.#outsideOfZones(name, type);
    while (zone !== undefined) {
      const reply = this.#nameServers.reply(zone.id, { name: unescapedName(name), type });
      if (reply === 'silence') return reply;
      if (reply.code === 'SERVFAIL' || reply.code === 'REFUSED') return 'SERVFAIL';
      const [authority] = reply.authorities;
      if (reply.isAuthoritative) return cachedAnswer(reply, name);
      zone = authority?.type === 'NS' ? this.#delegatedZone(reply.authorities) : undefined;
    }
    return 'SERVFAIL';
  }

  /** The zone that the public suffix delegates to: the oldest of several zones with the same name. */
  #topmostZoneOf(name: string): HostedZone | undefined {
    return this.#zones
      .list()
      .filter(zone => isWithin(name, zone.name))
      .reduce<HostedZone | undefined>(
        (topmost, zone) => (topmost && topmost.name.length <= zone.name.length ? topmost : zone),
        undefined,
      );
  }

  /** A server of the NS records. One that does not have the zone refuses: the delegation is lame. */
  #delegatedZone(delegation: readonly Answer[]): HostedZone | undefined {
    const cut = normalizedName(delegation[0]?.name ?? '');
    const served = delegation.flatMap(record =>
      record.type === 'NS' ? this.#nameServers.zonesAt(normalizedName(record.data) ?? '') : [],
    );
    return served.find(zone => zone.name === cut);
  }

  #outsideOfZones(name: string, type: string): CachedAnswer {
    const exists = isAwsName(name) || this.#zones.list().some(zone => isWithin(zone.name, name));
    const asked = type === 'ANY' ? 'A' : type;
    const records = this.#addressesOf(name, asked).map(address =>
      dnsRecord(asked as RecordType, unescapedName(name), AWS_TTL_SECONDS, address),
    );
    if (records.length > 0) return { kind: 'records', records };
    return { kind: exists ? 'NODATA' : 'NXDOMAIN', soa: topLevelSoa(name) };
  }
}

function cachedAnswer({ code, answers, authorities }: Reply, name: string): CachedAnswer {
  const records = answers.filter(answer => normalizedName(answer.name) === name);
  if (records.length > 0) return { kind: 'records', records };
  return { kind: code === 'NXDOMAIN' ? 'NXDOMAIN' : 'NODATA', soa: authorities[0] as Answer };
}

function topLevelSoa(name: string): Answer {
  const topLevel = name.slice(0, -1).split('.').at(-1) ?? '';
  const value = `a.nic.${topLevel}. hostmaster.nic.${topLevel}. 1 1800 900 604800 ${TOP_LEVEL_NEGATIVE_TTL_SECONDS}`;
  return dnsRecord('SOA', topLevel, TOP_LEVEL_NEGATIVE_TTL_SECONDS, value);
}

/** The records of a name and type, or that there are none, with the SOA record that says for how long. */
type CachedAnswer =
  | { readonly kind: 'records'; readonly records: readonly Answer[] }
  | { readonly kind: 'NXDOMAIN' | 'NODATA'; readonly soa: Answer };

interface Entry {
  readonly answer: CachedAnswer;
  readonly expiresAtMs: number;
}

interface ResolverCacheOptions {
  /** Multiplies TTLs. */
  readonly waitScale: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A long test run asks for many names. The oldest entries are dropped first. */
const MAX_ENTRIES = 10_000;

/**
 * The cache of a recursive resolver. Records are kept for their TTL. NXDOMAIN counts for the name and everything below
 * it (RFC 8020), NODATA for the type (RFC 2308). Names are in Route 53's form.
 */
class ResolverCache {
  readonly #options: ResolverCacheOptions;
  readonly #entries = new Map<string, Entry>();
  #lagsUntilMs = 0;

  constructor(options: ResolverCacheOptions) {
    this.#options = options;
  }

  lagFor(ms: number): void {
    this.#lagsUntilMs = this.#options.now() + ms;
  }

  find(name: string, type: string): CachedAnswer | undefined {
    const answer = this.#current(`${name} ${type}`);
    if (answer !== undefined) return answer;
    for (let ancestor = name; ancestor !== ''; ancestor = parentOf(ancestor)) {
      const missing = this.#current(`${ancestor} NXDOMAIN`);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  store(name: string, type: string, answer: CachedAnswer): void {
    const records = answer.kind === 'records' ? answer.records : [answer.soa];
    const ttlSeconds = Math.min(...records.map(ttlOf));
    const expiresAtMs = this.#options.now() + ttlSeconds * 1000 * this.#options.waitScale;
    const key = answer.kind === 'NXDOMAIN' ? `${name} NXDOMAIN` : `${name} ${type}`;
    this.#entries.delete(key);
    this.#entries.set(key, { answer, expiresAtMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** The cached answer with the TTL that is left. */
  #current(key: string): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { now, waitScale } = this.#options;
    const keptUntilMs = Math.max(entry.expiresAtMs, this.#lagsUntilMs);
    const leftSeconds = Math.ceil((keptUntilMs - now()) / 1000 / waitScale);
    if (leftSeconds <= 0) {
      this.#entries.delete(key);
      return undefined;
    }
    const aged = (record: Answer) => ({ ...record, ttl: leftSeconds }) as Answer;
    const { answer } = entry;
    return answer.kind === 'records'
      ? { kind: 'records', records: answer.records.map(aged) }
      : { kind: answer.kind, soa: aged(answer.soa) };
  }
}

function ttlOf(record: Answer): number {
  return 'ttl' in record ? (record.ttl ?? 0) : 0;
}
