import { SLOT_MS } from '../aws/gateway-slots.ts';
import type { Clock } from '../clock.ts';
import type { Front } from '../front.ts';
import { type Domain, nextRevision, PHASES, type Phase, type Trouble } from '../life/domain.ts';
import { isAttached, isInFlow, isReady } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore } from '../life/domain-store.ts';
import { type Holder, LEASE_MS } from '../life/lease.ts';
import { failed, type Retry, retryScheduled } from '../life/transitions.ts';
import { waitSeconds } from '../life/waits.ts';

/** The input and output that a state machine passes from step to step. */
export interface Attempt {
  readonly domain: string;
  readonly project: string;
  readonly attempt: number;
}

/** What a step returns to its state machine: go on, repeat the step after a wait, or end the execution. */
interface StepResult extends Attempt {
  readonly outcome: 'done' | 'waiting' | 'failed' | 'superseded';
  readonly waitSeconds: number;
}

/** The result of a step's work. */
export interface Progress {
  /** The record after the transition; `flowStep` counts its revision up and commits it. */
  readonly domain: Domain;
  readonly outcome: Exclude<StepResult['outcome'], 'superseded'>;
  readonly waitSeconds?: number;
  /** Commits the record, where more than that is to be written. */
  readonly commit?: (next: Domain) => Promise<void>;
}

/** What follows the commit of a step, by how the step has ended. */
interface AfterCommit {
  /** The domain is ready or live, and something is waited for; after how many seconds somebody has to look again. */
  woken?(domain: Domain, holder: Holder): Promise<number | undefined>;
  passed?(domain: Domain, holder: Holder): Promise<void>;
  failed?(domain: Domain, holder: Holder): Promise<void>;
}

/**
 * A step of a flow: take the lease of the name, load, transition, commit. A step may be delivered twice and at any later time:
 * it does nothing for a phase that has passed, and has nothing left to do when another attempt has begun. What follows the
 * commit is done by every delivery, since an earlier one may have ended between the two.
 */
export function flowStep(
  domains: DomainStore,
  phase: Phase,
  work: (domain: Domain, holder: Holder) => Promise<Progress>,
  after: AfterCommit = {},
) {
  return async ({ domain: name, project, attempt }: Attempt): Promise<StepResult> => {
    const result = (outcome: StepResult['outcome'], waitSeconds = 0) => ({
      domain: name,
      project,
      attempt,
      outcome,
      waitSeconds,
    });
    const pass = async (holder: Holder): Promise<StepResult> => {
      const domain = await domains.find(name, project);
      if (domain?.attempt !== attempt) return result('superseded');
      const isGivenUp = !isInFlow(domain) && !isAttached(domain);
      if (isGivenUp) {
        await after.failed?.(domain, holder);
        return result('failed');
      }
      if (isAttached(domain) && domain.nextCheckAt !== null && after.woken) {
        const seconds = await after.woken(domain, holder);
        return seconds === undefined ? result('done') : result('waiting', seconds);
      }
      if (isReady(domain) || PHASES.indexOf(domain.phase) > PHASES.indexOf(phase)) {
        await after.passed?.(domain, holder);
        return result('done');
      }
      const progress = await work(domain, holder);
      const { commit = next => holder.commit(domains.change(next)) } = progress;
      const isUnchanged = progress.domain === domain && !progress.commit;
      const next = isUnchanged ? domain : nextRevision(progress.domain);
      if (!isUnchanged) await commit(next);
      if (progress.outcome === 'failed') await after.failed?.(next, holder);
      if (progress.outcome === 'done') await after.passed?.(next, holder);
      return result(progress.outcome, progress.waitSeconds);
    };
    try {
      const waiting = (leftMs: number) => result('waiting', busySeconds(leftMs));
      return (await domains.holding(name, pass, 0, waiting)) ?? result('waiting');
    } catch (error) {
      // A command has changed it in the meantime: the next delivery does what it asks for.
      if (error instanceof DomainChanged) return result('waiting');
      throw error;
    }
  };
}

/** A step that finds somebody else at work on the name looks again after this time. Most are at it for less. */
const BUSY_SECONDS = 15;

/** One who has had the lease for so long already was probably stopped: its end is waited for. */
function busySeconds(leftMs: number): number {
  const isFresh = leftMs > LEASE_MS - BUSY_SECONDS * 1000;
  return isFresh ? BUSY_SECONDS : Math.max(1, Math.ceil(leftMs / 1000));
}

const HOUR_MS = 60 * 60 * 1000;

/** The ways in which the work of a step can end short of being done. */
export function stepEndings(clock: Clock) {
  return {
    /** The step is repeated after a wait. */
    retryAfter: (seconds: number, domain: Domain, retry: Retry): Progress => ({
      domain: retryScheduled(domain, clock.scaled(seconds), retry, clock.now()),
      outcome: 'waiting',
      waitSeconds: seconds,
    }),
    /** The verification is given up. */
    fail: (domain: Domain, trouble: Trouble): Progress => ({
      domain: failed(domain, trouble, clock.now()),
      outcome: 'failed',
    }),
    /** How long the domain has been in its phase, to compare with a deadline. */
    hoursInPhase: ({ phaseStartedAt }: Domain) =>
      clock.unscaled(clock.now() - Date.parse(phaseStartedAt)) / HOUR_MS,
  };
}

/** A queue can take hours. A waiting domain looks this often whether others have met a problem, such as a full account. */
const QUEUE_LOOK_MS = 10 * 60 * 1000;

/** How the steps of the flows wait for a slot at API Gateway. Removals make room, so they go first. */
export function slotBooking(
  front: Pick<Front, 'bookSlot' | 'timeOfSlot'>,
  clock: Clock,
  { isAhead = false } = {},
) {
  const { retryAfter } = stepEndings(clock);

  /** A refusal stays the reason until the slot has shown otherwise. */
  const waitUntil = (
    atMs: number,
    slotMs: number,
    domain: Domain,
    message: string,
    isQueued = false,
  ): Progress =>
    retryAfter(Math.ceil(clock.unscaled(atMs - clock.now()) / 1000), domain, {
      ...(domain.reason !== 'attachment_refused' && { reason: null, message }),
      slotMs,
      isQueued,
    });

  return {
    /** The wait for a slot; undefined when the domain has one now, as it has when it returns from its wait. */
    async waitForSlot(domain: Domain, message: string): Promise<Progress | undefined> {
      if (domain.slotAt !== null && isAhead) return undefined;
      const queuedMs = domain.slotAt === null ? undefined : Date.parse(domain.slotAt);
      const { atMs, queuedAtMs } =
        queuedMs === undefined
          ? await front.bookSlot({ isAhead })
          : { atMs: await front.timeOfSlot(queuedMs), queuedAtMs: queuedMs };
      if (atMs <= clock.now()) return undefined;
      const lookMs = isAhead ? atMs : Math.min(atMs, clock.now() + clock.scaled(QUEUE_LOOK_MS));
      return waitUntil(lookMs, queuedAtMs, domain, message, lookMs < atMs);
    },
    /**
     * The wait for another slot, after someone else in the account has used the one that was booked. It grows with the
     * backoff: an account that is busy all the time must not fill the history of the execution.
     */
    async waitForAnotherSlot(domain: Domain, message: string): Promise<Progress> {
      const { atMs, queuedAtMs } = await front.bookSlot({ isAhead });
      const backoffMs = clock.scaled(Math.max(SLOT_MS, waitSeconds(domain.rounds) * 1000));
      return waitUntil(Math.max(atMs, clock.now() + backoffMs), queuedAtMs, domain, message);
    },
  };
}
