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

/** What a pass has come to. */
export interface Tended {
  /** The claim as it is now; undefined when it's gone. */
  readonly claim: Domain | undefined;
  /** How long nobody has to look again; absent if nothing is waited for. */
  readonly seconds?: number | undefined;
}

/** Acts that read the claim from the table, so that what was decided has to be there. */
const READING: readonly Act['do'][] = ['route', 'unroute'];

/** No claim needs as many looks and acts: there are a dozen of each. */
const MAX_TURNS = 60;

/** Of the 55 s that a function has. A pass takes a few of them, and more where name servers are silent; then it acts no more. */
const PASS_MS = 30_000;

/** How often a pass begins again because somebody has changed the claim. */
const MAX_STARTS = 5;

/**
 * One pass over a claim, by whoever holds the lease of its name: observe, decide and act until nothing is asked for, then
 * commit. What wakes it doesn't matter. When somebody changes the claim meanwhile, it begins again with what that asks for.
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
    /** The next pass goes on: of the execution, or of the next sweep. */
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
        // What an act makes of a claim isn't so before it is done.
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

  // A flow that was started meanwhile has a worker.
  const isOurs = (claim: Domain) => wakeWorker === undefined || !isInFlow(claim);

  /** Leaves the claim alone unless it is meant. Undefined if somebody changed it during every start. */
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
        // The next look finds what has changed, or who was faster.
        if (!(error instanceof DomainChanged || error instanceof DomainTaken)) throw error;
      }
    }
    return undefined;
  };
}

/** Whether the visitors of a live domain arrive is written for its project, too, and a contest for the owner of the name. */
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

/** The fields that are stored: what is undefined isn't. */
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
