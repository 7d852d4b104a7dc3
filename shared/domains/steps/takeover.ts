import { log } from '../../log.ts';
import { followingRouting, type ProjectStore } from '../../projects/project-store.ts';
import { withoutDomain } from '../../projects/routing.ts';
import { type Clock, timeOf } from '../clock.ts';
import { checkRecord } from '../dns/check-record.ts';
import { isFlattened, isProven, requiredRecords } from '../dns/required-record.ts';
import { anyOf, type FindVantagePoints } from '../dns/vantage-points.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isBeingRemoved, isServed } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import {
  contested,
  NOT_PROVEN,
  rechecked,
  recordManaged,
  removalStarted,
  takeoverAnnounced,
  takeoverEnded,
} from '../life/transitions.ts';
import { TAKEOVER_HOURS } from '../life/waits.ts';
import { isValidationOf } from './managed-records.ts';
import * as troubles from './troubles.ts';

interface TakeoverParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly vantagePoints: FindVantagePoints;
  readonly clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;

/** What a check of a name that another project owns has led to. */
export type Contention =
  /** DNS supports the owner: the claim is refused. */
  | { readonly kind: 'refused' }
  /** The owner has DNS against it, not for long enough yet; `domain` is to be checked again. */
  | { readonly kind: 'pending'; readonly domain: Domain; readonly message: string | null }
  /** The name goes over with this commit. */
  | { readonly kind: 'won'; readonly commit: (next: Domain) => Promise<void> };

/**
 * Ownership follows DNS. A claim takes a name over from the project that owns it when, over TAKEOVER_HOURS, every check has
 * found the TXT record of the claim in DNS, and no record of the owner at the name servers of the zone. So nobody gets a
 * name without control of its zone, and nobody loses one by a brief mistake in it.
 */
export function takeover({ domains, projects, vantagePoints, clock }: TakeoverParts) {
  /** Tells the owner, once, that the name is about to be lost. */
  const announce = async (owner: Domain, until: string, holder: Holder) => {
    if (owner.takeover?.until === until) return;
    const notice = troubles.takeoverAnnounced(owner, until);
    const { reason, message } = owner.takeover ?? owner;
    const current = isServed(owner) ? rechecked(owner, notice, clock.now()) : owner;
    const takeover = { until, reason, message };
    const announced = takeoverAnnounced(current, notice, takeover, clock.now());
    await holder.commit(domains.change(nextRevision(announced)));
  };

  /** Takes the notice back. */
  const withdraw = async (owner: Domain, holder: Holder) => {
    if (!owner.takeover) return;
    await saveUnlessStale(holder.commit(domains.change(nextRevision(withoutTakeover(owner, clock.now())))));
  };

  /** Ends the owner's claim and gives the name to this one, in one transaction. */
  const commitTakeover = (owner: Domain, next: Domain, holder: Holder): Promise<Domain> =>
    followingRouting(async () => {
      const project = await projects.find(owner.project);
      const message =
        'No longer served: another project has proven that it owns the domain, and your records are gone.';
      const removal = isBeingRemoved(owner)
        ? []
        : domains.change(nextRevision(removalStarted(owner, clock.now(), { message, isTakenOver: true })));
      const routing = project ? [projects.routingChange(project, withoutDomain(project, owner.domain))] : [];
      // The record of the certificate is the same for both claims, and the new owner's from now on.
      const inherited = owner.managed.filter(record => isValidationOf(owner, record));
      const proven = inherited.reduce(recordManaged, next);
      await holder.commit([...domains.proof(proven, owner.project), ...removal, ...routing]);
      const { domain, project: to } = next;
      log.warn('A domain was taken over.', { domain, project: to, from: owner.project });
      return proven;
    });

  return {
    /** Tells the owner when the name goes over, or that it doesn't. */
    tell: (owner: Domain, until: string | undefined, holder: Holder) =>
      until === undefined ? withdraw(owner, holder) : announce(owner, until, holder),

    /** Gives the name to a claim; returns that as it is then. */
    takeOver: commitTakeover,

    /** The claim that owns the name, if it is another project's. */
    async rivalOf({ domain, project }: Pick<Domain, 'domain' | 'project'>): Promise<Domain | undefined> {
      const owner = await domains.ownerOf(domain);
      return owner === undefined || owner === project ? undefined : domains.find(domain, owner);
    },

    /** What becomes of a claim, as DNS shows it now, to a name that `rival` owns. */
    async contend(claim: Domain, rival: Domain, holder: Holder): Promise<Contention> {
      const support = isBeingRemoved(rival) ? 'gone' : await supportOf(rival, vantagePoints);
      const isContested = support === 'gone' && isProven(claim);
      if (!isContested && !isBeingRemoved(rival)) await withdraw(rival, holder);
      if (support === 'there') return { kind: 'refused' };
      if (!isContested) {
        return { kind: 'pending', domain: contested(claim, NOT_PROVEN), message: null };
      }
      const since = claim.contest?.since ?? timeOf(clock.now());
      const until = Date.parse(since) + clock.scaled(TAKEOVER_HOURS * HOUR_MS);
      // The owner has given the name up: nobody is to be protected from a mistake.
      if (isBeingRemoved(rival) || until <= clock.now()) {
        return {
          kind: 'won',
          commit: async next => {
            await commitTakeover(rival, next, holder);
          },
        };
      }
      await announce(rival, timeOf(until), holder);
      const { message } = troubles.takeoverPending(claim, timeOf(until));
      return { kind: 'pending', domain: contested(claim, { since }), message };
    },
  };
}

/** A contest is checked more often than this, so one that is this late was given up. */
const LATE_MS = HOUR_MS;

/** Whether the takeover that the owner was told of did not happen. */
export function isTakeoverOver(owner: Domain, clock: Clock): boolean {
  if (!owner.takeover || isBeingRemoved(owner)) return false;
  return Date.parse(owner.takeover.until) + clock.scaled(LATE_MS) < clock.now();
}

/** The owner of a name that nobody is about to take over any more. */
export function withoutTakeover(owner: Domain, nowMs: number): Domain {
  const ended = takeoverEnded(owner, nowMs);
  if (!isServed(owner)) return ended;
  const { reason, message } = ended;
  return rechecked(ended, reason === null ? undefined : { reason, message }, nowMs);
}

/**
 * Whether a name server of the zone has a record of this claim: its TXT record, or the CNAME record to its host. One is
 * enough, since a server may have an old zone. The
 * record of its certificate is the same for every claim of the name, and the addresses of an ALIAS may be shared by all.
 */
export async function supportOf(
  claim: Domain,
  vantagePoints: FindVantagePoints,
): Promise<'there' | 'gone' | 'unknown'> {
  const points = await vantagePoints(claim.domain);
  const { zone = claim.zone, authoritative, resolvers } = points;
  if (authoritative === undefined) return 'unknown';
  const proofs = requiredRecords(claim).filter(
    ({ purpose, type }) => purpose === 'ownership' || (purpose === 'traffic' && type === 'CNAME'),
  );
  const { servers = [authoritative] } = points;
  const seen = await Promise.all(
    servers.map(lookup =>
      Promise.all(proofs.map(record => checkRecord(record, { zone, lookup, resolve: anyOf(resolvers) }))),
    ),
  );
  if (seen.flat().some(record => record.state === 'ok' && !isFlattened(record))) return 'there';
  const isUnknown = (records: (typeof seen)[number]) => records.some(({ state }) => state === 'unreachable');
  return seen.every(isUnknown) ? 'unknown' : 'gone';
}
