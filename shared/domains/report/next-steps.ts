import { activeRedirect, livePrimary, type Routing, redirectOf } from '../../projects/routing.ts';
import type { Domain } from '../life/domain.ts';
import { isOverdue, RECONCILE_MINUTES } from '../life/reconciliation.ts';

type ReportedRecord = Pick<Domain['records'][number], 'state' | 'action'>;

const BROWSER_WARNING =
  'Until the domain is live, browsers warn that the connection is not private. Afterwards they may remember an old certificate: try again in a few minutes in a fresh session.';

/** What to do next about a domain, in order. */
export function nextSteps(
  domain: Domain,
  records: readonly ReportedRecord[],
  routing: Routing,
  nowMs: number,
  waitScale: number,
): string[] {
  return [...overdue(domain, nowMs, waitScale), ...stepsOf(domain, records, routing)];
}

/** What was asked for and has not begun, because the command ended in between. */
function overdue(domain: Domain, nowMs: number, waitScale: number): string[] {
  if (!isOverdue(domain, nowMs, waitScale)) return [];
  const what = { pending_dns: 'The request of its certificate', removing: 'Its removal' };
  const subject = what[domain.status as keyof typeof what] ?? 'Its verification';
  return [`${subject} has not begun yet. It begins by itself within ${RECONCILE_MINUTES} minutes.`];
}

function stepsOf(domain: Domain, records: readonly ReportedRecord[], routing: Routing): string[] {
  const { status, reason, message } = domain;
  const open = records.filter(({ state }) => state !== 'ok').flatMap(({ action }) => action ?? []);
  switch (status) {
    case 'pending_dns':
      return [...open, `Then verify ${domain.domain}.`];
    case 'verifying':
    case 'issuing': {
      const isAboutRecords = reason === null || open.some(action => message.endsWith(action));
      const steps = isAboutRecords ? open : [message, ...open];
      return [
        ...(steps.length > 0 ? steps : ['Wait. Nothing is needed from you.']),
        ...(status === 'issuing' ? [BROWSER_WARNING] : []),
      ];
    }
    case 'failed':
    case 'removing':
      return reason === null ? [] : [message];
    case 'live':
      return reason === null ? hints(domain, routing) : [message];
  }
}

/** Browsers remember old redirects and certificates, which looks like a fault of ours. */
function hints({ domain }: Domain, routing: Routing): string[] {
  if (activeRedirect(routing, domain)) {
    return [`Browsers remember redirects. See what is really served with: curl -sI https://${domain}`];
  }
  const waiting = redirectOf(routing, domain);
  const primary = livePrimary(routing);
  return [
    ...(waiting
      ? [`It redirects to ${waiting.to} again when that is live; until then it serves the project itself.`]
      : []),
    ...(!waiting && primary !== undefined && primary !== domain
      ? [`It also serves the project, beside the primary domain ${primary}. It can redirect there instead.`]
      : []),
    'If a browser warns about the connection, it may remember an old certificate: try again in a few minutes in a fresh session.',
  ];
}
