import type { Domain } from '../life/domain.ts';
import { factsOfReason } from '../life/domain-reason.ts';
import { isAttached, isBeingRemoved, isInFlow, isUnmapped } from '../life/domain-status.ts';
import type { DomainStore } from '../life/domain-store.ts';
import type { FlowState } from '../life/flow-state.ts';
import { type Holder, LEASE_MS } from '../life/lease.ts';
import type { Tended, tender } from './tend.ts';

/** The input of an execution, and of each pass in it. */
export interface Attempt {
  readonly domain: string;
  readonly project: string;
  readonly attempt: number;
}

/** The result for the state machine. */
interface Progress extends Attempt {
  readonly next: FlowState;
  readonly waitSeconds: number;
}

interface WorkerParts {
  readonly domains: Pick<DomainStore, 'holding'>;
  /** One pass under the lease, over a domain that is meant. */
  readonly tend: ReturnType<typeof tender>;
}

/** The wait if somebody else works on the name, usually for less than this. */
const BUSY_SECONDS = 15;

/**
 * A wake-up of a domain by its execution, which may be delivered twice and at any later time: a pass under the lease of the
 * name, unless another attempt has begun.
 */
export function worker({ domains, tend }: WorkerParts) {
  return async ({ domain: name, project, attempt }: Attempt): Promise<Progress> => {
    const progress = (next: FlowState, waitSeconds = 0) => ({
      domain: name,
      project,
      attempt,
      next,
      waitSeconds,
    });
    const others = (leftMs: number) => progress('WaitForOthers', busySeconds(leftMs));
    const pass = async (holder: Holder): Promise<Progress> => {
      const isMeant = (claim: Domain) => claim.attempt === attempt;
      const tended = await tend({ domain: name, project }, holder, isMeant);
      if (!tended) return others(LEASE_MS);
      const isSuperseded = tended.claim && !isMeant(tended.claim);
      return isSuperseded ? progress('Superseded') : progress(...after(tended));
    };
    return (await domains.holding(name, pass, 0, others)) ?? others(LEASE_MS);
  };
}

/** A holder that has had the lease this long was probably stopped: wait for its end. */
function busySeconds(leftMs: number): number {
  const isFresh = leftMs > LEASE_MS - BUSY_SECONDS * 1000;
  return isFresh ? BUSY_SECONDS : Math.max(1, Math.ceil(leftMs / 1000));
}

function after({ claim, seconds }: Tended): [FlowState, number?] {
  if (!claim) return ['Done'];
  // Long waits, and an attached domain's waits for anything but a slot, are left to the sweep.
  const isAwaited =
    seconds !== undefined &&
    !claim.isResting &&
    (isInFlow(claim) || (isAttached(claim) && claim.slotAt !== null));
  if (isAwaited) return [awaitedBy(claim), seconds];
  return [isUnmapped(claim) ? 'Failed' : 'Done'];
}

function awaitedBy(claim: Domain): FlowState {
  const { verifiedAt, issuedAt, reason, slotAt } = claim;
  if (slotAt !== null) return 'WaitForSlot';
  if (isBeingRemoved(claim)) return 'WaitForRelease';
  if (verifiedAt === null) return 'WaitForDns';
  if (issuedAt === null) return 'WaitForCertificate';
  switch (reason && factsOfReason(reason).about) {
    case 'front':
      return 'WaitForRelease';
    case 'project':
      return 'WaitForProject';
    case 'traffic':
      return 'WaitForDns';
    default:
      return 'WaitForVisitors';
  }
}
