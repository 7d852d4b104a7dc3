import {
  activeRedirect,
  livePrimary,
  type Routing,
  redirectOf,
  siblingsOf,
  suspendedRedirect,
} from '../projects/routing.ts';
import { type Clock, readableTime, timeOf } from './clock.ts';
import { caaFix, type RecordFix } from './dns/caa.ts';
import { notDelegated } from './dns/delegation.ts';
import {
  cannotPointHere,
  creationAt,
  dnsProviderOf,
  providerHint,
  trafficHost,
  withoutAlias,
} from './dns/dns-provider.ts';
import { adviceText, zoneFaultText } from './dns/record-advice.ts';
import { requiredRecords } from './dns/required-record.ts';
import type { Domain, Trouble } from './life/domain.ts';
import { displayName, platformNote, platformOf } from './life/domain-name.ts';
import { factsOfReason, RECORD_TITLES } from './life/domain-reason.ts';
import { type DomainStatus, isBeingRemoved, isReady, isServed, STATUSES } from './life/domain-status.ts';
import { dueAtMs, dueSinceMs, RECONCILE_MINUTES } from './life/due.ts';
import { type RecordTodo, troubleTodo } from './life/todo.ts';
import { claimEndsAt, LATE_HOURS, READY_DAYS, TAKEOVER_HOURS, verificationEndsAt } from './life/waits.ts';
import { isLookOverdue, lookedAtMs } from './pass/look.ts';
import {
  recordTodo,
  recordTrouble,
  redirectSuspended,
  takeoverAnnounced,
  troublesOf,
} from './pass/troubles.ts';

/** What a live domain does for its project; null if it isn't live. */
export type DomainRole = 'primary' | 'redirects' | 'also_serves' | null;

/** The kinds of next steps, and whether a record, a trouble or the report's status already says the same. */
const IS_SAID = {
  overdue: false,
  delegation: false,
  /** A way around the missing ALIAS. */
  detour: false,
  /** Create or correct a record. */
  record: true,
  verification: true,
  switch: true,
  /** A trouble, and what to do about it. */
  trouble: true,
  wait: false,
  hint: false,
} as const;

interface Step {
  readonly kind: keyof typeof IS_SAID;
  readonly text: string;
}

const HOUR_MS = 60 * 60 * 1000;

/** What operators see of a domain, the same in every response. `notes` follow the domain's own. */
export function report(claim: Domain, routing: Routing, clock: Clock, notes: readonly string[] = []) {
  const troubles = troublesIn(claim, routing);
  const domain = noticed(claim);
  const host = trafficHost(domain);
  const records = requiredRecords(domain).flatMap(required => {
    const seen = domain.records.find(
      ({ purpose, name, value }) =>
        purpose === required.purpose && name === required.name && value === required.value,
    );
    if (required.isOptional && seen?.state !== 'ok') return [];
    const advice = creationAt(required, domain);
    const action = adviceText(advice, required) ?? null;
    const isTraffic = required.purpose === 'traffic';
    const record = seen ?? { ...required, state: 'missing' as const, observed: [], advice, action };
    return {
      ...record,
      title: RECORD_TITLES[required.purpose],
      /** What to do about it now; null if there's nothing to do but wait. */
      todo: recordTodo(record, domain),
      isChecked: seen !== undefined,
      ...(isTraffic && host && { value: host }),
      ...(isTraffic && !host && { isLater: true }),
    };
  });
  const { arn, status, failure, renewal, expiresAt = null } = domain.certificate;
  const redirect: { to: string; status: number } | undefined = redirectOf(routing, domain.domain);
  const detour = detourOf(domain, routing);
  const dueMs = dueAtMs(domain, clock);
  const steps = [...overdue(domain, clock), ...stepsOf(domain, records, troubles, routing)];
  return {
    project: domain.project,
    domain: domain.domain,
    /** The name as people write it, which may differ: `bücher.example`. */
    unicode: displayName(domain.domain),
    kind: domain.kind,
    status: STATUSES[domain.status].reported,
    reason: domain.reason,
    message:
      domain.status === 'pending_dns' && detour
        ? cannotPointHere(domain.domain, detour.provider)
        : domain.message,
    /**
     * Everything that is wrong, gravest first; `reason` and `message` have the first one, too. `fix`: a record that solves it;
     * `quota`: an AWS quota that an operator has to raise; `todo`: null if there's nothing to do but wait.
     */
    troubles: troubles.map(each => {
      const fix = fixOf(each, domain);
      const title = titleOf(each, troubles, detour ? domain.domain : undefined);
      return { ...each, fix, title, todo: troubleTodo(each, records, fix !== null) };
    }),
    /**
     * `isChecked`: whether `state` is what a check saw; a record that wasn't checked yet counts as missing. `isLater`: it can't be
     * created yet, because Route 53's alias leads to the API Gateway domain name.
     */
    records,
    /** The name servers DNS shows for the domain, and their provider if it's known. */
    nameServers: domain.nameServers ?? null,
    provider: providerHint(domain),
    /** What to use instead of an apex that can't point here, because its DNS provider has no ALIAS records. */
    detour,
    certificate: { status, arn, failure, renewal, expiresAt },
    /** Present if visitors come through a proxy, and see its certificate. */
    ...(domain.isProxied && { isProxied: true }),
    /** The domain keeps its roles while it isn't live; `role` is the one in effect. */
    primary: routing.primary === domain.domain,
    redirect: redirect
      ? {
          to: redirect.to,
          status: redirect.status,
          /** Present if it takes effect only once both domains are live, or once the target's visitors arrive here. */
          ...inEffectLater(domain, routing),
        }
      : null,
    /** Whether the domain is prepared first and its traffic switched last. */
    switchLater: domain.switchLater ?? false,
    role: roleOf(domain, routing),
    /** The apex or www name that it redirects to, or that redirects to it. */
    pair: siblingsOf(domain.domain, routing.redirects)[0] ?? null,
    /** The primary domain of the project, while it is live. */
    projectPrimary: livePrimary(routing) ?? null,
    /** When everything of it was checked last, and when it was looked at last, if only by requests or for its records. */
    checkedAt: domain.checkedAt,
    lookedAt: domain.lookedAt || domain.checkedAt ? timeOf(lookedAtMs(domain)) : null,
    /** When the owner of the domain last asked for a look, by the page for that. */
    askedAt: domain.asks?.lastAt ?? null,
    /** Present if nobody has looked at a ready or live domain for over an hour: `domains.look` does. */
    ...(isLookOverdue(domain, clock) && { isLookOverdue: true }),
    nextCheckAt: domain.nextCheckAt,
    /** When the scheduled reconcile does what's due, if nobody has by then; null if nothing is. */
    dueAt: dueMs === undefined ? null : timeOf(dueMs),
    deadlines: {
      /** How long a running verification keeps checking. */
      verification: isBeingVerified(domain) ? verificationEndsAt(domain, clock) : null,
      /** When a ready domain fails if its traffic isn't switched. */
      switch: hoursAfter(domain.readyAt, clock.scaled(READY_DAYS * 24)),
      /** When an unverified claim ends by itself. */
      claim: claimEndsAt(domain, clock),
      /** When the domain goes to another project, or from another project to this one. */
      takeover: domain.takeover ?? hoursAfter(domain.contest?.since ?? null, clock.scaled(TAKEOVER_HOURS)),
    },
    /** When the latest verification got there; null until then. */
    milestones: {
      addedAt: domain.createdAt,
      verifiedAt: domain.verifiedAt,
      issuedAt: domain.issuedAt,
      attachedAt: domain.attachedAt,
      readyAt: domain.readyAt,
      liveAt: domain.liveAt,
    },
    /** What to do next, in order, as texts. */
    next: steps.map(({ text }) => text),
    steps,
    /** The next steps that neither a record, a trouble nor the status says. */
    todo: steps.filter(({ kind }) => !IS_SAID[kind]),
    notes: [...claimNotes(domain, routing, clock), ...notes],
    /** What happened, latest last, with the reported status from then on. */
    history: domain.history,
  };
}

export type DomainReport = ReturnType<typeof report>;

/** The domain with the message that others are about to take the name over, whatever else is wrong. */
function noticed(claim: Domain): Domain {
  const { takeover } = claim;
  return takeover && !isBeingRemoved(claim) ? { ...claim, ...takeoverAnnounced(claim, takeover) } : claim;
}

/** What is wrong with a domain, by its last check and its project's current routing. */
function troublesIn(claim: Domain, routing: Routing): Trouble[] {
  const troubles = troublesOf(claim);
  const suspended = isServed(claim) && suspendedRedirect(routing, claim.domain);
  const isSaid = troubles.some(({ reason }) => reason === 'redirect_suspended');
  return suspended && !isSaid ? [...troubles, redirectSuspended(claim, suspended.to)] : troubles;
}

function inEffectLater({ domain }: Domain, routing: Routing): { isPending?: true; isSuspended?: true } {
  if (activeRedirect(routing, domain)) return {};
  return suspendedRedirect(routing, domain) ? { isSuspended: true } : { isPending: true };
}

function roleOf(claim: Domain, routing: Routing): DomainRole {
  const { domain } = claim;
  if (!isServed(claim)) return null;
  if (livePrimary(routing) === domain) return 'primary';
  return activeRedirect(routing, domain) ? 'redirects' : 'also_serves';
}

function hoursAfter(time: string | null, hours: number): string | null {
  return time === null ? null : new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}

/** The record, other than the domain's own, that solves a trouble; null if none does. */
function fixOf({ reason }: Trouble, { caa, zone }: Domain): RecordFix | null {
  const { about } = factsOfReason(reason);
  return ((about === 'caa' || about === 'renewal') && caa && caaFix(caa, zone)) || null;
}

/** A short heading. Records that are missing together share one. `stuck`: the apex that can't point here. */
function titleOf({ reason, quota }: Trouble, all: readonly Trouble[], stuck: string | undefined): string {
  const { title, about, state } = factsOfReason(reason);
  if (quota && about === 'front') return 'The quota for custom domains is used up';
  if (state && about === 'traffic' && stuck) return `${stuck} can't point here`;
  const facts = all.map(other => factsOfReason(other.reason));
  const missing = facts.flatMap(other => (other.state === 'missing' ? RECORD_TITLES[other.about] : []));
  const [first = '', ...others] = new Set(missing);
  if (state !== 'missing' || others.length === 0) return title;
  const names = new Intl.ListFormat('en').format([first, ...others.map(other => other.toLowerCase())]);
  return `${names} records missing`;
}

type ReportedRecord = Pick<Domain['records'][number], 'purpose' | 'state' | 'action'> & {
  readonly todo: RecordTodo | null;
};

const BROWSER_WARNING =
  "Until it's live, browsers show a privacy warning. If one remains afterwards, retry in a fresh window.";

function step(kind: Step['kind'], ...texts: readonly string[]): Step[] {
  return texts.map(text => ({ kind, text }));
}

/** A command lives for 55 s; whatever hasn't begun after this time, it didn't reconcile. */
const COMMAND_MS = 3 * 60 * 1000;

/** The part of that in which functions start and work, which is never scaled. */
const WORK_MS = 10 * 1000;

/** What was requested but hasn't begun, because the command ended in between. */
function overdue(domain: Domain, clock: Clock): Step[] {
  const limitMs = WORK_MS + clock.scaled(COMMAND_MS - WORK_MS);
  const sinceMs = dueSinceMs(domain, 'begin', clock);
  if (sinceMs === undefined || clock.now() - sinceMs <= limitMs) return [];
  const what: Partial<Record<DomainStatus, string>> = {
    pending_dns: "Its certificate hasn't been requested yet. That happens",
    removing: "Its removal hasn't started yet. It starts",
  };
  const delayed = what[domain.status] ?? "Its verification hasn't started yet. It starts";
  return step('overdue', `${delayed} automatically within ${RECONCILE_MINUTES} minutes.`);
}

/** What to do next about a domain, in order. */
function stepsOf(
  domain: Domain,
  records: readonly ReportedRecord[],
  all: readonly Trouble[],
  routing: Routing,
): Step[] {
  const { status, reason, message } = domain;
  const isToDo = ({ todo }: ReportedRecord) =>
    todo !== null && (isReady(domain) ? todo.kind === 'switch' : todo.kind !== 'keep');
  // What is wrong with the name servers is the same for every record.
  const open = step('record', ...new Set(records.filter(isToDo).flatMap(({ action }) => action ?? [])));
  const troubles = () => step('trouble', ...all.map(trouble => trouble.message));
  const detour = detourOf(domain, routing);
  switch (status) {
    case 'pending_dns':
      if (detour) return detourSteps(domain, detour);
      return [...delegation(domain), ...open, ...verifying(domain, routing)];
    case 'verifying':
    case 'issuing': {
      if (detour) return reason === null ? detourSteps(domain, detour) : troubles();
      const isAboutRecord = records.some(record => recordTrouble(record).reason === reason);
      const steps = reason === null || isAboutRecord ? open : [...step('trouble', message), ...open];
      return [
        ...(steps.length > 0 ? steps : step('wait', "Wait. You don't need to do anything.")),
        ...(status === 'issuing' && !domain.switchLater ? step('hint', BROWSER_WARNING) : []),
      ];
    }
    case 'ready':
      if (reason !== null) return troubles();
      return [
        ...open,
        ...step('switch', 'The domain then goes live within minutes. Keep the other records.'),
      ];
    case 'live':
      return [...troubles(), ...step('hint', ...hints(domain, routing))];
    case 'needs_attention':
    case 'failed':
    case 'stalled':
      return troubles();
    case 'removing':
      return [];
    default:
      return status satisfies never;
  }
}

type Detour = NonNullable<ReturnType<typeof detourOf>>;

/** What replaces an apex whose DNS provider has no ALIAS records, until it's live; null for other domains. */
function detourOf(claim: Domain, { redirects, liveDomains }: Routing) {
  const { domain } = claim;
  const lacking = isServed(claim) || isBeingRemoved(claim) ? undefined : withoutAlias(claim);
  if (!lacking || lacking.isPasted) return null;
  const www = `www.${domain}`;
  const isAdded = liveDomains.includes(www) || siblingsOf(domain, redirects).includes(www);
  return { provider: lacking.provider, www, isAdded };
}

function detourSteps({ domain }: Domain, { provider, www, isAdded }: Detour): Step[] {
  if (isAdded) {
    return step('detour', `At ${provider}, forward ${domain} to https://${www}. Then remove ${domain} here.`);
  }
  return step(
    'detour',
    `With www: add ${www} here, and at ${provider} forward ${domain} to https://${www}. Then remove ${domain} here.`,
    `Without www: move the DNS of ${domain} to a provider that has ALIAS records, create the records there, then verify ${domain}.`,
  );
}

/** The step after a claim's records were created. An apex and its www that belong together are verified together. */
function verifying(
  { domain, switchLater, nameServers }: Domain,
  { redirects, liveDomains }: Routing,
): Step[] {
  const lacksAlias = dnsProviderOf(nameServers)?.alias === null;
  const siblings = siblingsOf(domain, redirects).filter(
    other => !liveDomains.includes(other) && !(lacksAlias && domain === `www.${other}`),
  );
  const later = `Leave the current record of ${domain} as it is: you switch it once the domain is ready.`;
  return [
    ...step('verification', `Then verify ${[domain, ...siblings].join(' and ')}.`),
    ...(switchLater ? step('hint', later) : []),
  ];
}

/** What to do before any record can be created. */
function delegation({ zone, nameServers }: Domain): Step[] {
  return nameServers?.length === 0 ? step('delegation', zoneFaultText(notDelegated(zone))) : [];
}

/** Browsers remember old redirects and certificates, which looks like our fault. */
function hints({ domain }: Domain, routing: Routing): string[] {
  if (activeRedirect(routing, domain)) {
    return [`Browsers cache redirects. To see what's served now: curl -sI https://${domain}`];
  }
  const redirect = redirectOf(routing, domain);
  const waiting = suspendedRedirect(routing, domain) ? undefined : redirect;
  const primary = livePrimary(routing);
  return [
    ...(waiting
      ? [`It redirects to ${waiting.to} once that's live. Until then it serves the project itself.`]
      : []),
    ...(!redirect && primary !== undefined && primary !== domain
      ? [`It serves the project alongside the primary domain ${primary}. You can redirect it there instead.`]
      : []),
    'If a browser still shows a privacy warning, retry in a fresh window.',
  ];
}

/** What the owner of a domain should know before its records are created. */
function claimNotes(claim: Domain, { redirects }: Routing, clock: Clock): string[] {
  if (isBeingRemoved(claim)) return [];
  const { domain, kind, gateway, reason } = claim;
  const lacking = withoutAlias(claim);
  const pasted = lacking?.isPasted ? [pastedNote(domain, lacking.provider)] : [];
  if (isServed(claim)) return [...pasted, ...(claim.unconfirmed === undefined ? [] : [claim.unconfirmed])];
  const platform = platformOf(domain);
  const endsAt = reason === 'domain_taken' ? null : claimEndsAt(claim, clock);
  return [
    ...(platform ? [platformNote(domain, platform)] : []),
    ...(kind === 'apex' && gateway === null && providerHint(claim) === null
      ? [apexNote(domain, siblingsOf(domain, redirects).length > 0)]
      : []),
    ...pasted,
    ...(isBeingVerified(claim) && claim.lateAt !== undefined ? [lateNote(claim, clock)] : []),
    // There's no point in verifying a domain that can't point here: its claim ends by itself.
    ...(endsAt !== null && !isBeingVerified(claim) && !(lacking && !lacking.isPasted)
      ? [`Reserved for you until ${readableTime(endsAt)}. Verify before then.`]
      : []),
  ];
}

function isBeingVerified({ status }: Domain): boolean {
  return STATUSES[status].flow === 'verification';
}

function lateNote(claim: Domain, clock: Clock): string {
  const until = readableTime(verificationEndsAt(claim, clock));
  return `It has been waiting for over ${LATE_HOURS} hours. We check hourly until ${until}; verify to check now.`;
}

/** The owner has created A records in place of an ALIAS. */
function pastedNote(domain: string, provider: string): string {
  return (
    `${domain} points here by IP addresses, because ${provider} has no ALIAS records. The addresses change without notice, ` +
    `and visitors then no longer arrive. To be safe, forward ${domain} to https://www.${domain} at ${provider} instead.`
  );
}

/** An apex can't have a CNAME, and not every DNS provider offers a substitute. */
function apexNote(domain: string, hasWww: boolean): string {
  const instead = hasWww
    ? `remove ${domain} here and have your provider forward it to www.${domain}`
    : `add www.${domain} instead, with a CNAME record, and have your provider forward ${domain} to it`;
  return `Not every DNS provider has ALIAS or ANAME records. If yours doesn't, ${instead}.`;
}

/** What a removal has ended, for callers that weren't asked before. */
export function removalNotes(claim: Domain, before: Routing): string[] {
  if (!isServed(claim)) return [];
  const { domain } = claim;
  const own = activeRedirect(before, domain);
  const ended = before.liveDomains.filter(from => activeRedirect(before, from)?.to === domain);
  return [
    own
      ? `https://${domain} no longer redirects to https://${own.to}: links to it stop working.`
      : `Links to https://${domain} stop working. If you have shared any, redirect the domain to another one of the project instead of removing it.`,
    ...ended.map(
      from => `https://${from} no longer redirects to https://${domain}, and serves the project itself.`,
    ),
    `Then delete the DNS records of ${domain}, unless something else uses the name.`,
  ];
}
