import { randomBytes } from 'node:crypto';
import { wait } from './host/wait.ts';

/**
 * What the account of this package is in. `npm start` gives it the real clock, a simulation a virtual one; ids and what AWS
 * does at times follow from the seed there.
 */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits, until the signal is aborted if it is earlier. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What the waits of AWS are multiplied by: 0.01 makes them a hundredth. */
  readonly waitScale: number;
  readonly newId: (kind: IdKind) => string;
  /** How AWS behaves at the moment. Each of its functions is called anew for every occasion. */
  readonly behavior: () => AwsBehavior;
}

/** What AWS does sooner or later, or in one way or another. Times are as they pass here, scaled already. */
export interface AwsBehavior {
  /** How long Route 53 applies a change of a zone, and accepts no further one. How long that takes is not documented. */
  applyingMs(): number;
  /** From the request of a certificate until ACM names its validation records: seconds to tens of seconds on AWS. */
  recordDelayMs(): number;
  /** From the request of a certificate until it is in the list. */
  listDelayMs(): number;
  /** After how long ACM looks again at a certificate that waits for something. It also looks when it is asked. */
  checkMs(): number;
  /** From the moment at which ACM sees the validation records until it issues the certificate. */
  issueDelayMs(): number;
  /** The reason for which a certificate fails instead of being issued; undefined if it does not. */
  failure(): FailureReason | undefined;
  /** Whether a forbidding CAA record fails a certificate; otherwise the certificate stays pending. */
  isFailedByCaa(): boolean;
  /** How long an issued certificate takes to reach API Gateway, which serves the former one after a renewal until then. */
  spreadMs(): number;
  /** How long a certificate is valid. */
  validityMs(): number;
  /** From the time at which a renewal is due until ACM first looks whether it can renew the certificate. */
  renewalDelayMs(): number;
  /** How many certificates a page of their list has at most. */
  pageLength(): number;
  /** How many custom domain names the account may have. */
  maxDomainNames(): number;
  /** How long a certificate stays in use after its last use: 4 to 20 minutes were seen on AWS. */
  inUseMs(): number;
  /** What becomes of the start of an execution. */
  wakeUp(): WakeUp;
  /** When and how an execution ends that nobody stops and no state ends; undefined if it does not. */
  deathOf(): Death | undefined;
  /** DescribeExecution is eventually consistent: what happened within this time is missing. */
  describeLagMs(): number;
  /** Whether EventBridge fails one event of a request, and accepts the others. */
  isEventRejected(): boolean;
}

export type FailureReason = 'CAA_ERROR' | 'ADDITIONAL_VERIFICATION_REQUIRED' | 'OTHER';

/** The end of an execution by hand, by its timeout or by a limit of Step Functions. */
export interface Death {
  readonly afterMs: number;
  readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
}

/** What becomes of a wake-up: the start of an execution, or a scheduled run. A late one may come after those that follow it. */
export type WakeUp =
  | { readonly kind: 'once' | 'lost' }
  | { readonly kind: 'twice'; readonly againMs: number }
  | { readonly kind: 'late'; readonly byMs: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/** AWS without surprises: the same each time. */
export function steadyBehavior(waitScale = 1): AwsBehavior {
  return {
    applyingMs: () => 100 * waitScale,
    recordDelayMs: () => 5_000 * waitScale,
    listDelayMs: () => 0,
    checkMs: () => Math.max(20, 10_000 * waitScale),
    issueDelayMs: () => 0,
    failure: () => undefined,
    isFailedByCaa: () => true,
    spreadMs: () => 0,
    validityMs: () => 198 * DAY_MS,
    renewalDelayMs: () => 0,
    pageLength: () => Number.POSITIVE_INFINITY,
    maxDomainNames: () => 120,
    inUseMs: () => 4 * 60_000 * waitScale,
    wakeUp: () => ({ kind: 'once' }),
    deathOf: () => undefined,
    describeLagMs: () => 0,
    isEventRejected: () => false,
  };
}

/** The surroundings of `npm start`, but for what is given. */
export function surroundings(given: Partial<Surroundings> = {}): Surroundings {
  const { waitScale = 1 } = given;
  const steady = steadyBehavior(waitScale);
  return { now: Date.now, wait, waitScale, newId: ids(randomBytes), behavior: () => steady, ...given };
}

/** The form of an id: API Gateway's ten small letters and digits, or Route 53's twenty capital ones. */
export type IdKind = 'uuid' | 'apigateway' | 'route53';

/** Ids of random bytes. */
export function ids(random: (size: number) => Buffer): (kind: IdKind) => string {
  const letters = (length: number) =>
    BigInt(`0x${random(32).toString('hex')}`)
      .toString(36)
      .padStart(length, '0')
      .slice(-length);
  return kind => {
    switch (kind) {
      case 'uuid':
        return uuid(random(16));
      case 'apigateway':
        return letters(10);
      case 'route53':
        return letters(20).toUpperCase();
      default:
        return kind satisfies never;
    }
  };
}

/** A random UUID (version 4). */
function uuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
