import type { Domain } from './domain.ts';
import { type Progress, progressAt } from './flow-step.ts';
import { TURN_MS, type Turns } from './turns.ts';

/** How the steps of the flows wait for a turn at API Gateway. */
export function turnTaking(turns: Turns, now: () => number) {
  const { wait, time } = progressAt(now);
  const waitFor = (domain: Domain, waitMs: number, news: Partial<Domain>): Progress => {
    const seconds = Math.ceil(waitMs / 1000);
    return wait(domain, seconds, { ...news, turnAt: time(seconds) });
  };
  return {
    /** Undefined when it is the turn of the domain, which is so when it comes back from its wait. */
    async waitForTurn(domain: Domain, news: Partial<Domain>): Promise<Progress | undefined> {
      if (domain.turnAt !== null) return undefined;
      const waitMs = (await turns.take(now())) - now();
      return waitMs > 0 ? waitFor(domain, waitMs, news) : undefined;
    },
    /** The wait for another turn, after someone in the account has made a change without taking one. */
    async waitForAnotherTurn(domain: Domain, news: Partial<Domain>): Promise<Progress> {
      const waitMs = (await turns.take(now())) - now();
      return waitFor(domain, Math.max(waitMs, TURN_MS), news);
    },
  };
}
