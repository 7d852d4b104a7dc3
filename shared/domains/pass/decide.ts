import { type Clock, readableTime, timeOf } from '../clock.ts';
import { trafficHost } from '../dns/dns-provider.ts';
import type { AttachedDomain } from '../front.ts';
import { changed, gaveUp, liveSaying, NO_WAIT } from '../life/change.ts';
import type { Domain, Trouble } from '../life/domain.ts';
import { hasVisitors, isOfVisitors } from '../life/domain-reason.ts';
import { isAttached, isBeingRemoved, isInFlow, isReady, isUnmapped } from '../life/domain-status.ts';
import {
  inUseWaitSeconds,
  LATE_HOURS,
  READY_DAYS,
  REMINDER_DAYS,
  REMOVAL_DEADLINE_HOURS,
  REST_SECONDS,
  switchEndsAt,
  verificationEndsAt,
  waitSeconds,
} from '../life/waits.ts';
import { NOT_PROVEN } from '../life/wishes.ts';
import type { Observed, Reached } from '../reach.ts';
import type { Act, Block, Gate, Look, Retry, Seen, Unmet } from './gates.ts';
import * as gates from './gates.ts';
import { arrivedRecords, inspected } from './inspection.ts';
import { daysReady } from './look.ts';
import {
  BEING_ISSUED,
  edgeTrouble,
  ISSUED,
  isWrong,
  justRestored,
  keepingTroubles,
  liveTroubles,
  notSwitched,
  ofSome,
  reachTrouble,
  recordTrouble,
  withProxyAdvice,
} from './troubles.ts';

/** What follows from what was seen. */
export interface Decision {
  /** The claim after that. */
  readonly next: Domain;
  /** What to look at or do before anything else can be decided. */
  readonly look?: Look;
  readonly act?: Act;
  /** How long until the next look; absent if there's nothing to wait for. */
  readonly seconds?: number;
}

/** Derives a claim's state from what was seen, and the next thing to look at or make sure of. Nothing else decides that. */
export function decide(claim: Domain, seen: Seen, clock: Clock): Decision {
  if (isBeingRemoved(claim)) return removal(claim, seen, clock);
  if (isAttached(claim)) return upkeep(claim, seen, clock);
  if (isInFlow(claim)) return progress(claim, seen, clock);
  return idle(claim, seen, clock);
}

/** A claim that isn't being verified, or whose verification failed: nothing harmful may be left of it. */
function idle(claim: Domain, seen: Seen, clock: Clock): Decision {
  const isMapped = isUnmapped(claim) && claim.route !== null;
  if (isMapped && !seen.tried.unroute) return { next: claim, act: { do: 'unroute' } };
  const act = gates.spent(claim, seen, clock)?.act;
  return { next: claim, ...(act && { act }) };
}

/** The claim with what DNS and ACM show of it. */
function informed(claim: Domain, seen: Seen, clock: Clock): Domain {
  const { sight, tried, zoneId } = seen;
  if (!sight) return claim;
  const { of: before, certificate, ...shown } = sight;
  const isItsOwn = before.certificate.arn === claim.certificate.arn;
  const view = isItsOwn ? certificate : undefined;
  const current = inspected(claim, { ...shown, certificate: view }, clock.now());
  if (!tried.records || !zoneId) return current;
  // The owner needn't create what the pass created, even if it isn't visible yet.
  const isOurs = ({ name, type }: Domain['records'][number]) =>
    current.managed.some(managed => managed.name === name && managed.type === gates.managedType(type));
  const present = current.records.map(record =>
    record.state === 'missing' && isOurs(record) ? { ...record, advice: [], action: null } : record,
  );
  return { ...current, records: present };
}

/** The first gate that isn't open, from what was seen. */
function firstBlock(all: readonly Gate[], claim: Domain, seen: Seen, clock: Clock): Block | undefined {
  for (const gate of all) {
    const block = gate(claim, seen, clock);
    if (block) return block;
  }
  return undefined;
}

/** The way of a claim that is being set up: through one gate after another. */
function progress(given: Domain, seen: Seen, clock: Clock): Decision {
  if (given.verifiedAt === null) return proving(given, seen, clock);
  return given.issuedAt === null ? issuing(given, seen, clock) : attachment(given, seen, clock);
}

function proving(given: Domain, seen: Seen, clock: Clock): Decision {
  // A discarded certificate is written before the contest, which is written together with its notice.
  const shown = informed(given, seen, clock);
  const refuse = gates.spent(shown, seen, clock);
  if (refuse) return blocked(shown, refuse, clock);
  const claim = contending(given, seen, clock);
  const block = firstBlock(gates.WAYS.proving, claim, seen, clock);
  if (block) return blocked(claim, block, clock);
  const message = claim.certificate.status === 'ISSUED' ? ISSUED : BEING_ISSUED;
  const at = timeOf(clock.now());
  const marks = { verifiedAt: at, provenAt: claim.provenAt ?? at, issuedAt: null };
  const next = changed(claim, { ...NO_WAIT, ...marks, message, contest: undefined }, clock.now());
  return { next, act: seen.rival ? { do: 'takeOver', from: seen.rival.owner } : { do: 'prove' } };
}

function issuing(given: Domain, seen: Seen, clock: Clock): Decision {
  const claim = informed(given, seen, clock);
  const block = firstBlock(gates.WAYS.issuing, claim, seen, clock);
  const checked = seen.caa ? { ...claim, caa: seen.caa.block } : claim;
  if (block) return blocked(checked, block, clock);
  const issued = { ...NO_WAIT, message: ISSUED, issuedAt: timeOf(clock.now()) };
  return decide(changed(claim, issued, clock.now()), seen, clock);
}

/** A claim to a name that another project may own. */
function contending(given: Domain, seen: Seen, clock: Clock): Domain {
  if (seen.rival === undefined) return given;
  const contest = seen.rival ? (given.contest ?? NOT_PROVEN) : undefined;
  const claim = informed({ ...given, contest }, seen, clock);
  return seen.sight ? { ...claim, contest: gates.contestOf(claim, seen, clock) } : claim;
}

function attachment(given: Domain, found: Seen, clock: Clock): Decision {
  const { claim, seen } = served(given, found, clock);
  const { reach } = seen;
  const present = reach ? withProxyAdvice(claim, reach.visitors) : claim;
  const block = firstBlock(gates.WAYS.attaching, present, seen, clock);
  if (block || !reach) return blocked(present, block ?? { look: 'reach' }, clock);
  if (gates.hasArrived(present, reach)) return goneLive(present, reach.visitors, clock);
  const nowMs = clock.now();
  const marks = { readyAt: timeOf(nowMs), remindedAt: null };
  const message = readyMessage(present, nowMs, null, clock);
  return decide(changed(present, { ...NO_WAIT, ...marks, message }, nowMs), seen, clock);
}

/** The claim with its domain name at the front. An apex needs other records once it has one. */
function served(given: Domain, seen: Seen, clock: Clock) {
  const { front, sight } = seen;
  const isServing = front?.isOurs && front.certificateArn === given.certificate.arn;
  const claim = isServing ? attachedTo(given, front, clock) : given;
  const isSeen = sight?.of.gateway?.host === claim.gateway?.host;
  const { sight: _, ...rest } = seen;
  return { claim: isSeen ? informed(claim, seen, clock) : claim, seen: isSeen ? seen : rest };
}

/** The front has the domain name, and the platform's host points at it. */
function attachedTo(claim: Domain, { host: pointsAt, hostedZoneId }: AttachedDomain, clock: Clock): Domain {
  const attachedAt = claim.attachedAt ?? timeOf(clock.now());
  const gateway = { host: pointsAt, hostedZoneId };
  return changed(claim, { gateway, pointsAt, slotAt: null, attachedAt }, clock.now());
}

function goneLive(claim: Domain, visitors: Reached, clock: Clock): Decision {
  const isProxied = visitors.kind === 'reached' && visitors.isProxied;
  const marks = { readyAt: null, remindedAt: null, liveAt: timeOf(clock.now()) };
  const seen = { records: arrivedRecords(claim), isProxied };
  const says = liveSaying({ ...claim, isProxied }, undefined);
  return {
    next: changed(claim, { ...NO_WAIT, ...marks, ...seen, ...says }, clock.now()),
    act: { do: 'goLive' },
  };
}

/** What follows from a closed gate, for a claim that is being set up. */
function blocked(claim: Domain, block: Block, clock: Clock): Decision {
  if (block.look) return { next: claim, look: block.look };
  if (block.act) return { next: claim, act: block.act };
  const { retry, fails, late, seconds = waitSeconds(claim.rounds) } = block;
  // An unproven one ends by itself (scheduled-work.ts).
  const isOver = claim.provenAt !== null && Date.parse(verificationEndsAt(claim, clock)) <= clock.now();
  const end = fails ?? (isOver ? late : undefined);
  if (end) return decide(failed(claim, end, clock), NOTHING_SEEN, clock);
  const { next, ...wait } = waiting(claim, seconds, retry, clock);
  const isNews = late !== undefined && next.reason !== null && next.lateAt === undefined;
  const isLate = isNews && gates.hoursWaited(next, clock) > LATE_HOURS;
  return { next: isLate ? saidLate(next, clock) : next, ...wait };
}

/** What it's waiting for takes longer than usual. Tells the owner once, and how long checks continue. */
function saidLate(claim: Domain, clock: Clock): Domain {
  const until = `What is missing is looked for every hour until ${readableTime(verificationEndsAt(claim, clock))}.`;
  const message = `Still waiting after ${LATE_HOURS} hours. ${claim.message} ${until}`;
  const event = 'needs attention';
  return changed(claim, { lateAt: timeOf(clock.now()) }, clock.now(), { event, message });
}

function failed(claim: Domain, trouble: Trouble, clock: Clock): Domain {
  const failedAt = timeOf(clock.now());
  return changed(claim, { ...gaveUp(trouble), failedAt }, clock.now());
}

const NOTHING_SEEN: Seen = { tried: {} };

/** A claim waits, and will be tended again. */
function waiting(claim: Domain, seconds: number, retry: Retry, clock: Clock): Decision {
  const { reason, message = claim.message, quota, slotAt = null } = retry;
  const changes = {
    ...(reason !== undefined && { reason, quota }),
    message,
    slotAt,
    rounds: claim.rounds + 1,
    nextCheckAt: timeOf(clock.now() + clock.scaled(seconds) * 1000),
    isResting: (seconds >= REST_SECONDS && slotAt === null) || undefined,
    restarts: undefined,
  };
  return { next: changed(claim, changes, clock.now()), seconds };
}

/** A ready or live domain: first restores our part, then judges what visitors get. */
function upkeep(given: Domain, found: Seen, clock: Clock): Decision {
  const { claim, seen } = served(given, found, clock);
  const way: readonly Gate[] = isReady(claim) ? gates.WAYS.ready : gates.WAYS.live;
  const own = way.flatMap(gate => gate(claim, seen, clock) ?? []);
  const next = own.find(({ look }) => look) ?? own.find(({ act }) => act);
  if (next?.look) return { next: claim, look: next.look };
  if (next?.act) return { next: claim, act: next.act };
  if (!seen.reach) return { next: claim, look: 'reach' };
  if (!seen.caa) return { next: claim, look: 'caa' };
  const unmet = own.find(isUnmet) ?? restored(claim, seen);
  const judged = (isReady(claim) ? readiness : liveness)(claim, troubleOf(unmet), seen, clock);
  return isAttached(judged.next) && !judged.act ? awaiting(judged.next, unmet, clock) : judged;
}

/** How soon to look for a live domain's visitors again after restoring something. */
const RESTORED_SECONDS = 60;

/** The wait for the visitors of a live domain whose host this pass has put right. */
function restored(claim: Domain, seen: Seen): Unmet | undefined {
  const { attach, point } = seen.tried;
  const { visitors } = observed(seen);
  const isRestored = attach?.kind === 'done' || point?.kind === 'done';
  const isAway = visitors.kind !== 'reached' && !showsNothing(claim, visitors);
  if (!isRestored || !isAway || isReady(claim)) return undefined;
  return { retry: justRestored(claim), seconds: RESTORED_SECONDS };
}

/** How soon to try again to put right our part of an attached domain. */
const AGAIN_SECONDS = 30 * 60;

function awaiting(claim: Domain, unmet: Unmet | undefined, clock: Clock): Decision {
  const seconds = unmet && (unmet.seconds ?? AGAIN_SECONDS);
  const slotAt = unmet?.retry.slotAt ?? null;
  const waits = {
    slotAt,
    // Rounds make sure that a front that is always busy is asked less and less often.
    rounds: slotAt === null ? 0 : claim.rounds + 1,
    nextCheckAt: seconds === undefined ? null : timeOf(clock.now() + clock.scaled(seconds) * 1000),
  };
  return { next: changed(claim, waits, clock.now()), ...(seconds !== undefined && { seconds }) };
}

function isUnmet(block: Block | undefined): block is Unmet {
  return block !== undefined && !block.look && !block.act;
}

function troubleOf(block: Unmet | undefined): Trouble | undefined {
  const { reason, message = '', quota } = block?.fails ?? block?.retry ?? {};
  return reason ? { reason, message, quota } : undefined;
}

/** Requests that meet our certificate show that visitors arrive, whatever DNS says: DNS only explains why they don't. */
function liveness(claim: Domain, own: Trouble | undefined, seen: Seen, clock: Clock): Decision {
  const { visitors } = observed(seen);
  const { reason, message } = claim;
  const hadVisitors = hasVisitors(claim) || (reason !== null && !isOfVisitors(reason));
  const isBlind = isBlinded(observed(seen));
  const isUnknown = isBlind || showsNothing(claim, visitors);
  const arrived = isUnknown ? !isBlind && hadVisitors && claim : visitors.kind === 'reached' && visitors;
  // If there's no record at all, the request followed a cached one.
  const isOutranked = (record: Domain['records'][number]) => isWrong(record) && record.state !== 'missing';
  const open = visitors.kind === 'unconfirmed' ? reachTrouble(claim, visitors)?.message : undefined;
  const judged = { ...withCaa(claim, seen), unconfirmed: open };
  const current = arrived
    ? { ...judged, records: arrivedRecords(judged, isOutranked), isProxied: arrived.isProxied }
    : judged;
  const isKept = isUnknown && !hadVisitors && reason !== null;
  const unserved = isKept ? { reason, message } : liveTroubles(current, isUnknown ? undefined : visitors)[0];
  const trouble = own ?? unserved ?? seen.project?.suspension;
  return { next: changed(current, liveSaying(current, trouble), clock.now()) };
}

/** The claim with the CAA records that were seen. A failed look-up says nothing about those seen earlier. */
function withCaa(claim: Domain, { caa }: Seen): Domain {
  return caa?.kind === 'unknown' ? claim : { ...claim, caa: caa?.block };
}

/**
 * Whether neither visitors' addresses nor our own edge can be reached: then our own way out is blocked, which says nothing.
 */
function isBlinded({ edge, visitors }: Observed): boolean {
  return edge.kind === 'unreachable' && visitors.kind === 'unreachable';
}

/**
 * Whether requests say nothing new about visitors: an address can't be checked from here, or our edge has no proof to give for
 * the domain's proxy.
 */
function showsNothing({ isProxied }: Domain, visitors: Reached): boolean {
  return visitors.kind === 'unconfirmed' || (isProxied === true && visitors.kind === 'unknown');
}

/** The owner switches when they like, within a month. */
function readiness(given: Domain, own: Trouble | undefined, seen: Seen, clock: Clock): Decision {
  const { edge, visitors } = observed(seen);
  const claim = withCaa(given, seen);
  const arrives = gates.hasArrived(claim, observed(seen));
  if (arrives && !own) return goneLive(claim, visitors, clock);
  const readyAtMs = Date.parse(claim.readyAt ?? '');
  const days = daysReady(claim, clock);
  const trouble =
    own ??
    edgeTrouble(claim, edge) ??
    strayTraffic(claim, visitors) ??
    // What it needs to stay ready: its certificate renews only with these.
    keepingTroubles(claim)[0];
  const isReminder = days >= READY_DAYS - REMINDER_DAYS && !claim.remindedAt;
  const remindedAt = isReminder ? timeOf(clock.now()) : claim.remindedAt;
  const well = { reason: null, message: readyMessage(claim, readyAtMs, remindedAt, clock), quota: undefined };
  const says = trouble ? { reason: trouble.reason, message: trouble.message, quota: trouble.quota } : well;
  // The reminder is another event of a kind the owner already got, unless there's a new one anyway.
  const event = isReminder && (trouble === undefined) === (claim.reason === null) ? 'ready' : undefined;
  const checked = changed(claim, { ...says, remindedAt }, clock.now(), { event });
  const next = withProxyAdvice(checked, visitors);
  const isOver = days >= READY_DAYS && !arrives;
  return isOver ? decide(failed(next, notSwitched(next), clock), NOTHING_SEEN, clock) : { next };
}

/** What leads some visitors elsewhere while others arrive: the owner switched only one of several addresses. */
function strayTraffic(claim: Domain, visitors: Reached): Trouble | undefined {
  if (visitors.kind === 'reached' || !visitors.isPartial) return undefined;
  if (visitors.kind === 'unconfirmed') return reachTrouble(claim, visitors);
  const traffic = claim.records.find(record => record.purpose === 'traffic' && isWrong(record));
  return traffic ? ofSome(claim, visitors, recordTrouble(traffic)) : reachTrouble(claim, visitors);
}

/** Deletes what was created for a claim, one thing after another, then the claim. */
function removal(claim: Domain, seen: Seen, clock: Clock): Decision {
  const { tried, front } = seen;
  if (!isInFlow(claim)) return { next: claim };
  if (!tried.unroute) return { next: claim, act: { do: 'unroute' } };
  if (front === undefined) return { next: claim, look: 'front' };
  if (front?.isOurs) return detaching(claim, seen, clock);
  if (!tried.clear) return { next: claim, act: { do: 'clear' } };
  if (tried.clear.kind !== 'inUse') return { next: claim, act: { do: 'forget' } };
  if (gates.hoursWaited(claim, clock) >= REMOVAL_DEADLINE_HOURS) {
    const message =
      'No longer served, but its certificate is still in use. Remove the domain again to continue.';
    return { next: changed(claim, gaveUp({ reason: 'certificate_in_use', message }), clock.now()) };
  }
  const message =
    'No longer served. Its certificate is still in use and will be deleted as soon as possible.';
  return waiting(claim, inUseWaitSeconds(claim.rounds), { message }, clock);
}

/** The domain name's tags tell whether it's ours: the name may belong to another project by now. */
function detaching(claim: Domain, { tried }: Seen, clock: Clock): Decision {
  const apartMs = Date.parse(claim.unmappedUntil ?? '') - clock.now();
  if (apartMs > 0) return waiting(claim, Math.ceil(clock.unscaled(apartMs) / 1000), {}, clock);
  if (!tried.detach) return { next: claim, act: { do: 'detach' } };
  if (gates.isBusy(tried.detach) && gates.hoursWaited(claim, clock) >= REMOVAL_DEADLINE_HOURS) {
    const message =
      'No longer served, but API Gateway is too busy to delete it. Remove the domain again to continue.';
    return { next: changed(claim, gaveUp({ reason: 'gateway_busy', message }), clock.now()) };
  }
  const { retry, seconds = 0 } = gates.waitingForSlot(claim, tried.detach, clock, claim.message);
  return waiting(claim, seconds, retry, clock);
}

/** By when the owner may switch the traffic, and to where. */
function readyMessage(claim: Domain, readyAtMs: number, remindedAt: string | null, clock: Clock): string {
  const by = readableTime(switchEndsAt(readyAtMs, clock));
  const start = `Ready. Point ${claim.domain} at ${trafficHost(claim) ?? claim.target}`;
  return remindedAt === null
    ? `${start} whenever you like before ${by}.`
    : `${start} by ${by}; later, re-verify first.`;
}

function observed({ reach }: Seen) {
  if (!reach) throw new Error('A domain is judged before anybody has asked for it.');
  return reach;
}
