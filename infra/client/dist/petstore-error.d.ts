import type { ErrorCode } from './schemas.ts';
export interface PetstoreErrorDetails {
    readonly status: number;
    readonly requestId?: string | undefined;
    readonly retryAfter?: number | undefined;
    readonly cause?: unknown;
}
/** Why a call failed: the service refused it, or there was no response at all. */
export declare class PetstoreError extends Error {
    /** A string of its own: the name of the class does not survive a minifier. */
    readonly name = "PetstoreError";
    /**
     * The code of the service's response; `network_error` without a response, with the reason as `cause`;
     * `unexpected_answer` if the response is not the service's.
     */
    readonly code: ErrorCode | 'network_error' | 'unexpected_answer' | (string & {});
    /** The HTTP status; 0 without a response. */
    readonly status: number;
    /** Identifies the request. Quote it when you report something. */
    readonly requestId: string | undefined;
    /** After how many seconds the service asked to be called again. */
    readonly retryAfter: number | undefined;
    constructor(code: string, message: string, { status, requestId, retryAfter, cause }: PetstoreErrorDetails);
}
