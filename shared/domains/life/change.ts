import { timeOf } from '../clock.ts';
import {
  type CertificateView,
  type Domain,
  NO_CERTIFICATE,
  shortened,
  type Trouble,
  withinLimits,
} from './domain.ts';
import { type DomainStatus, type EventType, needsAttention, STATUSES } from './domain-status.ts';

/** A claim's status, from what has happened to it and what is wrong. It's stored for those who read the table. */
function statusOf(claim: Omit<Domain, 'status'>): DomainStatus {
  const { removalStartedAt, failedAt, liveAt, readyAt, issuedAt, verifiedAt, verifyStartedAt } = claim;
  const { reason, takeover } = claim;
  if (removalStartedAt !== null) return reason === null ? 'removing' : 'stalled';
  if (failedAt !== null) return 'failed';
  if (liveAt !== null) return reason === null && takeover === undefined ? 'live' : 'needs_attention';
  if (readyAt !== null) return 'ready';
  if (verifyStartedAt === null) return 'pending_dns';
  const isWaitingForTraffic = issuedAt !== null && reason?.startsWith('traffic_record');
  return verifiedAt === null || isWaitingForTraffic ? 'verifying' : 'issuing';
}

/** The fields that the others follow from. */
type Changes = Partial<Omit<Domain, 'status' | 'history' | 'lastEvent' | 'revision'>>;

/** What to tell about a change, if that isn't what the claim says from then on. */
interface Told {
  /** An event to emit whatever the claim was before. */
  readonly event?: EventType | undefined;
  readonly message?: string;
}

/**
 * The claim with these changes. Nothing else changes a claim: its status, its history and the event that its next write emits
 * follow from what changed.
 */
export function changed(before: Domain, changes: Changes, nowMs: number, told: Told = {}): Domain {
  const facts = { ...before, ...changes };
  const claim = withinLimits({ ...facts, status: statusOf(facts) });
  const type = told.event ?? newEvent(before, claim);
  const { message } = told;
  const said = message !== undefined && { message: shortened(message) };
  const event = type && { type, revision: before.revision + 1, at: timeOf(nowMs), ...said };
  return withHistory(before, { ...claim, ...(event && { lastEvent: event }) }, nowMs, message);
}

/** The event of a change: for a new status, or because the domain starts or stops needing attention. */
function newEvent(before: Domain, claim: Domain): EventType | undefined {
  const type = eventTypeOf(claim);
  return type !== null && type !== eventTypeOf(before) ? type : undefined;
}

export function eventTypeOf(claim: Domain): EventType | null {
  return needsAttention(claim) ? 'needs attention' : STATUSES[claim.status].event;
}

const MAX_HISTORY = 50;

/** Adds what was said, or the domain's new state, to its history, unless the last entry says the same. */
function withHistory(before: Domain, claim: Domain, nowMs: number, said?: string): Domain {
  const { history, message } = claim;
  const status = STATUSES[claim.status].reported;
  const isNew =
    said !== undefined || message !== before.message || status !== STATUSES[before.status].reported;
  const what = shortened(said ?? message);
  const last = history.at(-1);
  if (!isNew || (last?.status === status && last.what === what)) return claim;
  return { ...claim, history: [...history, { at: timeOf(nowMs), status, what }].slice(-MAX_HISTORY) };
}

/** Nothing is waited for yet. */
export const NO_WAIT = {
  reason: null,
  quota: undefined,
  rounds: 0,
  slotAt: null,
  nextCheckAt: null,
  isResting: undefined,
  restarts: undefined,
} as const;

/** The verification or removal is given up; another may be requested. */
export function gaveUp({ reason, message, quota }: Trouble) {
  return { reason, message, quota, nextCheckAt: null, isResting: undefined, slotAt: null };
}

/** What a live domain says, given what is wrong with it. */
export function liveSaying({ domain, isProxied }: Domain, trouble: Trouble | undefined) {
  if (trouble) return { reason: trouble.reason, message: trouble.message, quota: trouble.quota };
  const how = isProxied ? "live behind a proxy. Visitors see the proxy's certificate, not ours" : 'live';
  const message = `https://${domain} is ${how}. Keep the records: the certificate needs them to renew.`;
  return { reason: null, message, quota: undefined };
}

/** The certificate with what ACM says about it. The validation records stay if ACM names none: they never change. */
export function viewed({ certificate }: Domain, view: CertificateView): Domain['certificate'] {
  const validations = view.validations.length > 0 ? view.validations : certificate.validations;
  const { serial } = certificate;
  const isRenewed = serial && view.serial && view.serial !== serial;
  return { ...certificate, ...view, validations, ...(isRenewed && { formerSerial: serial }) };
}

/** The certificate is gone. Its validation records stay: those of the next one are the same. */
export function withoutCertificate({ certificate }: Domain): Domain['certificate'] {
  const { validations, requests } = certificate;
  return { ...NO_CERTIFICATE, validations, requests };
}
