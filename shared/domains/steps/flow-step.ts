import { type Domain, nextRevision, PHASES, type Phase, withHistory } from '../life/domain.ts';
import { type DomainStore, Superseded } from '../life/domain-store.ts';

/** What a state machine hands from step to step. */
export interface Attempt {
  readonly domain: string;
  readonly attempt: number;
}

/** What a step tells its state machine: go on, come again after a while, or stop. */
export interface StepResult extends Attempt {
  readonly outcome: 'done' | 'waiting' | 'ended';
  readonly waitSeconds: number;
}

/** What the work of a step came to, and how that is written, which is by the store unless said. */
export interface Progress {
  readonly domain: Domain;
  readonly outcome: StepResult['outcome'];
  readonly waitSeconds?: number;
  readonly write?: (next: Domain) => Promise<void>;
}

/**
 * A step of a verification: it works on the domain as it is and writes what it found. A step may run twice, and at any
 * time later: what is behind the domain is done, and an attempt that was overtaken ends quietly. What follows the write is
 * made up for by `whenBehind`, if the step ended in between.
 */
export function flowStep(
  store: DomainStore,
  phase: Phase,
  work: (domain: Domain) => Promise<Progress>,
  whenBehind: (domain: Domain) => Promise<void> = async () => {},
) {
  return async ({ domain: name, attempt }: Attempt): Promise<StepResult> => {
    const result = (outcome: StepResult['outcome'], waitSeconds = 0) => ({
      domain: name,
      attempt,
      outcome,
      waitSeconds,
    });
    const domain = await store.find(name);
    if (domain?.attempt !== attempt || domain.status === 'failed') return result('ended');
    if (PHASES.indexOf(domain.phase) > PHASES.indexOf(phase)) {
      await whenBehind(domain);
      return result('done');
    }
    try {
      const progress = await work(domain);
      const { write = next => store.save(next) } = progress;
      await write(nextRevision(progress.domain, {}));
      return result(progress.outcome, progress.waitSeconds);
    } catch (error) {
      if (error instanceof Superseded) return result('ended');
      throw error;
    }
  };
}

/** The ways that a step can end, in words that are noted in the history of the domain. */
export function progressAt(now: () => number) {
  const time = (afterSeconds = 0) => new Date(now() + afterSeconds * 1000).toISOString();
  const noted = (domain: Domain) => withHistory(domain, time(), `${domain.status}: ${domain.message}`);
  return {
    /** The next phase begins. */
    pass: (domain: Domain, phase: Phase, news: Partial<Domain>): Progress => ({
      domain: noted({
        ...domain,
        ...news,
        phase,
        phaseStartedAt: time(),
        reason: null,
        rounds: 0,
        nextCheckAt: null,
      }),
      outcome: 'done',
    }),
    wait: (domain: Domain, seconds: number, news: Partial<Domain>): Progress => ({
      domain: noted({ ...domain, ...news, rounds: domain.rounds + 1, nextCheckAt: time(seconds) }),
      outcome: 'waiting',
      waitSeconds: seconds,
    }),
    fail: (domain: Domain, reason: string, message: string): Progress => ({
      domain: noted({ ...domain, status: 'failed', reason, message, nextCheckAt: null, slotAt: null }),
      outcome: 'ended',
    }),
    /** Hours since the phase began. */
    hoursIn: ({ phaseStartedAt }: Domain) => (now() - Date.parse(phaseStartedAt)) / (60 * 60 * 1000),
    time,
  };
}
