import { activeRedirect, livePrimary, type Routing, redirectOf } from '../projects/routing.ts';
import type { Clock } from './clock.ts';
import { notDelegated } from './dns/delegation.ts';
import { creationAt, providerHint } from './dns/dns-provider.ts';
import { requiredRecords } from './dns/required-record.ts';
import type { Domain } from './life/domain.ts';
import { displayName, platformOf } from './life/domain-name.ts';
import { type DomainStatus, isBeingRemoved, isServed, STATUSES } from './life/domain-status.ts';
import { isOverdue, RECONCILE_MINUTES } from './life/reconciliation.ts';
import {
  CERTIFICATE_DEADLINE_HOURS,
  claimEndsAt,
  DNS_DEADLINE_HOURS,
  READY_DAYS,
  UNVERIFIED_CLAIM_DAYS,
} from './life/waits.ts';

/** What a live domain does for its project; null for a domain that is not live. */
export type DomainRole = 'primary' | 'redirects' | 'also_serves' | null;

const HOUR_MS = 60 * 60 * 1000;

/** What operators are shown of a domain, the same in every response. `notes` follow those of the domain itself. */
export function report(domain: Domain, routing: Routing, clock: Clock, notes: readonly string[] = []) {
  const records = requiredRecords(domain).flatMap(required => {
    const seen = domain.records.find(
      ({ purpose, name, value }) =>
        purpose === required.purpose && name === required.name && value === required.value,
    );
    if (required.isOptional && seen?.state !== 'ok') return [];
    if (seen) return { ...seen, isChecked: true };
    const action = creationAt(required, domain);
    return [{ ...required, state: 'missing' as const, observed: [], action, isChecked: false }];
  });
  const { arn, status, failure, renewal } = domain.certificate;
  const redirect: { to: string; status: number } | undefined = redirectOf(routing, domain.domain);
  return {
    project: domain.project,
    domain: domain.domain,
    /** The name as people write it, where that is another: `bücher.example`. */
    unicode: displayName(domain.domain),
    kind: domain.kind,
    status: STATUSES[domain.status].reported,
    reason: domain.reason,
    message: domain.message,
    /** `isChecked`: whether `state` is what a check has seen; a record that was not checked yet counts as missing. */
    records,
    /** The name servers that DNS shows for the domain, and the provider that they belong to, if it is known. */
    nameServers: domain.nameServers ?? null,
    provider: providerHint(domain),
    certificate: { status, arn, failure, renewal },
    /** The domain keeps its roles while it is not live; `role` is the one in effect. */
    primary: routing.primary === domain.domain,
    redirect: redirect
      ? {
          to: redirect.to,
          status: redirect.status,
          /** Present if it takes effect only when both domains are live. */
          ...(!activeRedirect(routing, domain.domain) && { isPending: true }),
        }
      : null,
    /** Whether the domain is prepared first, and its traffic is switched last. */
    switchLater: domain.switchLater ?? false,
    role: roleOf(domain, routing),
    /** The primary domain of the project, while it is live. */
    projectPrimary: livePrimary(routing) ?? null,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    deadlines: {
      dns: hoursAfter(domain.verifyStartedAt, clock.scaled(DNS_DEADLINE_HOURS)),
      certificate: hoursAfter(domain.verifiedAt, clock.scaled(CERTIFICATE_DEADLINE_HOURS)),
      /** When a domain that is ready, and whose traffic is not switched, ends to be ready. */
      switch: hoursAfter(domain.readyAt ?? null, clock.scaled(READY_DAYS * 24)),
      /** When a claim that is not verified ends by itself. */
      claim: claimEndsAt(domain),
    },
    /** Timestamps of the steps of the latest verification; each is null until its step is done. */
    milestones: {
      addedAt: domain.createdAt,
      verifiedAt: domain.verifiedAt,
      issuedAt: domain.issuedAt ?? null,
      attachedAt: domain.attachedAt ?? null,
      readyAt: domain.readyAt ?? null,
      liveAt: domain.liveAt,
    },
    next: [...overdue(domain, clock), ...stepsOf(domain, records, routing)],
    notes: [...claimNotes(domain), ...notes],
    history: domain.history,
  };
}

export type DomainReport = ReturnType<typeof report>;

function roleOf(claim: Domain, routing: Routing): DomainRole {
  const { domain } = claim;
  if (!isServed(claim)) return null;
  if (livePrimary(routing) === domain) return 'primary';
  return activeRedirect(routing, domain) ? 'redirects' : 'also_serves';
}

function hoursAfter(time: string | null, hours: number): string | null {
  return time === null ? null : new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}

type ReportedRecord = Pick<Domain['records'][number], 'state' | 'action'>;

const BROWSER_WARNING =
  'Until the domain is live, browsers warn that the connection is not private. Afterwards they may remember an old certificate: try again in a few minutes in a fresh session.';

/** What was asked for and has not begun, because the command ended in between. */
function overdue(domain: Domain, clock: Clock): string[] {
  if (!isOverdue(domain, clock)) return [];
  const what: Partial<Record<DomainStatus, string>> = {
    pending_dns: 'The request of its certificate',
    removing: 'Its removal',
  };
  const subject = what[domain.status] ?? 'Its verification';
  return [`${subject} has not begun yet. It begins by itself within ${RECONCILE_MINUTES} minutes.`];
}

/** What to do next about a domain, in order. */
function stepsOf(domain: Domain, records: readonly ReportedRecord[], routing: Routing): string[] {
  const { status, reason, message } = domain;
  // What is wrong with the name servers is the same for every record.
  const open = [
    ...new Set(records.filter(({ state }) => state !== 'ok').flatMap(({ action }) => action ?? [])),
  ];
  switch (status) {
    case 'pending_dns':
      return [...delegation(domain), ...open, `Then verify ${domain.domain}.`];
    case 'verifying':
    case 'issuing': {
      const isAboutRecords = reason === null || open.some(action => message.endsWith(action));
      const steps = isAboutRecords ? open : [message, ...open];
      return [
        ...(steps.length > 0 ? steps : ['Wait. Nothing is needed from you.']),
        ...(status === 'issuing' ? [BROWSER_WARNING] : []),
      ];
    }
    case 'ready':
      return [message];
    case 'live':
      return hints(domain, routing);
    case 'needs_attention':
    case 'failed':
    case 'stalled':
      return [message];
    case 'removing':
      return [];
    default:
      return status satisfies never;
  }
}

/** What has to be done before any record can be created. */
function delegation({ zone, nameServers }: Domain): string[] {
  return nameServers?.length === 0 ? [notDelegated(zone)] : [];
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

/** What the owner of a domain should know before its records are created. */
function claimNotes(claim: Domain): string[] {
  if (isServed(claim) || isBeingRemoved(claim)) return [];
  const { domain, kind, gateway } = claim;
  const platform = platformOf(domain);
  return [
    ...(platform
      ? [
          `${domain} is below ${platform}, the domain of a platform: its records can be created only if that platform allows it.`,
        ]
      : []),
    ...(kind === 'apex' && gateway === null && providerHint(claim) === null ? [apexNote(domain)] : []),
    ...(claimEndsAt(claim) !== null
      ? [`The claim ends by itself if it is not verified within ${UNVERIFIED_CLAIM_DAYS} days.`]
      : []),
  ];
}

/** An apex cannot have a CNAME, and its substitutes are not in every DNS provider's offer. */
function apexNote(domain: string): string {
  return `Not every DNS provider has ALIAS or ANAME records. If yours has neither, add www.${domain} instead, with a CNAME record, and have your provider redirect ${domain} to it.`;
}

/** What a removal has ended, for callers that were not asked before. */
export function removalNotes(claim: Domain, before: Routing): string[] {
  if (!isServed(claim)) return [];
  const { domain } = claim;
  const own = activeRedirect(before, domain);
  const ended = before.liveDomains.filter(from => activeRedirect(before, from)?.to === domain);
  return [
    own
      ? `https://${domain} no longer redirects to https://${own.to}: links to it stop working.`
      : `Links to https://${domain} stop working. Where a URL was shared, redirect the domain to another one of the project instead of removing it.`,
    ...ended.map(
      from => `https://${from} no longer redirects to https://${domain}, and serves the project itself.`,
    ),
    `Delete the DNS records of ${domain}, unless another project or environment uses the name: a record that points at nothing can be abused by others.`,
  ];
}
