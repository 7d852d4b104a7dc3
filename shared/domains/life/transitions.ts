import { readableTime, timeOf } from '../clock.ts';
import {
  type CertificateView,
  type Domain,
  type ManagedRecord,
  NO_CERTIFICATE,
  type SeenRecord,
  shortened,
  type Trouble,
  withinLimits,
} from './domain.ts';
import type { DomainName } from './domain-name.ts';
import type { DomainReason } from './domain-reason.ts';
import { type DomainStatus, type EventType, isInFlow, STATUSES } from './domain-status.ts';
import { LATE_HOURS, REST_SECONDS } from './waits.ts';

/**
 * The life of a domain: first a table of what can happen to it, then one function for each row, which takes the record
 * that was read and returns the record to be written. The fields of a domain are written here and nowhere else, except
 * `revision`, which nextRevision increments at every write (domain.ts). The compiler lets a transition write only the
 * fields of its row, and `history`, to which a transition may add a line.
 */
const FLOW = ['verifying', 'issuing'] as const;
const SERVED = ['live', 'needs_attention'] as const;
const ATTACHED = ['ready', ...SERVED] as const;
const WAIT = ['reason', 'message', 'rounds', 'slotAt', 'nextCheckAt', 'isResting', 'restarts'] as const;
const MILESTONES = ['verifiedAt', 'issuedAt', 'attachedAt', 'readyAt', 'remindedAt', 'liveAt'] as const;

/** From which status, to which, which fields change, which events are emitted. ../README.md draws it; a test compares the two. */
export const TRANSITIONS = {
  claimed: row(['new'], 'pending_dns', []), // every field
  // Also one that was removed or given up while its certificate was requested, which has to be found.
  certificatePrepared: row(['pending_dns', 'verifying', 'failed', 'removing'], 'same', ['certificate']),
  switchPostponed: row(['pending_dns', ...FLOW, 'failed'], 'same', ['switchLater', 'message']),
  verificationStarted: row(
    // Attached: only when its certificate is lost. A pass puts everything else right.
    ['pending_dns', ...FLOW, 'failed', ...ATTACHED],
    'verifying',
    ['status', 'attempt', ...WAIT, 'certificate', 'verifyStartedAt', 'lateAt', 'contest', ...MILESTONES],
  ),
  inspected: row([...FLOW, ...ATTACHED], 'same', [
    'kind',
    'zone',
    'nameServers',
    'certificate',
    'records',
    'checkedAt',
  ]),
  trafficArrived: row([...FLOW, ...ATTACHED], 'same', ['records', 'isProxied']),
  arrivalUnconfirmed: row(SERVED, 'same', ['unconfirmed']),
  proxyUnproven: row([...FLOW, 'ready'], 'same', ['records']),
  recordManaged: row([...FLOW, ...ATTACHED], 'same', ['managed']),
  managedRecordsCreated: row([...FLOW, ...ATTACHED], 'same', ['records']),
  retryScheduled: row([...FLOW, 'removing'], 'same', [...WAIT, 'quota']),
  // The name is another project's. The claim waits until DNS no longer supports that one.
  contested: row(['verifying'], 'same', ['contest']),
  phasePassed: row(FLOW, 'issuing', ['status', ...WAIT, 'verifiedAt', 'provenAt', 'issuedAt', 'contest']),
  certificateDiscarded: row(['pending_dns', 'verifying', 'failed', 'removing'], 'same', ['certificate']),
  certificateReplaced: row([...FLOW, 'failed', 'removing'], 'same', ['certificate']),
  caaChecked: row(['issuing', ...ATTACHED], 'same', ['caa']),
  attached: row([...FLOW, ...ATTACHED], 'same', ['gateway', 'pointsAt', 'slotAt', 'attachedAt']),
  routed: row([...FLOW, ...ATTACHED, 'failed'], 'same', ['route']),
  dnsLeftOpen: row(FLOW, 'verifying', ['status']),
  // Said once; the checks go on.
  becameLate: row(FLOW, 'same', ['lateAt', 'lastEvent'], ['needs attention']),
  becameReady: row(FLOW, 'ready', ['status', ...WAIT, 'readyAt', 'remindedAt', 'lastEvent'], ['ready']),
  // An event is emitted for the reminder that it ends, and when the domain starts or stops needing attention.
  readyChecked: row(
    ['ready'],
    'same',
    ['reason', 'message', 'quota', 'remindedAt', 'lastEvent'],
    ['ready', 'needs attention'],
  ),
  // What an attached domain waits for: a slot, or that somebody else gives something up.
  awaited: row(ATTACHED, 'same', ['slotAt', 'nextCheckAt']),
  // Only the worker may do what it needs: another execution.
  leftToWorker: row(ATTACHED, 'same', ['attempt', 'nextCheckAt']),
  wentLive: row(
    [...FLOW, 'ready'],
    'live',
    ['status', ...WAIT, 'readyAt', 'remindedAt', 'liveAt', 'lastEvent'],
    ['live'],
  ),
  flowRestarted: row([...FLOW, 'removing'], 'same', [
    'attempt',
    'slotAt',
    'nextCheckAt',
    'isResting',
    'restarts',
  ]),
  failed: row(
    [...FLOW, 'ready'],
    'failed',
    ['status', 'reason', 'message', 'quota', 'slotAt', 'nextCheckAt', 'lastEvent'],
    ['failed'],
  ),
  // An event is emitted only when the domain starts or stops needing attention, not at every check.
  rechecked: row(
    SERVED,
    SERVED,
    ['status', 'reason', 'message', 'quota', 'lastEvent'],
    ['live', 'needs attention'],
  ),
  // Another project has proven the name; this one's records are gone. Served domains need attention by then.
  takeoverAnnounced: row(
    ['needs_attention', 'ready', 'failed', ...FLOW],
    'same',
    ['reason', 'message', 'takeover', 'lastEvent'],
    ['needs attention'],
  ),
  // Whoever would have been first has given up, and others have not: its owner has longer than he was told.
  takeoverPostponed: row([...FLOW, ...ATTACHED, 'failed'], 'same', ['message', 'takeover']),
  takeoverEnded: row(
    [...FLOW, ...ATTACHED, 'failed'],
    'same',
    ['reason', 'message', 'takeover', 'lastEvent'],
    ['live', 'ready', 'failed', 'needs attention'],
  ),
  moved: row(['pending_dns', ...ATTACHED, 'failed'], 'same', ['project', 'lastEvent'], ['moved']),
  removalStarted: row(
    ['pending_dns', ...FLOW, ...ATTACHED, 'failed', 'stalled'],
    'removing',
    ['status', 'attempt', ...WAIT, 'removalStartedAt', 'unmappedUntil', 'isUnmapped', 'lastEvent'],
    ['taken over'],
  ),
  unmappedApart: row(['removing'], 'same', ['unmappedUntil']),
  unmapped: row(['removing'], 'same', ['isUnmapped']),
  removalStalled: row(
    ['removing'],
    'stalled',
    ['status', 'reason', 'message', 'slotAt', 'lastEvent'],
    ['needs attention'],
  ),
  forgotten: row(['removing'], 'gone', [], ['removed']), // the record is deleted
} as const;

/** A row of the table. `to` has more than one status where the outcome of a check decides. */
function row<
  const To extends DomainStatus | readonly DomainStatus[] | 'same' | 'gone',
  const Fields extends readonly (keyof Domain)[],
>(from: readonly (DomainStatus | 'new')[], to: To, changes: Fields, events: readonly EventType[] = []) {
  return { from, to, changes, events };
}

type Target = (typeof TRANSITIONS)[keyof typeof TRANSITIONS]['to'];
type Reached = Target extends infer To ? (To extends readonly (infer Each)[] ? Each : To) : never;
/** Doesn't compile while some status is reached by no transition. */
({}) satisfies Record<Exclude<DomainStatus, Reached>, never>;

/** What a claim has besides its name. */
type NewClaim = Pick<Domain, 'project' | 'target' | 'challenge' | 'pointsAt' | 'switchLater' | 'contest'>;

/** A name with the zone that it is in. */
type ClaimedName = DomainName & Pick<Domain, 'zone' | 'nameServers'>;

/** A project has claimed a name. */
export function claimed(name: ClaimedName, claim: NewClaim, nowMs: number): Domain {
  return {
    ...name,
    ...claim,
    ...NO_WAIT,
    status: 'pending_dns',
    message: recordsToCreate(claim),
    // Both start at the current time and so above those of any earlier claim of the same name: a wake-up of an earlier claim
    // has nothing left to do.
    attempt: Math.floor(nowMs / 1000),
    revision: nowMs,
    gateway: null,
    route: null,
    certificate: NO_CERTIFICATE,
    records: [],
    managed: [],
    checkedAt: null,
    createdAt: timeOf(nowMs),
    verifyStartedAt: null,
    ...NO_MILESTONES,
    provenAt: null,
    removalStartedAt: null,
    history: [{ at: timeOf(nowMs), status: 'pending_dns', what: 'Added.' }],
  };
}

/** The certificate was requested, or ACM has said more about it. */
export function certificatePrepared(domain: Domain, arn: string, view: CertificateView): Domain {
  return apply('certificatePrepared', domain, { certificate: { ...viewed(domain, view), arn } });
}

/** The owner prepares the domain first, and switches its traffic later. */
export function switchPostponed(domain: Domain): Domain {
  const message = domain.status === 'pending_dns' ? recordsToCreate({ switchLater: true }) : domain.message;
  return apply('switchPostponed', domain, { switchLater: true, message });
}

function recordsToCreate({ switchLater }: Pick<Domain, 'switchLater'>): string {
  const which = switchLater ? 'the ownership and certificate records' : 'the records';
  return `Create ${which} at your DNS provider, then verify.`;
}

/** What becomes of the certificate in a new verification: it is kept, was lost, or was pending for too long. */
export type CertificateFate = 'kept' | 'lost' | 'delayed';

/** An operator has asked for a verification: a new attempt with the same records. */
export function verificationStarted(
  domain: Domain,
  fate: CertificateFate,
  nowMs: number,
  { isContested = false } = {},
): Domain {
  const { attempt, certificate } = domain;
  const { validations, requests, arn } = certificate;
  const next = {
    // One that is delayed and was replaced too often keeps its count, so that another verification does not lift the limit.
    kept: { ...certificate, requests: domain.reason === 'certificate_delayed' ? requests : 0 },
    lost: { ...NO_CERTIFICATE, validations },
    // The requests are counted over all attempts: they must not use up those that ACM allows in a year.
    delayed: {
      ...NO_CERTIFICATE,
      validations,
      requests,
      ...(arn !== null && { replaces: arn }),
    },
  } as const;
  const started = apply('verificationStarted', domain, {
    ...NO_WAIT,
    status: 'verifying',
    attempt: attempt + 1,
    message: 'Looking for the records.',
    verifyStartedAt: timeOf(nowMs),
    lateAt: undefined,
    ...NO_MILESTONES,
    // Only a verification that is running has checked all the time since then.
    contest: isContested ? ((isInFlow(domain) ? domain.contest : undefined) ?? NOT_PROVEN) : undefined,
    certificate: next[fate],
  });
  return withHistory(started, nowMs);
}

/** The domain was checked in DNS and at ACM. */
export function inspected(
  domain: Domain,
  seen: Pick<Domain, 'kind' | 'zone' | 'nameServers'> & {
    readonly certificate: CertificateView | undefined;
    readonly records: readonly SeenRecord[];
  },
  nowMs: number,
): Domain {
  const certificate = seen.certificate ? viewed(domain, seen.certificate) : domain.certificate;
  const records = seen.records.map(record => ({ ...record, observed: [...record.observed] }));
  const { kind, zone, nameServers } = seen;
  const changes = { kind, zone, nameServers, certificate, records, checkedAt: timeOf(nowMs) };
  return apply('inspected', domain, changes);
}

/** HTTPS requests arrive here, perhaps through a proxy. They outrank what DNS shows of the traffic record. */
export function trafficArrived(
  domain: Domain,
  { isProxied }: Pick<Domain, 'isProxied'>,
  isOutranked?: (record: Domain['records'][number]) => boolean,
): Domain {
  const records = withTraffic(domain, { state: 'ok', advice: [], action: null }, isOutranked);
  return apply('trafficArrived', domain, { records, isProxied });
}

/** Requests can't judge whether all visitors arrive, for this reason; or they can. */
export function arrivalUnconfirmed(domain: Domain, unconfirmed: string | undefined): Domain {
  return apply('arrivalUnconfirmed', domain, { unconfirmed });
}

/** A proxy hides the traffic record, and requests through it do not prove that they arrive here. */
export function proxyUnproven(domain: Domain, action: string): Domain {
  return apply('proxyUnproven', domain, { records: withTraffic(domain, { action, advice: [] }) });
}

function withTraffic(
  { records }: Domain,
  changes: Partial<Domain['records'][number]>,
  isChanged: (record: Domain['records'][number]) => boolean = () => true,
): Domain['records'] {
  return records.map(record =>
    record.purpose === 'traffic' && isChanged(record) ? { ...record, ...changes } : record,
  );
}

/** The flow is about to create this record itself. */
export function recordManaged(domain: Domain, record: ManagedRecord): Domain {
  return apply('recordManaged', domain, { managed: [...domain.managed, record] });
}

/** The flow has created its records: the owner of the domain need not, although they are not seen yet. */
export function managedRecordsCreated(
  domain: Domain,
  isManaged: (record: Domain['records'][number]) => boolean,
): Domain {
  const records = domain.records.map(record =>
    record.state === 'missing' && isManaged(record) ? { ...record, advice: [], action: null } : record,
  );
  return apply('managedRecordsCreated', domain, { records });
}

/** Why a pass is repeated. What is not given stays as it is; a reason of null says that nothing is wrong. */
export interface Retry extends Partial<Pick<Trouble, 'message' | 'quota'>> {
  readonly reason?: DomainReason | null;
  /** The slot at the front that the claim waits for. */
  readonly slotAt?: string;
}

/** A claim waits, and will be tended again. */
export function retryScheduled(
  domain: Domain,
  seconds: number,
  retry: Retry,
  nowMs: number,
  restSeconds = REST_SECONDS,
): Domain {
  const { reason, message = domain.message, slotAt = null } = retry;
  const why =
    reason === undefined ? { reason: domain.reason, quota: domain.quota } : { reason, quota: retry.quota };
  const nextCheckAt = timeOf(nowMs + seconds * 1000);
  const rounds = domain.rounds + 1;
  const isResting = (seconds >= restSeconds && slotAt === null) || undefined;
  const changes = { ...why, message, slotAt, rounds, nextCheckAt, isResting, restarts: undefined };
  return withHistory(apply('retryScheduled', domain, changes), nowMs);
}

/** The contest of a claim to another project's name that the TXT record doesn't prove yet, or not alone. */
export const NOT_PROVEN: NonNullable<Domain['contest']> = { since: null };

/** Another project owns the name, or, without a contest, no longer does. */
export function contested(domain: Domain, contest: Domain['contest']): Domain {
  return apply('contested', domain, { contest });
}

/** The claim is proven, or its certificate issued, and the next thing is waited for. */
export function phasePassed(
  domain: Domain,
  next: 'certificate' | 'attachment',
  message: string,
  nowMs: number,
): Domain {
  const verifiedAt = next === 'certificate' ? timeOf(nowMs) : domain.verifiedAt;
  const provenAt = domain.provenAt ?? verifiedAt;
  const issuedAt = next === 'attachment' ? timeOf(nowMs) : null;
  const times = { verifiedAt, provenAt, issuedAt };
  const changes = {
    ...NO_WAIT,
    status: 'issuing',
    message,
    ...times,
    contest: undefined,
  } as const;
  return withHistory(apply('phasePassed', domain, changes), nowMs);
}

/** The certificate was never issued, and is deleted. Its validation records stay: those of the next one are the same. */
export function certificateDiscarded(domain: Domain): Domain {
  const { validations, requests } = domain.certificate;
  const certificate = { ...NO_CERTIFICATE, validations, requests };
  return apply('certificateDiscarded', domain, { certificate });
}

/** Another certificate was requested in place of one that ACM did not issue. */
export function certificateReplaced(domain: Domain, arn: string): Domain {
  const { certificate } = domain;
  const requests = certificate.requests + 1;
  return apply('certificateReplaced', domain, {
    certificate: { ...certificate, arn, status: null, failure: null, requests },
  });
}

/** The CAA records were looked up: these keep Amazon from issuing the certificate, or none. */
export function caaChecked(domain: Domain, caa: Domain['caa']): Domain {
  return apply('caaChecked', domain, { caa });
}

/** API Gateway has the domain name, and the platform's host points at it. */
export function attached(domain: Domain, served: NonNullable<Domain['gateway']>, nowMs: number): Domain {
  const { host, hostedZoneId } = served;
  const gateway = { host, hostedZoneId };
  const attachedAt = domain.attachedAt ?? timeOf(nowMs);
  return apply('attached', domain, { gateway, pointsAt: host, slotAt: null, attachedAt });
}

/** The domain waits for its owner's DNS, at the start or, for an apex, once it is attached. */
export function dnsLeftOpen(domain: Domain): Domain {
  return apply('dnsLeftOpen', domain, { status: 'verifying' });
}

/** What it waits for takes longer than usual. Its owner is told, and until when it's looked for. */
export function becameLate(domain: Domain, endsAt: string, nowMs: number): Domain {
  const until = `It's looked for every hour until ${readableTime(endsAt)}.`;
  const message = `Still waiting after ${LATE_HOURS} hours. ${domain.message} ${until}`;
  const lastEvent = { ...newEvent(domain, 'needs attention', nowMs), message: shortened(message) };
  const late = apply('becameLate', domain, { lateAt: timeOf(nowMs), lastEvent });
  return withHistory(late, nowMs, message);
}

/** The domain is attached, and our edge responds for it. Its traffic still goes elsewhere. */
export function becameReady(domain: Domain, toSwitch: Switch, nowMs: number): Domain {
  const message = readyMessage(domain, toSwitch, null);
  const changes = { ...NO_WAIT, status: 'ready', message, readyAt: timeOf(nowMs), remindedAt: null } as const;
  const lastEvent = lastEventOf(domain, changes.status, nowMs);
  return withHistory(apply('becameReady', domain, { ...changes, lastEvent }), nowMs);
}

/** When a domain that is ready has to be switched, and the host that its traffic record then points at. */
interface Switch {
  readonly endsAt: string;
  readonly host: string;
}

function readyMessage({ domain }: Domain, { endsAt, host }: Switch, remindedAt: string | null): string {
  const by = readableTime(endsAt);
  return remindedAt === null
    ? `Ready. Point ${domain} at ${host} whenever you like before ${by}.`
    : `Ready. Point ${domain} at ${host} by ${by}, or verify it again after that.`;
}

/** What a pass over a domain that is ready has seen: what keeps it from being served. */
interface ReadyCheck extends Switch {
  readonly trouble: Trouble | undefined;
  /** Whether its owner is reminded now. */
  readonly isReminder: boolean;
}

/** A domain that is ready was checked again: it still is, or its reason and message say what is wrong. */
export function readyChecked(domain: Domain, seen: ReadyCheck, nowMs: number): Domain {
  const { trouble, isReminder } = seen;
  const remindedAt = isReminder ? timeOf(nowMs) : domain.remindedAt;
  const well = { reason: null, message: readyMessage(domain, seen, remindedAt) };
  const isAnnounced = domain.takeover && domain.reason === 'takeover_announced';
  const { reason, message } = trouble ?? (isAnnounced ? domain : well);
  const hasChanged = (reason === null) !== (domain.reason === null);
  const type = hasChanged && reason !== null ? 'needs attention' : 'ready';
  const changes = {
    reason,
    message,
    quota: trouble?.quota,
    remindedAt,
    ...((isReminder || hasChanged) && { lastEvent: newEvent(domain, type, nowMs) }),
  };
  return withHistory(apply('readyChecked', domain, changes), nowMs);
}

export function wentLive(domain: Domain, nowMs: number): Domain {
  const message = liveMessage(domain);
  const times = { readyAt: null, remindedAt: null, liveAt: timeOf(nowMs) };
  const state = { ...NO_WAIT, status: 'live', message, ...times } as const;
  const changes = { ...state, lastEvent: lastEventOf(domain, state.status, nowMs) };
  return withHistory(apply('wentLive', domain, changes), nowMs);
}

/** The domain is mapped to this, or to nothing, or somebody begins to change that. */
export function routed(domain: Domain, route: Domain['route']): Domain {
  return apply('routed', domain, { route });
}

/** Nobody has tended it when it was due: another execution goes on where the domain is. */
export function flowRestarted(domain: Domain, nowMs: number): Domain {
  return apply('flowRestarted', domain, {
    attempt: domain.attempt + 1,
    slotAt: null,
    nextCheckAt: timeOf(nowMs),
    isResting: undefined,
    restarts: (domain.restarts ?? 0) + 1,
  });
}

/** The verification is given up; another one may be asked for. */
export function failed(domain: Domain, { reason, message, quota }: Trouble, nowMs: number): Domain {
  const state = { status: 'failed', reason, message, quota, nextCheckAt: null, slotAt: null } as const;
  const changes = { ...state, lastEvent: lastEventOf(domain, state.status, nowMs) };
  return withHistory(apply('failed', domain, changes), nowMs);
}

/** A live domain was checked again: nothing is wrong with it, or something needs attention. */
export function rechecked(domain: Domain, trouble: Trouble | undefined, nowMs: number): Domain {
  const { reason, message, quota } = trouble ?? { reason: null, message: liveMessage(domain) };
  const status = trouble ? 'needs_attention' : 'live';
  const lastEvent = lastEventOf(domain, status, nowMs);
  return withHistory(apply('rechecked', domain, { status, reason, message, quota, lastEvent }), nowMs);
}

/** An attached domain waits for this long, for a slot or for somebody else; or for nothing. */
export function awaited(
  domain: Domain,
  { seconds, slotAt }: { readonly seconds?: number | undefined; readonly slotAt?: string | undefined },
  nowMs: number,
): Domain {
  return apply('awaited', domain, {
    slotAt: slotAt ?? null,
    nextCheckAt: seconds === undefined ? null : timeOf(nowMs + seconds * 1000),
  });
}

/** An execution goes on with an attached domain, until then at the latest. */
export function leftToWorker(domain: Domain, untilMs: number): Domain {
  const attempt = domain.attempt + 1;
  return apply('leftToWorker', domain, { attempt, nextCheckAt: timeOf(untilMs) });
}

/** Another project is about to take the name over, unless the records of this one come back until then. */
export function takeoverAnnounced(
  domain: Domain,
  { reason, message }: Trouble,
  takeover: NonNullable<Domain['takeover']>,
  nowMs: number,
): Domain {
  const lastEvent = newEvent(domain, 'needs attention', nowMs);
  return withHistory(apply('takeoverAnnounced', domain, { reason, message, takeover, lastEvent }), nowMs);
}

/** The name can't be taken over before a later time. */
export function takeoverPostponed(domain: Domain, notice: Trouble, until: string): Domain {
  const isShown = domain.reason === 'takeover_announced';
  const takeover = { ...uncovered(domain), until };
  return apply('takeoverPostponed', domain, { message: isShown ? notice.message : domain.message, takeover });
}

/** No project is about to take the name over any more, as `what` says. What else is wrong with the domain stays. */
export function takeoverEnded(domain: Domain, what: string, nowMs: number): Domain {
  const { reason, message } = uncovered(domain);
  const isWell = domain.status !== 'ready' || reason === null;
  const type = (isWell && STATUSES[domain.status].event) || 'needs attention';
  const lastEvent = { ...newEvent(domain, type, nowMs), message: shortened(`${what} ${message}`) };
  const ended = apply('takeoverEnded', domain, { reason, message, takeover: undefined, lastEvent });
  return withHistory(ended, nowMs, what);
}

/** The reason and message of a domain without the announcement of a takeover, which covers them. */
export function uncovered({ reason, message, takeover }: Domain): Pick<Domain, 'reason' | 'message'> {
  const covered = reason === 'takeover_announced' && takeover ? takeover : { reason, message };
  return { reason: covered.reason, message: covered.message };
}

/** The domain now belongs to another project. Its claim keeps its host, certificate and domain name. */
export function moved(domain: Domain, to: string, nowMs: number): Domain {
  const lastEvent = newEvent(domain, 'moved', nowMs);
  const next = apply('moved', domain, { project: to, lastEvent });
  return withHistory(next, nowMs, `Moved here from project ${domain.project}.`);
}

interface RemovalCause {
  readonly message?: string;
  /** Whether another project has proven the name. */
  readonly isTakenOver?: boolean;
}

/** An operator has removed the domain, or its claim has ended: a new attempt, which supersedes any verification. */
export function removalStarted(
  domain: Domain,
  nowMs: number,
  { message = 'No longer served.', isTakenOver = false }: RemovalCause = {},
): Domain {
  const started = apply('removalStarted', domain, {
    ...NO_WAIT,
    status: 'removing',
    removalStartedAt: timeOf(nowMs),
    attempt: domain.attempt + 1,
    message,
    unmappedUntil: undefined,
    isUnmapped: undefined,
    lastEvent: isTakenOver ? newEvent(domain, 'taken over', nowMs) : domain.lastEvent,
  });
  return withHistory(started, nowMs);
}

/** Until then, a command may be deleting the mapping of a domain that is removed. */
export function unmappedApart(domain: Domain, unmappedUntil: string | undefined): Domain {
  return apply('unmappedApart', domain, { unmappedUntil });
}

/** The mapping of a domain that is removed is deleted, and its domain name comes next. */
export function unmapped(domain: Domain): Domain {
  return apply('unmapped', domain, { isUnmapped: true });
}

/** The removal cannot go on by itself; it may be asked for again. */
export function removalStalled(domain: Domain, { reason, message }: Trouble, nowMs: number): Domain {
  const lastEvent = lastEventOf(domain, 'stalled', nowMs);
  return apply('removalStalled', domain, { status: 'stalled', reason, message, slotAt: null, lastEvent });
}

type TransitionName = keyof typeof TRANSITIONS;
type Changed<Name extends TransitionName> = (typeof TRANSITIONS)[Name]['changes'][number];
/** The fields of the row and no others, also where an object is spread. */
type Exactly<Name extends TransitionName, Given> = Given & Record<Exclude<keyof Given, Changed<Name>>, never>;

function apply<Name extends TransitionName, Given extends Partial<Pick<Domain, Changed<Name>>>>(
  name: Name,
  domain: Domain,
  changes: Exactly<Name, Given>,
): Domain {
  const { from }: { from: readonly string[] } = TRANSITIONS[name];
  if (from.includes(domain.status)) return withinLimits({ ...domain, ...changes });
  throw new Error(`${domain.domain} is ${domain.status}: ${name} cannot happen to it.`);
}

/** A domain that waits for nothing yet. */
const NO_WAIT = {
  reason: null,
  rounds: 0,
  slotAt: null,
  nextCheckAt: null,
  isResting: undefined,
  restarts: undefined,
} as const;

/** How far a verification has come at its start. */
const NO_MILESTONES = {
  verifiedAt: null,
  issuedAt: null,
  attachedAt: null,
  readyAt: null,
  remindedAt: null,
  liveAt: null,
} as const;

/** The message of a live domain that has no trouble. */
function liveMessage({ domain, isProxied }: Domain): string {
  const how = isProxied ? "live behind a proxy. Visitors see the proxy's certificate, not ours" : 'live';
  return `https://${domain} is ${how}. Keep the records: the certificate needs them to renew.`;
}

/** The certificate with what ACM says of it. The validation records stay when ACM names none: they never change. */
export function viewed({ certificate }: Domain, view: CertificateView): Domain['certificate'] {
  const validations = view.validations.length > 0 ? view.validations : certificate.validations;
  const { serial } = certificate;
  const isRenewed = serial && view.serial && view.serial !== serial;
  return { ...certificate, ...view, validations, ...(isRenewed && { formerSerial: serial }) };
}

const MAX_HISTORY = 50;

/** Adds where the domain is now to its history, unless the last entry says the same. */
function withHistory(domain: Domain, nowMs: number, message = domain.message): Domain {
  const { history } = domain;
  const entry = { at: timeOf(nowMs), status: STATUSES[domain.status].reported, what: shortened(message) };
  const last = history.at(-1);
  if (last?.status === entry.status && last.what === entry.what) return domain;
  return { ...domain, history: [...history, entry].slice(-MAX_HISTORY) };
}

/** The last event of a domain that gets this status: a new one, which the next write emits, or the one before. */
function lastEventOf(domain: Domain, status: DomainStatus, nowMs: number): Domain['lastEvent'] {
  const { event: type } = STATUSES[status];
  if (type === null || type === STATUSES[domain.status].event) return domain.lastEvent;
  return newEvent(domain, type, nowMs);
}

/** An event that the next write of the domain emits. */
function newEvent(domain: Domain, type: EventType, nowMs: number): NonNullable<Domain['lastEvent']> {
  return { type, revision: domain.revision + 1, at: timeOf(nowMs) };
}
