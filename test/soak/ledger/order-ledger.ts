import type { Report } from './violations.ts';

export interface SeenOrder {
  readonly id: string;
  readonly petId: string;
  readonly status: string;
}

interface OrderEntry {
  readonly id: string;
  readonly petId: string;
  /** The statuses that the order may have; `gone` when it was cancelled. One, unless a change is under way. */
  possible: string[];
}

/** Knows every order that was placed: it is there once, for its animal, and in the status that was acknowledged last. */
export class OrderLedger {
  readonly #report: Report;
  readonly #stage: string;
  readonly #entries = new Map<string, OrderEntry>();
  readonly #byRequest = new Map<string, string>();

  constructor(stage: string, report: Report) {
    this.#stage = stage;
    this.#report = report;
  }

  get entries(): OrderEntry[] {
    return [...this.#entries.values()];
  }

  /** A reply to `orders.place`. The replies to one request name one order. */
  placed(requestId: string, petId: string, order: SeenOrder): void {
    const earlier = this.#byRequest.get(requestId);
    if (earlier !== undefined && earlier !== order.id) {
      this.#report(
        'doubled',
        `the request ${requestId} of ${this.#stage} has placed the orders ${earlier} and ${order.id}`,
      );
    }
    this.#byRequest.set(requestId, order.id);
    if (order.petId !== petId) {
      this.#report(
        'altered',
        `the order ${order.id} of ${this.#stage} is for the animal ${order.petId}, not ${petId}`,
      );
    }
    const rival = this.entries.find(
      entry => entry.petId === petId && entry.id !== order.id && !entry.possible.includes('gone'),
    );
    if (rival) {
      this.#report(
        'doubled',
        `the animal ${petId} of ${this.#stage} is in the orders ${rival.id} and ${order.id}`,
      );
    }
    if (!this.#entries.has(order.id))
      this.#entries.set(order.id, { id: order.id, petId, possible: ['placed'] });
  }

  /** A change is about to be sent. */
  requested(id: string, status: string): void {
    this.#entries.get(id)?.possible.push(status);
  }

  /** The change was carried out, so that the order has this status and no other. */
  known(id: string, status: string): void {
    const entry = this.#entries.get(id);
    if (entry) entry.possible = [status];
  }

  /** Compares all orders, as a list or the table has them when no change is under way, with what was acknowledged. */
  checkAll(seen: readonly SeenOrder[], where: string): void {
    const ids = seen.map(({ id }) => id);
    for (const { id, petId, status } of seen) {
      const entry = this.#entries.get(id);
      const named = `the order ${id} in ${where}`;
      if (ids.indexOf(id) !== ids.lastIndexOf(id)) this.#report('doubled', `${named} is there twice`);
      if (!entry) this.#report('invented', `${named} was acknowledged to nobody`);
      else if (!entry.possible.includes(status)) {
        this.#report('altered', `${named} is ${status}, not ${entry.possible.join(' or ')}`);
      } else if (entry.petId !== petId)
        this.#report('altered', `${named} is for ${petId}, not ${entry.petId}`);
    }
    const present = new Set(ids);
    for (const { id, petId, possible } of this.entries) {
      if (!present.has(id) && !possible.includes('gone')) {
        this.#report(
          'lost',
          `the order ${id} for the animal ${petId} was acknowledged and is missing in ${where}`,
        );
      }
    }
  }
}
