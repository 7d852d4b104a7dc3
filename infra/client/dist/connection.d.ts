import { type Deprecation } from './deprecation.ts';
import type { LoadedPage } from './paged-list.ts';
import { type Clock } from './retry.ts';
import { type Shape } from './shape.ts';
export interface ConnectionSettings {
    readonly origin: string;
    readonly apiKey: string;
    readonly maxAttempts: number;
    readonly timeoutMs: number;
    readonly onDeprecation: (deprecation: Deprecation) => void;
    readonly fetch: typeof globalThis.fetch;
    readonly clock: Clock;
}
/** What one call sends. It may be sent more than once, so it has to be idempotent. */
export interface Call {
    /** Method and path as the document has them, such as `GET /pets/{petId}`. */
    readonly operation: string;
    readonly url: URL;
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string | null;
    readonly signal: AbortSignal | undefined;
}
/** Sends requests with the API key and retries them. */
export declare class Connection {
    #private;
    constructor(settings: ConnectionSettings);
    /** The body of a successful response; undefined where none is documented, which has no shape. */
    value<Value>(call: Call, shape: Shape<Value> | undefined): Promise<Value>;
    /** A page and the link to the next one. */
    page<Item>(call: Call, shape: Shape<Item>, readPages: ReadonlySet<string>): Promise<LoadedPage<Item>>;
}
