import { isDeepStrictEqual } from 'node:util';
import { log } from '../../log.ts';
import { timeOf } from '../clock.ts';
import { changed } from '../life/change.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isAttached, isInFlow, isServed } from '../life/domain-status.ts';
import { DomainChanged, DomainTaken } from '../life/domain-store.ts';
import { LOST_AFTER_MS } from '../life/due.ts';
import type { Holder } from '../life/lease.ts';
import { leftToWorker } from '../life/wishes.ts';
import { type ActParts, actor } from './act.ts';
import { decide } from './decide.ts';
import type { Act, Look, Seen } from './gates.ts';
import type { LiveRouting } from './live-routing.ts';
import { type ObserveParts, observer } from './observe.ts';

interface TendParts extends ObserveParts, ActParts, Pick<LiveRouting, 'saveChecked'> {
  readonly certificates: ActParts['certificates'] & ObserveParts['certificates'];
  readonly front: ActParts['front'];
  readonly zone: ActParts['zone'] & ObserveParts['zone'];
  readonly managedRecords: ActParts['managedRecords'] & ObserveParts['managedRecords'];
  readonly takeover: ActParts['takeover'] & ObserveParts['takeover'];
}

/** The result of a pass. */
export interface Tended {
  /** The claim afterwards; undefined if it's gone. */
  readonly claim: Domain | undefined;
  /** How long until the next look; absent if there's nothing to wait for. */
  readonly seconds?: number | undefined;
}

/** Acts that read the claim from the table, so the decision has to be stored first. */
const READING: readonly Act['do'][] = ['route', 'unroute'];

/** No claim needs this many looks and acts: there are a dozen of each. */
const MAX_TURNS = 60;

/** Out of a function's 55 s. A pass takes a few, or more if name servers are silent; after this time it acts no more. */
const PASS_MS = 30_000;

/** How often a pass starts over because somebody changed the claim. */
const MAX_STARTS = 5;

/**
 * One pass over a claim, by whoever holds the name's lease: observe, decide and act until there's nothing left to ask for, then
 * commit. It doesn't matter what wakes it. If somebody changes the claim meanwhile, it starts over with the new claim.
 */
export function tender(
  parts: TendParts,
  wakeWorker?: (claim: Domain) => Promise<void>,
  observe = observer(parts),
) {
  const { domains, clock } = parts;
  const act = actor(parts, { isWorker: wakeWorker === undefined });

  const pass = async (loaded: Domain, holder: Holder): Promise<Tended> => {
    const untilMs = clock.now() + PASS_MS;
    let [stored, claim] = [loaded, loaded];
    let seen: Seen = { tried: {} };
    const commit = async () => {
      if (isDeepStrictEqual(present(claim), present(stored))) return;
      const next = nextRevision(claim);
      await committed(next, stored, seen, holder, parts);
      [stored, claim] = [next, next];
    };
    /** The execution's next pass, or the next sweep, continues. */
    const rest = async (): Promise<Tended> => {
      const seconds = isAttached(claim) && claim.slotAt === null ? 0 : 1;
      const nextCheckAt = timeOf(clock.now() + seconds * 1000);
      if (isAttached(claim)) claim = changed(claim, { nextCheckAt }, clock.now());
      await commit();
      return { claim, seconds };
    };
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const { next, look, act: asked, seconds } = decide(claim, seen, clock);
      if ((look || asked) && clock.now() >= untilMs) {
        // The claim changes only once the act is done.
        if (!asked) claim = next;
        return rest();
      }
      claim = next;
      if (look) {
        seen = await observe(claim, look, look === 'sight' ? withoutTried(seen, 'records') : seen);
      } else if (asked) {
        if (READING.includes(asked.do)) await commit();
        const { claim: after, outcome, stale = [], needsMore } = await act(claim, holder, asked, seen);
        if (!after) return { claim: undefined };
        if (after.revision !== stored.revision) stored = after;
        claim = after;
        const tried = needsMore ? {} : seen.tried;
        seen = { ...without(seen, stale), tried: { ...tried, [asked.do]: outcome } };
      } else {
        const isLeft = wakeWorker && isAttached(claim) && seen.tried.attach?.kind === 'left';
        if (isLeft) claim = leftToWorker(claim, clock.now() + clock.scaled(LOST_AFTER_MS), clock.now());
        await commit();
        if (isLeft) await wakeWorker(claim);
        return { claim, seconds };
      }
    }
    throw new Error(`${claim.domain} needs ever more: ${Object.keys(seen.tried).join(', ')}.`);
  };

  // A flow that was started meanwhile has its own worker.
  const isOurs = (claim: Domain) => wakeWorker === undefined || !isInFlow(claim);

  /** Leaves the claim alone unless it is meant. Undefined if somebody changed it on every try. */
  return async (
    { domain, project }: Pick<Domain, 'domain' | 'project'>,
    holder: Holder,
    isMeant = isOurs,
  ): Promise<Tended | undefined> => {
    for (let start = 0; start < MAX_STARTS; start += 1) {
      const claim = await domains.find(domain, project);
      if (!claim || !isMeant(claim)) return { claim };
      try {
        return await pass(claim, holder);
      } catch (error) {
        // The next look finds out what changed, or who was faster.
        if (!(error instanceof DomainChanged || error instanceof DomainTaken)) throw error;
      }
    }
    return undefined;
  };
}

/** A live domain's commit also tells its project whether visitors arrive; a contest's also tells the name's owner. */
async function committed(
  next: Domain,
  before: Domain,
  { rival }: Seen,
  holder: Holder,
  { domains, saveChecked, takeover }: TendParts,
): Promise<void> {
  const { domain, project, reason } = next;
  if (isAttached(next) && reason !== null && reason !== before.reason)
    log.warn('A domain needs attention.', { domain, project, reason });
  if (rival) return takeover.commitContest(next, rival.owner, holder);
  if (!isServed(next) && !isServed(before)) return holder.commit(domains.change(next));
  if (!(await saveChecked(next, holder)))
    throw new DomainChanged(`${next.domain} was changed in the meantime.`);
}

/** The stored fields: undefined ones aren't stored. */
function present(claim: Domain) {
  return Object.fromEntries(Object.entries(claim).filter(([, value]) => value !== undefined));
}

function without(seen: Seen, looks: readonly Look[]): Seen {
  return Object.fromEntries(
    Object.entries(seen).filter(([look]) => !looks.includes(look as Look)),
  ) as unknown as Seen;
}

function withoutTried(seen: Seen, act: Act['do']): Seen {
  const { [act]: _, ...tried } = seen.tried;
  return { ...seen, tried };
}
