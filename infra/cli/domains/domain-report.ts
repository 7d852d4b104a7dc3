import { EXIT_CODES } from '../command-error.ts';

export type RecordState = 'ok' | 'missing' | 'mismatch' | 'conflict' | 'unreachable';

/** A DNS record that a domain needs, and what was seen of it. Names and values have no dot at their end. */
export interface DomainRecord {
  readonly purpose: 'traffic' | 'ownership' | 'certificate';
  readonly type: 'CNAME' | 'ALIAS' | 'TXT';
  readonly name: string;
  readonly value: string;
  readonly ttl: number;
  readonly state: RecordState;
  readonly observed: readonly string[];
  readonly action: string | null;
}

/** A custom domain as the operator function tells it, in every answer the same. Times are RFC 3339. */
export interface DomainReport {
  readonly project: string;
  readonly domain: string;
  readonly kind: 'subdomain' | 'apex';
  readonly status: 'pending_dns' | 'verifying' | 'issuing' | 'live' | 'failed' | 'removing';
  readonly reason: string | null;
  readonly message: string;
  readonly records: readonly DomainRecord[];
  readonly certificate: {
    readonly status: string | null;
    readonly arn: string | null;
    readonly failure: string | null;
    readonly renewal?: string | null;
  };
  readonly primary: boolean;
  readonly redirect: { readonly to: string; readonly status: number } | null;
  readonly checkedAt?: string | null;
  readonly nextCheckAt: string | null;
  readonly deadlines: { readonly dns: string | null; readonly certificate: string | null };
  readonly next: readonly string[];
  readonly history: readonly { readonly at: string; readonly what: string }[];
}

/** States that only the owner of the domain can end, unless there is nothing to do but wait; a server comes back. */
const STATES_TO_ACT_ON: readonly RecordState[] = ['missing', 'mismatch', 'conflict'];

/** Reasons that pass by themselves. */
const WAITING_REASON = /^certificate_delayed$|_(spreading|unreachable)$/;

/** It is served, and nothing about it has gone astray since. */
export function isLive({ status, reason }: DomainReport): boolean {
  return status === 'live' && reason === null;
}

/** Whether the domain waits for its owner, and not for DNS, the certificate or us. */
export function needsAction({ status, reason, records }: DomainReport): boolean {
  switch (status) {
    case 'failed':
      return true;
    case 'live':
      return reason !== null;
    case 'removing':
      return false;
    default:
      return (
        records.some(({ state, action }) => STATES_TO_ACT_ON.includes(state) && action !== null) ||
        (reason !== null && !WAITING_REASON.test(reason))
      );
  }
}

/** For the help of the commands whose exit code tells how the domain is. */
export const EXIT_CODES_TEXT = `Exit codes: ${EXIT_CODES.done} live, ${EXIT_CODES.error} error, ${EXIT_CODES.usage} usage, ${EXIT_CODES.actionNeeded} an action of yours is needed, ${EXIT_CODES.pending} still pending.`;

export function exitCodeOf(report: DomainReport): number {
  if (isLive(report)) return EXIT_CODES.done;
  return needsAction(report) ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}
