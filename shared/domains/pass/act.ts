import { type Certificates, CertificatesFull, isLost } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Clock } from '../clock.ts';
import { ApiUnknown, AttachedByOthers, type Front, FrontRefused, type Later } from '../front.ts';
import { changed, viewed, withoutCertificate } from '../life/change.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { isBeingRemoved, isInFlow, isServed } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore, saveAnyway } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { SAME_RECORDS_DAYS } from '../life/waits.ts';
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

/** The claim after an act; undefined if it's gone. */
interface Acted {
  readonly claim: Domain | undefined;
  readonly outcome: Outcome;
  /** What to look at again. */
  readonly stale?: readonly Look[];
  /** Whether the claim needs more than before: its owner's records in our zone, or another mapping. */
  readonly needsMore?: boolean;
}

type Work<Do extends Act['do']> = (
  claim: Domain,
  holder: Holder,
  act: Extract<Act, { readonly do: Do }>,
  seen: Seen,
) => Promise<Acted>;

const DONE: Outcome = { kind: 'done' };
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Changes the world: each act means "make sure that", so repeating it does no harm. Only a worker may attach and detach domains:
 * others leave that to it.
 */
export function actor(parts: ActParts, { isWorker }: { readonly isWorker: boolean }) {
  const { domains, certificates, front, zone, managedRecords, takeover, clock } = parts;

  const work: { readonly [Do in Act['do']]: Work<Do> } = {
    async prove(claim, holder) {
      const next = nextRevision(claim);
      await holder.commit(domains.proof(next));
      return { claim: next, outcome: DONE, needsMore: true };
    },

    async takeOver(claim, holder, { from }) {
      const next = await takeover.commitTakeover(nextRevision(claim), from, holder);
      return { claim: next, outcome: DONE, stale: ['rival', 'sight'], needsMore: true };
    },

    async request(claim, holder) {
      holder.requireTime();
      const arn = await certificates.ensure(claim).catch(asRefusal);
      if (typeof arn !== 'string') return { claim, outcome: { kind: 'refused', trouble: arn } };
      const next = await saveAnyway(domains, holder, claim, present =>
        changed(present, { certificate: requested(present, arn) }, clock.now()),
      );
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
        changed(
          present,
          { certificate: isGone ? withoutCertificate(present) : { ...viewed(present, view), arn } },
          clock.now(),
        ),
      );
      return { claim: same(claim, next), outcome: DONE, stale: ['sight'] };
    },

    async records(claim, holder, { records }) {
      holder.requireTime();
      return { claim: await managedRecords.make(claim, records, holder), outcome: DONE };
    },

    async attach(claim, holder) {
      if (!isWorker) return { claim, outcome: slotAwaited(claim, clock.now()) ?? { kind: 'left' } };
      try {
        holder.requireTime();
        const later = await front.attach(claim, claim.certificate.arn ?? '', claim.slotAt);
        return later ? { claim, outcome: later } : { claim, outcome: DONE, stale: ['front', 'route'] };
      } catch (error) {
        if (error instanceof AttachedByOthers) return { claim, outcome: { kind: 'others' } };
        if (!(error instanceof FrontRefused)) throw error;
        return { claim, outcome: { kind: 'refused', trouble: attachmentRefused(claim.domain, error) } };
      }
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
      // Pending redirects to this domain take effect now.
      await parts.remap(next.project);
      // A live domain needs other records than one that is being verified.
      return { claim: next, outcome: DONE, stale: ['project', 'sight'], needsMore: true };
    },

    async unroute(claim, holder) {
      if (isBeingRemoved(claim)) {
        await front.unroute(claim);
        return { claim, outcome: DONE };
      }
      return { claim: same(claim, await parts.map(claim, holder)), outcome: DONE };
    },

    async detach(before, holder) {
      const claim = before.isUnmapped ? before : nextRevision({ ...before, isUnmapped: true });
      if (claim !== before) await holder.commit(domains.change(claim));
      holder.requireTime();
      const later = await front.detach(claim, claim.slotAt);
      return later ? { claim, outcome: later } : { claim, outcome: DONE, stale: ['front'] };
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

/** The slot a worker is already waiting for, if any. */
function slotAwaited({ slotAt, nextCheckAt }: Domain, nowMs: number): Later | undefined {
  const atMs = Date.parse(nextCheckAt ?? '');
  return slotAt !== null && atMs > nowMs ? { kind: 'later', atMs, ticket: slotAt, isBusy: false } : undefined;
}

/** Another certificate was requested in place of one that ACM didn't issue. */
function requested({ certificate }: Domain, arn: string): Domain['certificate'] {
  const requests = certificate.requests + 1;
  return { ...certificate, arn, status: null, failure: null, requests };
}

function asRefusal(error: unknown): Trouble {
  if (error instanceof CertificatesFull) return certificateRefused();
  throw error;
}

/** The claim as stored meanwhile, unless a command changed what it should become. */
function same(claim: Domain, present: Domain | undefined): Domain {
  const isSame = present && (present.status === claim.status || (isServed(present) && isServed(claim)));
  if (isSame && present.attempt === claim.attempt && present.project === claim.project) return present;
  throw new DomainChanged(`${claim.domain} was changed in the meantime.`);
}
