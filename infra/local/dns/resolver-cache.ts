import type { Answer } from 'dns-packet';
import { parentOf } from '../route53/domain-name.ts';

/** What is known of a name and type: its records, or that there are none, with the SOA record that says for how long. */
export type CachedAnswer =
  | { readonly kind: 'records'; readonly records: readonly Answer[] }
  | { readonly kind: 'NXDOMAIN' | 'NODATA'; readonly soa: Answer };

interface Entry {
  readonly answer: CachedAnswer;
  readonly expiresAtMs: number;
}

export interface ResolverCacheOptions {
  /** What TTLs are multiplied by. */
  readonly waitScale: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A long test run asks for many names; those that were stored first are dropped first. */
const MAX_ENTRIES = 10_000;

/**
 * The cache of a recursive resolver. Records are kept for their TTL. That a name does not exist is kept for the name and
 * everything below it (RFC 8020), that it has no records of a type for that type (RFC 2308). Names are in Route 53's form.
 */
export class ResolverCache {
  readonly #options: ResolverCacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #heldNames = new Set<string>();

  constructor(options: ResolverCacheOptions) {
    this.#options = options;
  }

  /** Keeps the answers for a name beyond their TTL, as a resolver does that lags behind. */
  hold(name: string): void {
    this.#heldNames.add(name);
  }

  release(name: string): void {
    this.#heldNames.delete(name);
  }

  find(name: string, type: string): CachedAnswer | undefined {
    const answer = this.#current(name, `${name} ${type}`);
    if (answer !== undefined) return answer;
    for (let ancestor = name; ancestor !== ''; ancestor = parentOf(ancestor)) {
      const missing = this.#current(ancestor, `${ancestor} NXDOMAIN`);
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
  #current(name: string, key: string): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { now, waitScale } = this.#options;
    const leftSeconds = Math.ceil((entry.expiresAtMs - now()) / 1000 / waitScale);
    if (leftSeconds <= 0 && !this.#heldNames.has(name)) {
      this.#entries.delete(key);
      return undefined;
    }
    const aged = (record: Answer) => ({ ...record, ttl: Math.max(0, leftSeconds) }) as Answer;
    const { answer } = entry;
    return answer.kind === 'records'
      ? { kind: 'records', records: answer.records.map(aged) }
      : { kind: answer.kind, soa: aged(answer.soa) };
  }
}

function ttlOf(record: Answer): number {
  return 'ttl' in record ? (record.ttl ?? 0) : 0;
}
