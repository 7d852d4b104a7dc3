import { activeRedirect, livePrimary, type Routing, redirectOf } from '../../projects/routing.ts';
import { creationOf, requiredRecords } from '../dns/required-record.ts';
import { CERTIFICATE_DEADLINE_HOURS, DNS_DEADLINE_HOURS } from '../life/backoff.ts';
import type { Domain } from '../life/domain.ts';
import { displayName } from '../life/domain-name.ts';
import { claimEndsAt } from '../life/unverified-claims.ts';
import { nextSteps } from './next-steps.ts';
import { claimNotes } from './report-notes.ts';

/** What a live domain does for its project; null for a domain that is not live. */
export type DomainRole = 'primary' | 'redirects' | 'also_serves' | null;

const HOUR_MS = 60 * 60 * 1000;

/** What is added to the notes of the domain itself, and what deadlines and waits are multiplied by. */
export interface ReportOptions {
  readonly notes?: readonly string[];
  readonly waitScale?: number;
}

/** What operators are shown of a domain, the same in every answer. */
export function report(
  domain: Domain,
  routing: Routing,
  nowMs: number,
  { notes = [], waitScale = 1 }: ReportOptions = {},
) {
  const records = requiredRecords(domain).map(required => {
    const seen = domain.records.find(
      ({ purpose, name, value }) =>
        purpose === required.purpose && name === required.name && value === required.value,
    );
    return seen ?? { ...required, state: 'missing' as const, observed: [], action: creationOf(required) };
  });
  const { arn, status, failure, renewal } = domain.certificate;
  const redirect: { to: string; status: number } | undefined = redirectOf(routing, domain.domain);
  return {
    project: domain.project,
    domain: domain.domain,
    /** The name as people write it, where that is another: `bücher.example`. */
    unicode: displayName(domain.domain),
    kind: domain.kind,
    status: domain.status,
    reason: domain.reason,
    message: domain.message,
    records,
    certificate: { status, arn, failure, renewal },
    /** The domain keeps its roles while it is not live; `role` is the one in effect. */
    primary: routing.primary === domain.domain,
    redirect: redirect ? { to: redirect.to, status: redirect.status } : null,
    role: roleOf(domain, routing),
    /** The primary domain of the project, while it is live. */
    projectPrimary: livePrimary(routing) ?? null,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    deadlines: {
      dns: hoursAfter(domain.verifyStartedAt, DNS_DEADLINE_HOURS * waitScale),
      certificate: hoursAfter(domain.verifiedAt, CERTIFICATE_DEADLINE_HOURS * waitScale),
      /** When a claim that is not verified ends by itself. */
      claim: claimEndsAt(domain),
    },
    /** When the latest verification came how far; all but the first are null until then. */
    milestones: {
      addedAt: domain.createdAt,
      verifiedAt: domain.verifiedAt,
      issuedAt: domain.issuedAt ?? null,
      attachedAt: domain.attachedAt ?? null,
      liveAt: domain.liveAt,
    },
    next: nextSteps(domain, records, routing, nowMs, waitScale),
    notes: [...claimNotes(domain), ...notes],
    history: domain.history,
  };
}

export type DomainReport = ReturnType<typeof report>;

function roleOf({ domain, status }: Domain, routing: Routing): DomainRole {
  if (status !== 'live') return null;
  if (livePrimary(routing) === domain) return 'primary';
  return activeRedirect(routing, domain) ? 'redirects' : 'also_serves';
}

function hoursAfter(time: string | null, hours: number): string | null {
  return time === null ? null : new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}
