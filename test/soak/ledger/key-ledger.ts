import type { Interval } from './pet-ledger.ts';
import type { Report } from './violations.ts';

/** An API key that was acknowledged, and from when to when it must work or must not. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** Undefined for a key whose creation was answered by a repetition only: the key itself is in the first answer alone. */
  readonly key: string | undefined;
  readonly createdAtMs: number;
  /** When a request that ends the key was sent: from then on it may be refused. */
  endingFromMs: number;
  /** When that was acknowledged, or later where the documentation says so: from then on it must be refused. */
  endedAtMs: number;
}

/** API Gateway knows a new key after seconds (2 s, scaled): `keys create` says that it may be refused until then. */
const PROPAGATION_MS = 3000;

/** How long a rotated key may still work if the authorizer's cache could not be flushed: the cache's time to live. */
export const CACHE_TTL_MS = 5 * 60 * 1000;

/** Knows every API key: one that is valid is never refused, one that was revoked is never accepted. */
export class KeyLedger {
  readonly #report: Report;
  readonly #stage: string;
  readonly #entries = new Map<string, KeyEntry>();
  readonly #byRequest = new Map<string, string>();

  constructor(stage: string, report: Report) {
    this.#stage = stage;
    this.#report = report;
  }

  get entries(): KeyEntry[] {
    return [...this.#entries.values()];
  }

  /** The reply to a request for a key. The replies to one request name one key. */
  created(
    requestId: string,
    { id, name, key }: Pick<KeyEntry, 'id' | 'name' | 'key'>,
    nowMs: number,
  ): KeyEntry {
    const earlier = this.#byRequest.get(requestId);
    if (earlier !== undefined && earlier !== id) {
      this.#report(
        'doubled',
        `the request ${requestId} of ${this.#stage} has created the keys ${earlier} and ${id}`,
      );
    }
    this.#byRequest.set(requestId, id);
    const never = Number.POSITIVE_INFINITY;
    const entry = { id, name, key, createdAtMs: nowMs, endingFromMs: never, endedAtMs: never };
    this.#entries.set(id, entry);
    return entry;
  }

  /** A request that revokes the key, or replaces it, is about to be sent. */
  ending(entry: KeyEntry, nowMs: number): void {
    entry.endingFromMs = Math.min(entry.endingFromMs, nowMs);
  }

  /** The end was acknowledged; `graceMs` is how much longer the key may work by the documentation. */
  ended(entry: KeyEntry, nowMs: number, graceMs = 0): void {
    entry.endedAtMs = Math.min(entry.endedAtMs, nowMs + graceMs);
  }

  /** A request with this key was answered; `isRefused` if with 401. */
  used(entry: KeyEntry, isRefused: boolean, { fromMs, toMs }: Interval): void {
    const named = `the key ${entry.id} (${entry.name}) of ${this.#stage}`;
    const isKnown = fromMs > entry.createdAtMs + PROPAGATION_MS;
    if (isRefused && isKnown && toMs < entry.endingFromMs) {
      this.#report('valid key refused', `${named} was refused, although nobody has ended it`);
    }
    if (!isRefused && fromMs > entry.endedAtMs) {
      const agoMs = Math.round(fromMs - entry.endedAtMs);
      this.#report(
        'invalid key accepted',
        `${named} was accepted ${agoMs} ms after its end was acknowledged`,
      );
    }
  }

  /** Compares the keys of a list, when no change is under way, with what was acknowledged. */
  checkAll(
    seen: readonly { readonly id: string; readonly name: string; readonly isActive: boolean }[],
    where: string,
  ): void {
    const byId = new Map(seen.map(key => [key.id, key]));
    for (const { id, name, endedAtMs, endingFromMs } of this.entries) {
      const key = byId.get(id);
      if (!key) this.#report('lost', `the key ${id} (${name}) was acknowledged and is missing in ${where}`);
      else if (key.isActive && endedAtMs !== Number.POSITIVE_INFINITY) {
        this.#report(
          'lost',
          `the end of the key ${id} (${name}) was acknowledged, and it is active in ${where}`,
        );
      } else if (!key.isActive && endingFromMs === Number.POSITIVE_INFINITY) {
        this.#report(
          'altered',
          `the key ${id} (${name}) is not active in ${where}, although nobody has ended it`,
        );
      }
    }
    // A second key of one request is one that was given to nobody.
    for (const { id, name } of seen) {
      if (!this.#entries.has(id))
        this.#report('invented', `the key ${id} (${name}) in ${where} was given to nobody`);
    }
  }
}
