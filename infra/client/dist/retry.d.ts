import type { PetstoreError } from './petstore-error.ts';
/** What a retry takes from the outside, so that tests need not wait. */
export interface Clock {
    now(): number;
    /** From 0 up to 1. */
    random(): number;
    /** Ends early, with the reason of the signal, when the signal is aborted. */
    sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
}
/**
 * How long to wait before the next attempt, or undefined when another attempt cannot help. Exponential backoff with
 * full jitter; where the service says how long to wait, the jitter is added to that.
 */
export declare function retryDelayMs({ code, status, retryAfter }: PetstoreError, attempt: number, clock: Clock): number | undefined;
/** The seconds of a Retry-After header, which has a number of seconds or a date. */
export declare function retryAfterSeconds(header: string | null, nowMs: number): number | undefined;
export declare const SYSTEM_CLOCK: Clock;
