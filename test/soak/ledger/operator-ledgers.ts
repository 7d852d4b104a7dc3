import type { Interval } from './pet-ledger.ts';
import type { Report } from './violations.ts';

export interface SeenOrder {
  readonly id: string;
  readonly petId: string;
  readonly status: string;
}

interface OrderEntry {
  readonly id: string;
  readonly petId: string;
  /** The statuses that the order may have; `gone` when it was canceled. One, unless a change is under way. */
  possible: string[];
}

/** What was acknowledged to one environment's operators, by id. The replies to one request name one thing. */
class Ledger<Entry> {
  protected readonly report: Report;
  protected readonly stage: string;
  protected readonly byId = new Map<string, Entry>();
  readonly #byRequest = new Map<string, string>();

  constructor(stage: string, report: Report) {
    this.stage = stage;
    this.report = report;
  }

  get entries(): Entry[] {
    return [...this.byId.values()];
  }

  protected replied(requestId: string, what: string, id: string): void {
    const earlier = this.#byRequest.get(requestId) ?? id;
    if (earlier !== id) {
      this.report('doubled', `the request ${requestId} of ${this.stage} ${what} ${earlier} and ${id}`);
    }
    this.#byRequest.set(requestId, id);
  }
}

/** Knows every order that was placed: it is there once, for its pet, and in the status that was acknowledged last. */
export class OrderLedger extends Ledger<OrderEntry> {
  /** A reply to `orders.place`. */
  placed(requestId: string, petId: string, order: SeenOrder): void {
    this.replied(requestId, 'has placed the orders', order.id);
    if (order.petId !== petId) {
      this.report(
        'altered',
        `the order ${order.id} of ${this.stage} is for the pet ${order.petId}, not ${petId}`,
      );
    }
    const rival = this.entries.find(
      entry => entry.petId === petId && entry.id !== order.id && !entry.possible.includes('gone'),
    );
    if (rival) {
      this.report(
        'doubled',
        `the pet ${petId} of ${this.stage} is in the orders ${rival.id} and ${order.id}`,
      );
    }
    if (!this.byId.has(order.id)) this.byId.set(order.id, { id: order.id, petId, possible: ['placed'] });
  }

  /** A change is about to be sent. */
  requested(id: string, status: string): void {
    this.byId.get(id)?.possible.push(status);
  }

  /** The change was carried out, so that the order has this status and no other. */
  known(id: string, status: string): void {
    const entry = this.byId.get(id);
    if (entry) entry.possible = [status];
  }

  /** Compares all orders, as a list or the table has them when no change is under way, with what was acknowledged. */
  checkAll(seen: readonly SeenOrder[], where: string): void {
    const ids = seen.map(({ id }) => id);
    for (const { id, petId, status } of seen) {
      const entry = this.byId.get(id);
      const named = `the order ${id} in ${where}`;
      if (ids.indexOf(id) !== ids.lastIndexOf(id)) this.report('doubled', `${named} is there twice`);
      if (!entry) this.report('invented', `${named} was acknowledged to nobody`);
      else if (!entry.possible.includes(status)) {
        this.report('altered', `${named} is ${status}, not ${entry.possible.join(' or ')}`);
      } else if (entry.petId !== petId)
        this.report('altered', `${named} is for ${petId}, not ${entry.petId}`);
    }
    const present = new Set(ids);
    for (const { id, petId, possible } of this.entries) {
      if (!present.has(id) && !possible.includes('gone')) {
        this.report(
          'lost',
          `the order ${id} for the pet ${petId} was acknowledged and is missing in ${where}`,
        );
      }
    }
  }
}

/** An API key that was acknowledged, and from when to when it must work or must not. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** Undefined for a key whose creation got a reply by a repetition only: the key itself is in the first response alone. */
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
export class KeyLedger extends Ledger<KeyEntry> {
  /** The reply to a request for a key. */
  created(
    requestId: string,
    { id, name, key }: Pick<KeyEntry, 'id' | 'name' | 'key'>,
    nowMs: number,
  ): KeyEntry {
    this.replied(requestId, 'has created the keys', id);
    const never = Number.POSITIVE_INFINITY;
    const entry = { id, name, key, createdAtMs: nowMs, endingFromMs: never, endedAtMs: never };
    this.byId.set(id, entry);
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

  /** A request with this key got a response; `isRefused` if that was a 401. */
  used(entry: KeyEntry, isRefused: boolean, { fromMs, toMs }: Interval): void {
    const named = `the key ${entry.id} (${entry.name}) of ${this.stage}`;
    const isKnown = fromMs > entry.createdAtMs + PROPAGATION_MS;
    if (isRefused && isKnown && toMs < entry.endingFromMs) {
      this.report('valid key refused', `${named} was refused, although nobody has ended it`);
    }
    if (!isRefused && fromMs > entry.endedAtMs) {
      const agoMs = Math.round(fromMs - entry.endedAtMs);
      this.report('invalid key accepted', `${named} was accepted ${agoMs} ms after its end was acknowledged`);
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
      if (!key) this.report('lost', `the key ${id} (${name}) was acknowledged and is missing in ${where}`);
      else if (key.isActive && endedAtMs !== Number.POSITIVE_INFINITY) {
        this.report(
          'lost',
          `the end of the key ${id} (${name}) was acknowledged, and it is active in ${where}`,
        );
      } else if (!key.isActive && endingFromMs === Number.POSITIVE_INFINITY) {
        this.report(
          'altered',
          `the key ${id} (${name}) is not active in ${where}, although nobody has ended it`,
        );
      }
    }
    // A second key of one request is one that was given to nobody.
    for (const { id, name } of seen) {
      if (!this.byId.has(id))
        this.report('invented', `the key ${id} (${name}) in ${where} was given to nobody`);
    }
  }
}
