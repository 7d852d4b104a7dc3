import { type CallOptions, Connection } from './connection.ts';
import { type Deprecation, warnOfDeprecation } from './deprecation.ts';
import { stringifyJson } from './json.ts';
import { PagedList } from './paged-list.ts';
import { type Clock, SYSTEM_CLOCK } from './retry.ts';
import type { ListOrdersQuery, ListPetsQuery, NewPet, Order, Pet } from './schemas.ts';
import type { Shape } from './shape.ts';

const PET: Shape<Pet> = {
  id: 'bigint',
  name: 'string',
  categoryId: 'bigint',
  status: { available: true, pending: true, sold: true },
};

const ORDER: Shape<Order> = {
  id: 'bigint',
  petId: 'bigint',
  status: { placed: true, approved: true, delivered: true },
  placedAt: 'string',
};

export interface PetstoreOptions {
  /** The base URL of an environment, such as `https://…/production/v1`. */
  readonly baseUrl: string | URL;
  /** The API key. Never put one into a public web page: anyone who opens the page has it. */
  readonly apiKey: string;
  /** How often a call is sent at most, the first time included: 8 unless given. */
  readonly maxAttempts?: number | undefined;
  /** How long an attempt may take, in milliseconds: 10,000 unless given. `Infinity` means no limit. */
  readonly timeoutMs?: number | undefined;
  /** Called once for each deprecated operation that is used. By default a warning is logged to the console. */
  readonly onDeprecation?: ((deprecation: Deprecation) => void) | undefined;
  /** Sends the requests in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For the tests of this package only: it may change at any time. */
  readonly clock?: Clock | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Calls with one key and one animal add it once, within 24 hours. Without a key every call gets a new one. */
  readonly idempotencyKey?: string | undefined;
}

/** A client of one environment of the Petstore service. */
export class Petstore {
  readonly pets: Pets;
  readonly orders: Orders;

  constructor({ baseUrl, apiKey, ...options }: PetstoreOptions) {
    const { origin, pathname } = new URL(baseUrl);
    const base = origin + pathname.replace(/\/+$/, '');
    const connection = new Connection({
      origin,
      apiKey,
      maxAttempts: options.maxAttempts ?? 8,
      timeoutMs: options.timeoutMs ?? 10_000,
      onDeprecation: options.onDeprecation ?? warnOfDeprecation,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock: options.clock ?? SYSTEM_CLOCK,
    });
    this.pets = new Pets(base, connection);
    this.orders = new Orders(base, connection);
  }
}

class Pets {
  readonly #base: string;
  readonly #connection: Connection;

  constructor(base: string, connection: Connection) {
    this.#base = base;
    this.#connection = connection;
  }

  /** Lists animals in the order of their creation, page by page while the list is iterated. */
  list(query: ListPetsQuery = {}, options: CallOptions = {}): PagedList<Pet> {
    return new PagedList(urlOf(`${this.#base}/pets`, query), (url, readPages) =>
      this.#connection.page({ operation: 'GET /pets', url, options }, PET, readPages),
    );
  }

  /** Adds one animal, however often the request has to be sent. */
  create(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    return this.#connection.value(
      {
        operation: 'POST /pets',
        url: new URL(`${this.#base}/pets`),
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': options.idempotencyKey ?? randomKey(),
        },
        body: stringifyJson(pet),
        options,
      },
      PET,
    );
  }

  /**
   * Gets one animal.
   *
   * @deprecated The service removes this operation on 5 December 2030. Use `list` with a `status`.
   */
  get(id: bigint, options: CallOptions = {}): Promise<Pet> {
    return this.#connection.value(
      {
        operation: 'GET /pets/{petId}',
        url: new URL(`${this.#base}/pets/${encodeURIComponent(String(id))}`),
        options,
      },
      PET,
    );
  }
}

class Orders {
  readonly #base: string;
  readonly #connection: Connection;

  constructor(base: string, connection: Connection) {
    this.#base = base;
    this.#connection = connection;
  }

  /**
   * Lists orders in the order in which they were placed, page by page while the list is iterated.
   *
   * @experimental The operation may change or disappear at any time.
   */
  list(query: ListOrdersQuery = {}, options: CallOptions = {}): PagedList<Order> {
    return new PagedList(urlOf(`${this.#base}/store/orders`, query), (url, readPages) =>
      this.#connection.page({ operation: 'GET /store/orders', url, options }, ORDER, readPages),
    );
  }
}

function urlOf(base: string, query: object): URL {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that are served without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
