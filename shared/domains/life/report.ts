import { creationOf, requiredRecords } from '../dns/required-record.ts';
import { CERTIFICATE_DEADLINE_HOURS, DNS_DEADLINE_HOURS } from './backoff.ts';
import type { Domain } from './domain.ts';
import { isOverdue, RECONCILE_MINUTES } from './reconciliation.ts';

/** The roles that a project gives its domains. */
interface DomainRoles {
  readonly primary: string | null;
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: number }[];
}

const HOUR_MS = 60 * 60 * 1000;

/** What operators are shown of a domain, the same in every answer. */
export function report(domain: Domain, { primary, redirects }: DomainRoles, nowMs: number, waitScale = 1) {
  const records = requiredRecords(domain).map(required => {
    const seen = domain.records.find(
      ({ purpose, name, value }) =>
        purpose === required.purpose && name === required.name && value === required.value,
    );
    return seen ?? { ...required, state: 'missing' as const, observed: [], action: creationOf(required) };
  });
  const { arn, status, failure, renewal } = domain.certificate;
  const redirect = redirects.find(({ from }) => from === domain.domain);
  return {
    project: domain.project,
    domain: domain.domain,
    kind: domain.kind,
    status: domain.status,
    reason: domain.reason,
    message: domain.message,
    records,
    certificate: { status, arn, failure, renewal },
    primary: primary === domain.domain,
    redirect: redirect ? { to: redirect.to, status: redirect.status } : null,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    deadlines: {
      dns: hoursAfter(domain.verifyStartedAt, DNS_DEADLINE_HOURS * waitScale),
      certificate: hoursAfter(domain.verifiedAt, CERTIFICATE_DEADLINE_HOURS * waitScale),
    },
    next: [...overdue(domain, nowMs), ...nextSteps(domain, records, redirect !== undefined)],
    history: domain.history,
  };
}

export type DomainReport = ReturnType<typeof report>;

/** What was asked for and has not begun, because the command ended in between. */
function overdue(domain: Domain, nowMs: number): string[] {
  if (!isOverdue(domain, nowMs)) return [];
  const what = { pending_dns: 'The request of its certificate', removing: 'Its removal' };
  const subject = what[domain.status as keyof typeof what] ?? 'Its verification';
  return [`${subject} has not begun yet. It begins by itself within ${RECONCILE_MINUTES} minutes.`];
}

function hoursAfter(time: string | null, hours: number): string | null {
  return time === null ? null : new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}

function nextSteps(
  { status, reason, domain, message }: Domain,
  records: { state: string; action: string | null }[],
  isRedirecting: boolean,
): string[] {
  const open = records.filter(({ state }) => state !== 'ok').flatMap(({ action }) => action ?? []);
  switch (status) {
    case 'pending_dns':
      return [...open, `Then verify ${domain}.`];
    case 'verifying':
    case 'issuing': {
      const isAboutRecords = reason === null || open.some(action => message.endsWith(action));
      const steps = isAboutRecords ? open : [message, ...open];
      return steps.length > 0 ? steps : ['Wait. Nothing is needed from you.'];
    }
    case 'failed':
    case 'removing':
      return reason === null ? [] : [message];
    case 'live':
      return reason === null ? hints(domain, isRedirecting) : [message];
  }
}

/** Browsers remember old redirects and certificates, which looks like a fault of ours. */
function hints(domain: string, isRedirecting: boolean): string[] {
  return isRedirecting
    ? [`Browsers remember redirects. See what is really served with: curl -sI https://${domain}`]
    : [
        'If a browser warns about the connection, it may remember an old certificate: try again in a few minutes in a fresh session.',
      ];
}
