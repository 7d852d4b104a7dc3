import { isLost } from '../aws/certificates.ts';
import { type Clock, timeOf } from '../clock.ts';
import type { CaaVerdict } from '../dns/caa.ts';
import { isProven } from '../dns/required-record.ts';
import { type ApiStage, type AttachedDomain, isSameRoute, type Later } from '../front.ts';
import type { Domain, ManagedRecord, SeenRecord, Trouble } from '../life/domain.ts';
import { isAttached, isBeingRemoved } from '../life/domain-status.ts';
import {
  certificateSpentAt,
  MAX_CERTIFICATE_REQUESTS,
  newRequestWaitSeconds,
  READY_AFTER_ROUNDS,
  VERIFICATION_DAYS,
  waitSeconds,
  waitsSince,
} from '../life/waits.ts';
import type { Observed } from '../reach.ts';
import type { Sight } from './inspection.ts';
import { contestedSinceMs, untilOf } from './takeover.ts';
import {
  BEING_ISSUED,
  beingReleased,
  certificateLoss,
  certificateTrouble,
  domainNameGone,
  domainNameRecertified,
  domainTaken,
  edgeTrouble,
  foreignDomainName,
  hostChanged,
  mappingChanged,
  ofSome,
  ownerUnseen,
  proofToCreate,
  reachTrouble,
  recordTrouble,
  takeoverPending,
  verificationTrouble,
} from './troubles.ts';

/** What a pass has looked at so far. A field is absent until it's looked at, and null if there was nothing. */
export interface Seen {
  /** What DNS shows of the records, and ACM of the certificate; `of`: the claim at the time. */
  readonly sight?: Sight & { readonly of: Domain };
  readonly caa?: CaaVerdict;
  /** The claim of another project that owns the name. */
  readonly rival?: Rival | null;
  readonly project?: SeenProject | null;
  readonly front?: AttachedDomain | null;
  /** Whether a domain name that isn't ours belongs to another environment or team. Otherwise it's another claim's. */
  readonly isForeign?: boolean;
  readonly route?: ApiStage | null;
  readonly host?: string | null;
  readonly reach?: Observed;
  /** The hosted zone of this account that the name is in, if the service may write to it. */
  readonly zoneId?: string | null;
  /** The outcomes of this pass's acts. */
  readonly tried: Readonly<Partial<Record<Act['do'], Outcome>>>;
}
export type Look = Exclude<keyof Seen, 'tried'>;

interface SeenProject {
  readonly route: ApiStage;
  /** What it lacks for custom domains. */
  readonly unmet?: Trouble | undefined;
  /** Whether the redirect of the domain would lead its visitors elsewhere. */
  readonly suspension?: Trouble | undefined;
}

interface Rival {
  readonly owner: Domain;
  readonly support: 'there' | 'gone' | 'unknown';
}

/** A call that means "make sure that". */
export type Act =
  /** Commits, each together with what it means for others: the name's owner, the project's routing. */
  | { readonly do: 'prove' | 'goLive' | 'forget' }
  | { readonly do: 'takeOver'; readonly from: Domain }
  | { readonly do: 'request' | 'discard' | 'attach' | 'point' | 'route' | 'unroute' | 'detach' | 'clear' }
  | { readonly do: 'records'; readonly records: readonly ManagedRecord[] };

/** The outcome of an act. `left`: to the worker, the only one that may do it. */
export type Outcome =
  | { readonly kind: 'done' | 'inUse' | 'others' | 'left' }
  | Later
  | { readonly kind: 'refused'; readonly trouble: Trouble };

/** Why a pass is repeated. Fields that are left out stay as they are; a null reason says that nothing is wrong. */
export interface Retry extends Partial<Pick<Trouble, 'message' | 'quota'>> {
  readonly reason?: Trouble['reason'] | null;
  /** The slot at the front that the claim waits for. */
  readonly slotAt?: string;
}

/** What keeps a claim from the next thing it needs. */
export type Block =
  | { readonly look: Look; readonly act?: undefined }
  | { readonly act: Act; readonly look?: undefined }
  | Unmet;

export interface Unmet {
  readonly look?: undefined;
  readonly act?: undefined;
  /** What to say while it waits; fields that are left out stay. */
  readonly retry: Retry;
  /** How long it waits, if not by the backoff. */
  readonly seconds?: number;
  /** What it fails with at once, and what if the wait has led to nothing a month after it was last verified. */
  readonly fails?: Trouble | undefined;
  readonly late?: Trouble | undefined;
}

export type Gate = (claim: Domain, seen: Seen, clock: Clock) => Block | undefined;

const HOUR_MS = 60 * 60 * 1000;

/** How long the claim has been waiting for its next step. */
export function hoursWaited(claim: Domain, clock: Clock): number {
  return clock.unscaled(clock.now() - Date.parse(waitsSince(claim))) / HOUR_MS;
}

/** The records of the claim in a zone of this account. */
const records: Gate = (claim, { sight, zoneId, tried, rival }) => {
  if (!sight) return { look: 'sight' };
  // Whoever contests a name has to prove it without our help.
  if (rival) return undefined;
  if (tried.records || !(lacksRecord(claim) || lacksAlias(claim))) return undefined;
  if (zoneId === undefined) return { look: 'zoneId' };
  if (zoneId === null) return undefined;
  return { act: { do: 'records', records: recordsToCreate(claim, zoneId) } };
};

/** Finds out who owns the name: only the TXT record proves a claim to another project's. */
const rivalry: Gate = (claim, { rival }) => {
  if (rival === undefined) return { look: 'rival' };
  return rival?.support === 'there' ? { retry: {}, fails: domainTaken(claim) } : undefined;
};

/** The claim is proven in DNS, and no other project owns the name. */
const proof: Gate = (claim, { sight, rival }, clock) => {
  if (!sight) return { look: 'sight' };
  if (rival && claim.contest?.since) {
    const untilMs = untilOf(Date.parse(claim.contest.since), clock);
    // Never before the time shown to the owner.
    const isDue = [untilMs, Date.parse(rival.owner.takeover ?? '')].every(ms => ms <= clock.now());
    if (isBeingRemoved(rival.owner) || isDue) return undefined;
    const leftMs = clock.unscaled(untilMs - clock.now());
    const seconds = leftMs > 0 ? Math.min(waitSeconds(claim.rounds), Math.ceil(leftMs / 1000)) : undefined;
    return { retry: takeoverPending(claim, timeOf(untilMs)), ...(seconds && { seconds }) };
  }
  if (!rival && isProven(claim)) return undefined;
  const isUnseen = rival?.support === 'unknown' && isProven(claim);
  const trouble = isUnseen ? ownerUnseen(claim) : recordTrouble(proofToCreate(claim));
  const message = `Not verified within ${VERIFICATION_DAYS} days. ${trouble.message} Then re-verify.`;
  return { retry: verificationTrouble(trouble), late: { ...trouble, message } };
};

/**
 * Nothing is left of a certificate that ACM gave up validating before the claim was proven. Only a proven claim gets
 * another.
 */
export const spent: Gate = (claim, { tried }, clock) => {
  const spentAt = certificateSpentAt(claim, clock);
  if (spentAt === null || tried.discard) return undefined;
  const isSpent = isLost(claim.certificate) || Date.parse(spentAt) <= clock.now();
  return isSpent ? { act: { do: 'discard' } } : undefined;
};

/** The contest of a claim to a name that another project owns, as DNS shows it now. */
export function contestOf(claim: Domain, { rival }: Seen, clock: Clock): Domain['contest'] {
  if (!rival) return undefined;
  const isContested = rival.support === 'gone' && isProven(claim);
  const sinceMs = contestedSinceMs(claim, rival.owner) ?? clock.now();
  return { since: isContested ? timeOf(sinceMs) : null };
}

/** The certificate is issued. */
const certificate: Gate = (claim, seen, clock) => {
  const { requests, status, failure } = claim.certificate;
  if (!seen.sight) return { look: 'sight' };
  if (seen.tried.request?.kind === 'refused') return troubled(seen.tried.request.trouble);
  if (seen.tried.request) {
    const message = 'A new certificate was requested.';
    return { retry: { reason: null, message }, seconds: newRequestWaitSeconds(requests - 1) };
  }
  if (status === 'ISSUED') return undefined;
  if (!seen.caa) return { look: 'caa' };
  const trouble = certificateTrouble(claim, seen.caa, hoursWaited(claim, clock) * 60);
  // While a record is missing or a CAA record forbids it, a new one would be given up like the last.
  const isInVain = trouble !== undefined && trouble.reason !== 'certificate_delayed';
  if (isLost(claim.certificate) && !isInVain) {
    const canBeRequested = status === null || status === 'VALIDATION_TIMED_OUT' || failure === 'CAA_ERROR';
    if (!canBeRequested) {
      const message = `The certificate wasn't issued (${failure ?? status}). Re-verify to request a new one.`;
      return { retry: {}, fails: { reason: 'certificate_failed', message } };
    }
    if (requests >= MAX_CERTIFICATE_REQUESTS) {
      const message = 'ACM keeps refusing the certificate. Re-verify later.';
      return { retry: {}, fails: { reason: 'certificate_failed', message } };
    }
    return { act: { do: 'request' } };
  }
  return trouble
    ? { retry: trouble, late: certificateLate(trouble) }
    : { retry: { reason: null, message: BEING_ISSUED } };
};

function certificateLate({ reason, message }: Trouble): Trouble {
  const late = `The certificate wasn't issued within ${VERIFICATION_DAYS} days.`;
  const again = reason === 'certificate_delayed' ? 'Re-verify' : `${message} Then re-verify`;
  return { reason, message: `${late} ${again} to request a new certificate.` };
}

/** The project is there, and may have custom domains. */
const project: Gate = ({ project: id }, { project: present }) => {
  if (present === undefined) return { look: 'project' };
  if (present === null) {
    return { retry: {}, fails: { reason: 'project_gone', message: `Project ${id} no longer exists.` } };
  }
  return present.unmet && troubled(present.unmet);
};

/** A quota lasts until people raise it or make room. */
const QUOTA_SECONDS = 30 * 60;

const WAITING_FOR_SLOT = 'Waiting for its turn at API Gateway.';
const GATEWAY_BUSY = {
  reason: 'gateway_busy',
  message: `API Gateway was too busy to create the domain name within ${VERIFICATION_DAYS} days. Re-verify.`,
} as const;

/** The front has the domain name, with its certificate. */
const frontName: Gate = (claim, seen, clock) => {
  const { front, isForeign, tried } = seen;
  if (front === undefined) return { look: 'front' };
  if (front?.isOurs && front.certificateArn === claim.certificate.arn) return undefined;
  const isOthers = (front && !front.isOurs) || tried.attach?.kind === 'others';
  if (isOthers) {
    if (isForeign === undefined) return { look: 'isForeign' };
    const foreign = { reason: 'domain_name_foreign', message: foreignDomainName(claim.domain) } as const;
    return troubled(isForeign || isAttached(claim) ? foreign : beingReleased(claim));
  }
  const isUseless = isAttached(claim) && isLost(claim.certificate);
  if (!tried.attach && !isUseless) return { act: { do: 'attach' } };
  const gone = front ? domainNameRecertified(claim) : domainNameGone(claim);
  if (!tried.attach || tried.attach.kind === 'left') return troubled(gone);
  if (tried.attach.kind === 'refused') {
    const { trouble } = tried.attach;
    return { ...troubled(trouble), ...(trouble.quota && { seconds: QUOTA_SECONDS }) };
  }
  const waiting = waitingForSlot(claim, tried.attach, clock, isAttached(claim) ? gone : WAITING_FOR_SLOT);
  return { ...waiting, ...(isBusy(tried.attach) && { late: GATEWAY_BUSY }) };
};

/** Whether the front took no change even though it was the claim's turn. */
export function isBusy(outcome: Outcome): boolean {
  return outcome.kind === 'later' && outcome.isBusy;
}

/** The wait for a slot. A refusal by the front stays the reason until the slot shows otherwise. */
export function waitingForSlot(
  { reason, rounds }: Domain,
  outcome: Outcome,
  clock: Clock,
  says: Trouble | string,
): Unmet {
  if (outcome.kind !== 'later') throw new Error(`The front doesn't show yet what was changed there.`);
  const { atMs, ticket } = outcome;
  const said = typeof says === 'string' ? ({ reason: null, message: says } as const) : says;
  const seconds = Math.ceil(clock.unscaled(atMs - clock.now()) / 1000);
  return {
    retry: { ...(reason !== 'attachment_refused' && said), slotAt: ticket },
    // The backoff grows: an account that is always busy must not be asked all the time.
    seconds: isBusy(outcome) ? Math.max(seconds, waitSeconds(rounds)) : seconds,
  };
}

/** The domain name leads to its API. A domain that is being set up keeps its mapping until it's live. */
const route: Gate = (claim, { project: present, front, route: current, tried }) => {
  if (!front?.isOurs) return undefined;
  if (present === undefined) return { look: 'project' };
  if (current === undefined) return { look: 'route' };
  if (tried.route?.kind === 'refused') return troubled(tried.route.trouble);
  if (!isAttached(claim)) return current || tried.route ? undefined : { act: { do: 'route' } };
  const isRight = !present || isSameRoute(current ?? undefined, present.route);
  // Somebody began to change it but didn't finish, or put it right by hand.
  const isNoted = present ? isNotedAs(claim, present.route) : claim.route !== 'open';
  if (!tried.route) return isRight && isNoted ? undefined : { act: { do: 'route' } };
  return isRight ? undefined : troubled(mappingChanged(claim, current));
};

function isNotedAs({ route: noted }: Domain, wanted: ApiStage): boolean {
  return noted !== 'open' && isSameRoute(noted ?? undefined, wanted);
}

/** The platform's host points at the domain name. */
const host: Gate = (claim, { front, host: present, tried }) => {
  if (!front?.isOurs) return undefined;
  if (present === undefined) return { look: 'host' };
  if (present === front.host) return undefined;
  return tried.point ? troubled(hostChanged(claim)) : { act: { do: 'point' } };
};

/** The issued certificate still exists. */
const kept: Gate = (claim, { sight }) => {
  if (!sight) return { look: 'sight' };
  const loss = certificateLoss(claim);
  return loss && { retry: loss, fails: loss };
};

/** Visitors arrive here, or the domain is ready for them. */
const arrival: Gate = (claim, { reach }) => {
  if (!reach) return { look: 'reach' };
  const unreached = reachTrouble(claim, reach.visitors);
  if (unreached && reach.visitors.kind === 'unknown') return { ...troubled(unreached), retry: {} };
  if (hasArrived(claim, reach)) return undefined;
  const open = openTraffic(claim);
  if (!open) return unreached && troubled(unreached);
  if (isSwitchable(claim)) {
    const closed = edgeTrouble(claim, reach.edge);
    return closed && troubled(closed);
  }
  // DNS alone can't call an address wrong if requests don't.
  const isUnconfirmed = reach.visitors.kind === 'unconfirmed' && open.state !== 'missing';
  if (unreached && isUnconfirmed) return troubled(unreached);
  const { reason, message } = ofSome(claim, reach.visitors, recordTrouble(open));
  const late = `The domain still doesn't point here after ${VERIFICATION_DAYS} days. ${message} Then re-verify.`;
  return {
    retry: verificationTrouble({ reason, message }),
    late: { reason, message: late },
  };
};

/** Our part of an attached domain. */
const OURS = [frontName, route, host, records];

/** The gates a claim has to pass, one after another: on its way, and then to stay ready or live. */
export const WAYS = {
  proving: [rivalry, records, proof],
  issuing: [records, certificate],
  attaching: [project, ...OURS, kept, arrival],
  ready: [kept, ...OURS, project],
  live: [kept, ...OURS],
} as const satisfies Record<string, readonly Gate[]>;

/**
 * Whether visitors arrive. A request that meets our certificate decides, since an ALIAS may show any addresses of a pool. But if
 * there's no record at all, or the CNAME record was the only proof and is gone, the request followed a cached answer.
 */
export function hasArrived(claim: Domain, { visitors }: Observed): boolean {
  if (visitors.kind !== 'reached') return false;
  const open = openTraffic(claim);
  return !open || open.state === 'spreading' || (isProvenByText(claim) && open.state !== 'missing');
}

/** Whether the owner may switch the traffic when they like: it still goes elsewhere, and the claim is proven without it. */
function isSwitchable(claim: Domain): boolean {
  return isProvenByText(claim) && (claim.switchLater === true || claim.rounds >= READY_AFTER_ROUNDS);
}

function openTraffic({ records: all }: Domain): SeenRecord | undefined {
  return all.find(({ purpose, state }) => purpose === 'traffic' && state !== 'ok');
}

function isProvenByText({ records: all }: Domain): boolean {
  return all.some(({ purpose, state }) => purpose === 'ownership' && state === 'ok');
}

/** Waits with its trouble until that is over; a claim that is being set up fails with it in the end. */
function troubled(trouble: Trouble): Unmet {
  return {
    retry: trouble,
    late: { ...trouble, message: `${trouble.message} Re-verify once that's solved.` },
  };
}

/** Whether the claim lacks a record that the service itself would create. */
function lacksRecord(claim: Domain): boolean {
  return missingRecords(claim).length > 0;
}

function missingRecords({ records: all, switchLater, verifiedAt }: Domain): SeenRecord[] {
  return all.filter(
    ({ type, purpose, state, isOptional }) =>
      state === 'missing' &&
      type !== 'ALIAS' &&
      !isOptional &&
      // The owner switches the traffic.
      !(purpose === 'traffic' && switchLater) &&
      // The validation record is the same for every claim of the name, so only the owner of the name creates it.
      (purpose !== 'certificate' || verifiedAt !== null),
  );
}

/**
 * Whether the claim lacks an apex alias that the service itself would create; its target is known once the front has the
 * domain name.
 */
function lacksAlias({ gateway, records: all, switchLater, managed, verifiedAt }: Domain): boolean {
  const alias = all.find(({ type }) => type === 'ALIAS');
  const isWanted = gateway !== null && verifiedAt !== null && !switchLater;
  if (!isWanted || alias === undefined || alias.state === 'ok') return false;
  // After the domain name was deleted and recreated, our alias leads to a name that is gone.
  return (
    alias.state === 'missing' || managed.some(({ type, value }) => type === 'A' && value !== gateway.host)
  );
}

function recordsToCreate(claim: Domain, zoneId: string): ManagedRecord[] {
  const created = missingRecords(claim).map(({ type, name, value, ttl }) => ({
    zoneId,
    type: managedType(type),
    name,
    value,
    ttl,
    aliasZoneId: null,
  }));
  const { gateway } = claim;
  if (!gateway || !lacksAlias(claim)) return created;
  const { host: value, hostedZoneId: aliasZoneId } = gateway;
  return [...created, { zoneId, type: 'A', name: claim.domain, value, ttl: 0, aliasZoneId }];
}

/** At Route 53 an ALIAS is an alias record of type A. */
export function managedType(type: SeenRecord['type']): ManagedRecord['type'] {
  return type === 'ALIAS' ? 'A' : type;
}
