import { log } from '../../log.ts';
import { followingRouting, type ProjectStore } from '../../projects/project-store.ts';
import { withoutDomain } from '../../projects/routing.ts';
import { type Clock, timeOf } from '../clock.ts';
import { checkRecord } from '../dns/check-record.ts';
import { isFlattened, requiredRecords } from '../dns/required-record.ts';
import { anyOf, type FindVantagePoints } from '../dns/vantage-points.ts';
import { changed, eventTypeOf } from '../life/change.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isBeingRemoved, STATUSES } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { TAKEOVER_HOURS } from '../life/waits.ts';
import { NOT_PROVEN, removalStarted } from '../life/wishes.ts';
import { isValidationOf } from './managed-records.ts';
import * as troubles from './troubles.ts';

interface TakeoverParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Ownership follows DNS. A claim takes a name over from the project that owns it when, over TAKEOVER_HOURS, every check has
 * found the TXT record of the claim in DNS, and no record of the owner at the name servers of the zone. So nobody gets a
 * name without control of its zone, and nobody loses one by a brief mistake in it. Several claims may contest a name at once:
 * the owner's notice follows from all of them, and is written together with each change of one.
 */
export function takeover({ domains, projects, clock }: TakeoverParts) {
  return {
    /** The claim that owns the name, if it's another project's. */
    async rivalOf({ domain, project }: Pick<Domain, 'domain' | 'project'>): Promise<Domain | undefined> {
      const owner = await domains.ownerOf(domain);
      return owner === undefined || owner === project ? undefined : domains.find(domain, owner);
    },

    /** In one transaction, ends the owner's claim and gives the name to this one; returns the updated claim. */
    commitTakeover: (next: Domain, owner: Domain, holder: Holder): Promise<Domain> =>
      followingRouting(async () => {
        const project = await projects.find(owner.project);
        const message =
          'No longer served: another project has proven that it owns the domain, and your records are gone.';
        const removal = isBeingRemoved(owner)
          ? []
          : domains.change(nextRevision(removalStarted(owner, clock.now(), { message, isTakenOver: true })));
        const routing = project
          ? [projects.routingChange(project, withoutDomain(project, owner.domain))]
          : [];
        // Both claims have the same certificate record, which belongs to the new owner from now on.
        const inherited = owner.managed.filter(record => isValidationOf(owner, record));
        const proven = { ...next, managed: [...next.managed, ...inherited] };
        await holder.commit([...domains.proof(proven, owner.project), ...removal, ...routing]);
        const { domain, project: to } = next;
        log.warn('A domain was taken over.', { domain, project: to, from: owner.project });
        return proven;
      }),

    /** Commits a claim to a name that `rival` owns, together with the notice to the rival. */
    async commitContest(next: Domain, { target }: Domain, holder: Holder): Promise<void> {
      const others = (await domains.claimsOf(next.domain)).filter(({ project }) => project !== next.project);
      const owner = others.find(other => other.target === target);
      const noticed = owner && withNotice(owner, [next, ...others], clock);
      const isTold = noticed !== undefined && noticed !== owner;
      await holder.commit([
        ...domains.change(next),
        ...(isTold ? domains.change(nextRevision(noticed)) : []),
      ]);
    },
  };
}

/** Updates the owner's notice about those who contest the name: one of them may be gone. */
export async function updateNotice(
  { domains, clock }: Pick<TakeoverParts, 'domains' | 'clock'>,
  { domain, target }: Domain,
): Promise<void> {
  await domains.holding(domain, async holder => {
    const claims = await domains.claimsOf(domain);
    const owner = claims.find(claim => claim.target === target);
    const noticed = owner && withNotice(owner, claims, clock);
    if (noticed && noticed !== owner)
      await saveUnlessStale(holder.commit(domains.change(nextRevision(noticed))));
  });
}

/** Whether the owner's notice no longer matches those, among these claims, who contest the name. */
export function isNoticeOutdated(owner: Domain, claims: readonly Domain[], clock: Clock): boolean {
  return owner.takeover !== undefined && withNotice(owner, claims, clock) !== owner;
}

/**
 * The owner's claim with the earliest time at which another of these claims may take the name over. The owner is told when that
 * time appears, moves earlier or goes away.
 */
function withNotice(owner: Domain, claims: readonly Domain[], clock: Clock): Domain {
  const until = lossOf(owner, claims, clock);
  const before = owner.takeover;
  if (until === before || isBeingRemoved(owner)) return owner;
  if (until === undefined) return withoutNotice(owner, clock.now());
  // Whoever would have been first gave up, but others haven't: the owner has more time than they were told.
  if (before !== undefined && until > before) return changed(owner, { takeover: until }, clock.now());
  const { message } = troubles.takeoverAnnounced(owner, until);
  const told = { event: 'needs attention', message } as const;
  return changed(owner, { takeover: until }, clock.now(), told);
}

/** Removes the notice; other troubles stay. */
function withoutNotice(owner: Domain, nowMs: number): Domain {
  const message = `${troubles.takeoverOver(owner)} ${owner.message}`;
  const event = eventTypeOf(changed(owner, { takeover: undefined }, nowMs)) ?? 'needs attention';
  return changed(owner, { takeover: undefined }, nowMs, { event, message });
}

/** The earliest time the owner may lose the name, over all who contest it; undefined while nobody does. */
function lossOf(owner: Domain, claims: readonly Domain[], clock: Clock): string | undefined {
  const rivals = claims.filter(({ domain, target }) => domain === owner.domain && target !== owner.target);
  const since = rivals.flatMap(rival => contestedSinceMs(rival, owner) ?? []);
  return since.length === 0 ? undefined : timeOf(untilOf(Math.min(...since), clock));
}

export function untilOf(sinceMs: number, clock: Clock): number {
  return sinceMs + clock.scaled(TAKEOVER_HOURS * HOUR_MS);
}

/**
 * Since when a claim has been contesting the name's current owner; undefined if it isn't. A claim that isn't being checked is
 * checked again soon, or fails (life/due.ts).
 */
export function contestedSinceMs({ status, contest }: Domain, { provenAt }: Domain): number | undefined {
  const { since } = contest ?? NOT_PROVEN;
  if (since === null || STATUSES[status].flow !== 'verification') return undefined;
  // An owner who won the name in between gets six hours, too.
  return since >= (provenAt ?? since) ? Date.parse(since) : undefined;
}

/**
 * Whether a name server of the zone has a record of this claim: its TXT record, or the CNAME record to its host. One server is
 * enough, since another may have an old zone. The certificate's record doesn't count, since all claims of the name share it, nor
 * do an ALIAS's addresses, which all may share.
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
