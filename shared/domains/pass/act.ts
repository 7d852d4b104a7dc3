import { type Certificates, CertificatesFull, isLost } from '../aws/certificates.ts';
import { SLOT_MS } from '../aws/gateway-slots.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Clock } from '../clock.ts';
import { ApiUnknown, AttachedByOthers, type Front, FrontBusy, FrontRefused } from '../front.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { isBeingRemoved, isInFlow, isServed } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore, saveAnyway } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import {
  certificateDiscarded,
  certificatePrepared,
  certificateReplaced,
  unmapped,
} from '../life/transitions.ts';
import { SAME_RECORDS_DAYS, waitSeconds } from '../life/waits.ts';
import type { Act, Look, Outcome, Seen } from './gates.ts';
import type { LiveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import type { takeover } from './takeover.ts';
import { apiGone, attachmentRefused, certificateRefused } from './troubles.ts';

export interface ActParts extends Pick<LiveRouting, 'map' | 'remap' | 'commitLive'> {
  readonly domains: DomainStore;
  readonly certificates: Pick<Certificates, 'ensure' | 'remove' | 'removeAll' | 'view'>;
  readonly front: Front;
  readonly zone: Pick<PlatformZone, 'pointAt' | 'remove'>;
  readonly managedRecords: Pick<ManagedRecords, 'make' | 'removeAll'>;
  readonly takeover: Pick<ReturnType<typeof takeover>, 'commitTakeover' | 'commitContest'>;
  readonly clock: Clock;
}

/** The claim as it is after an act; undefined when it's gone. */
interface Acted {
  readonly claim: Domain | undefined;
  readonly outcome: Outcome;
  /** What has to be looked at again. */
  readonly stale?: readonly Look[];
}

type Work<Do extends Act['do']> = (
  claim: Domain,
  holder: Holder,
  act: Extract<Act, { readonly do: Do }>,
  seen: Seen,
) => Promise<Acted>;

const DONE: Outcome = { kind: 'done' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** A queue can take hours. A waiting domain looks this often whether others have met a problem, such as a full account. */
const QUEUE_LOOK_MS = 10 * 60 * 1000;

/**
 * Changes the world: each act is of the kind "make sure that", so that doing it again does no harm. Only a worker may attach
 * domains and detach them: others leave that to it.
 */
export function actor(parts: ActParts, { isWorker }: { readonly isWorker: boolean }) {
  const { domains, certificates, front, zone, managedRecords, takeover, clock } = parts;

  /** The wait for a slot at the front; undefined when the claim has one now. Removals make room, so they go first. */
  const slot = async (claim: Domain): Promise<Outcome | undefined> => {
    const isAhead = isBeingRemoved(claim);
    if (claim.slotAt !== null && isAhead) return undefined;
    const ticketMs = claim.slotAt === null ? undefined : Date.parse(claim.slotAt);
    const { atMs, queuedAtMs: ticket } =
      ticketMs === undefined
        ? await front.bookSlot({ isAhead })
        : { atMs: await front.timeOfSlot(ticketMs), queuedAtMs: ticketMs };
    if (atMs <= clock.now()) return undefined;
    const lookMs = isAhead ? atMs : Math.min(atMs, clock.now() + clock.scaled(QUEUE_LOOK_MS));
    return { kind: 'later', atMs: lookMs, ticket, isQueued: lookMs < atMs };
  };

  const work: { readonly [Do in Act['do']]: Work<Do> } = {
    async prove(claim, holder) {
      const next = nextRevision(claim);
      await holder.commit(domains.proof(next));
      return { claim: next, outcome: DONE };
    },

    async takeOver(claim, holder, { from }) {
      const next = await takeover.commitTakeover(nextRevision(claim), from, holder);
      return { claim: next, outcome: DONE, stale: ['rival', 'sight'] };
    },

    async request(claim, holder) {
      holder.requireTime();
      const arn = await certificates.ensure(claim).catch(asRefusal);
      if (typeof arn !== 'string') return { claim, outcome: { kind: 'refused', trouble: arn } };
      const next = await saveAnyway(domains, holder, claim, present => certificateReplaced(present, arn));
      if (next.attempt !== claim.attempt || !isInFlow(next))
        throw new DomainChanged(`${claim.domain} is no longer verified.`);
      return { claim: next, outcome: DONE };
    },

    async discard(claim, holder) {
      holder.requireTime();
      const { arn } = claim.certificate;
      if (arn === null) return { claim, outcome: DONE };
      const view = await certificates.view(arn);
      const isGone = isLost(view) && (await certificates.remove(arn));
      const next = await saveAnyway(domains, holder, claim, present =>
        isGone ? certificateDiscarded(present) : certificatePrepared(present, arn, view),
      );
      return { claim: same(claim, next), outcome: DONE, stale: ['sight'] };
    },

    async records(claim, holder, { records }) {
      holder.requireTime();
      return { claim: await managedRecords.make(claim, records, holder), outcome: DONE };
    },

    async attach(claim, holder, _, { front: present }) {
      if (!isWorker) return { claim, outcome: { kind: 'left' } };
      try {
        if (!present) await front.requireRoom(claim.domain);
        const waiting = await slot(claim);
        if (waiting) return { claim, outcome: waiting };
        holder.requireTime();
        await front.attach(claim, claim.certificate.arn ?? '');
        return { claim, outcome: DONE, stale: ['front', 'route'] };
      } catch (error) {
        if (error instanceof FrontBusy) return { claim, outcome: { kind: 'busy' } };
        if (error instanceof AttachedByOthers) return { claim, outcome: { kind: 'others' } };
        if (!(error instanceof FrontRefused)) throw error;
        return { claim, outcome: { kind: 'refused', trouble: attachmentRefused(claim.domain, error) } };
      }
    },

    /** Somebody else in the account has used the slot that was booked. */
    async queue(claim) {
      const { atMs, queuedAtMs: ticket } = await front.bookSlot({ isAhead: isBeingRemoved(claim) });
      // The backoff grows: an account that is busy all the time must not be asked all the time.
      const backoffMs = clock.scaled(Math.max(SLOT_MS, waitSeconds(claim.rounds) * 1000));
      const laterMs = Math.max(atMs, clock.now() + backoffMs);
      return { claim, outcome: { kind: 'later', atMs: laterMs, ticket, isQueued: false } };
    },

    async route(claim, holder) {
      try {
        const mapped = await parts.map(claim, holder, { isFirst: isInFlow(claim), isLost: true });
        return { claim: same(claim, mapped), outcome: DONE, stale: ['project', 'route'] };
      } catch (error) {
        if (!(error instanceof ApiUnknown)) throw error;
        const outcome: Outcome = { kind: 'refused', trouble: apiGone(claim.project) };
        return { claim: same(claim, await domains.present(claim)), outcome };
      }
    },

    async point(claim, holder, _, { front: served }) {
      holder.requireTime();
      await zone.pointAt(claim.target, served?.host ?? claim.pointsAt);
      return { claim, outcome: DONE, stale: ['host'] };
    },

    async goLive(claim, holder) {
      const next = nextRevision(claim);
      await parts.commitLive(next, holder);
      // What redirects here does so from now on.
      await parts.remap(next.project);
      // A live domain needs other records than one that is being verified.
      return { claim: next, outcome: DONE, stale: ['project', 'sight'] };
    },

    async unroute(claim, holder) {
      if (isBeingRemoved(claim)) {
        await front.unroute(claim);
        return { claim, outcome: DONE };
      }
      return { claim: same(claim, await parts.map(claim, holder)), outcome: DONE };
    },

    async detach(before, holder) {
      const claim = before.isUnmapped ? before : nextRevision(unmapped(before));
      if (claim !== before) await holder.commit(domains.change(claim));
      const waiting = await slot(claim);
      if (waiting) return { claim, outcome: waiting };
      try {
        holder.requireTime();
        await front.detach(claim);
        return { claim, outcome: DONE, stale: ['front'] };
      } catch (error) {
        if (!(error instanceof FrontBusy)) throw error;
        return { claim, outcome: { kind: 'busy' } };
      }
    },

    async clear(claim, holder) {
      holder.requireTime();
      await zone.remove(claim.target);
      await managedRecords.removeAll(claim);
      return { claim, outcome: (await certificates.removeAll(claim)) ? DONE : { kind: 'inUse' } };
    },

    async forget(claim, holder) {
      const keptUntilMs = clock.now() + clock.scaled(SAME_RECORDS_DAYS * DAY_MS);
      await holder.commit(await domains.end(claim, clock.now(), keptUntilMs));
      return { claim: undefined, outcome: DONE };
    },
  };

  return (claim: Domain, holder: Holder, act: Act, seen: Seen): Promise<Acted> =>
    (work[act.do] as Work<Act['do']>)(claim, holder, act, seen);
}

function asRefusal(error: unknown): Trouble {
  if (error instanceof CertificatesFull) return certificateRefused();
  throw error;
}

/** The claim as it was stored meanwhile, unless a command has changed what it is to become. */
function same(claim: Domain, present: Domain | undefined): Domain {
  const isSame = present && (present.status === claim.status || (isServed(present) && isServed(claim)));
  if (isSame && present.attempt === claim.attempt && present.project === claim.project) return present;
  throw new DomainChanged(`${claim.domain} was changed in the meantime.`);
}
