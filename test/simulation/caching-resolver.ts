import type { Found, Lookup, RecordType } from '../../shared/domains/dns/lookup.ts';
import { MINUTE_MS, type VirtualTime } from './virtual-time.ts';

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
export class CachingResolver {
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

  readonly lookup: Lookup = async (name, type) => this.resolve(name, type);

  resolve(name: string, type: RecordType): Found {
    let owner = name;
    for (let followed = 0; followed <= MAX_CHAIN; followed += 1) {
      const found = this.#askCached(owner, type);
      if (found.kind === 'records' && followed > 0) return { ...found, canonical: owner };
      if (found.kind !== 'alias') return found;
      owner = found.target;
    }
    return { kind: 'unknown', why: 'SERVFAIL' };
  }

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
