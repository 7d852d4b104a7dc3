import { Connection } from './connection.ts';
import { type Deprecation } from './deprecation.ts';
import { PagedList } from './paged-list.ts';
import { type Clock } from './retry.ts';
import type { ListOrdersQuery, ListPetsQuery, NewPet, Order, Pet } from './schemas.ts';
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
export interface CallOptions {
    /** Ends the call, waits between attempts included. The call then fails with the reason of the signal. */
    readonly signal?: AbortSignal | undefined;
}
export interface CreateOptions extends CallOptions {
    /** Calls with one key and one animal add it once, within 24 hours. Without a key every call gets a new one. */
    readonly idempotencyKey?: string | undefined;
}
/** A client of one environment of the Petstore service. */
export declare class Petstore {
    readonly pets: Pets;
    readonly orders: Orders;
    constructor({ baseUrl, apiKey, ...options }: PetstoreOptions);
}
declare class Pets {
    #private;
    constructor(base: string, connection: Connection);
    /** Lists animals in the order of their creation, page by page while the list is iterated. */
    list(query?: ListPetsQuery, { signal }?: CallOptions): PagedList<Pet>;
    /** Adds one animal, however often the request has to be sent. */
    create(pet: NewPet, { signal, idempotencyKey }?: CreateOptions): Promise<Pet>;
    /**
     * Gets one animal.
     *
     * @deprecated The service removes this operation on 5 December 2030. Use `list` with a `status`.
     */
    get(id: bigint, { signal }?: CallOptions): Promise<Pet>;
}
declare class Orders {
    #private;
    constructor(base: string, connection: Connection);
    /**
     * Lists orders in the order in which they were placed, page by page while the list is iterated.
     *
     * @experimental The operation may change or disappear at any time.
     */
    list(query?: ListOrdersQuery, { signal }?: CallOptions): PagedList<Order>;
}
export {};
