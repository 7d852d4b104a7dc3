import { type GatewaySlots, SLOT_MS } from '../aws/gateway-slots.ts';
import type { Domain } from '../life/domain.ts';
import { type Progress, progressAt } from './flow-step.ts';

/** How the steps of the flows wait for a turn at API Gateway. */
export function slotBooking(slots: GatewaySlots, now: () => number) {
  const { wait, time } = progressAt(now);
  const waitFor = (domain: Domain, waitMs: number, news: Partial<Domain>): Progress => {
    const seconds = Math.ceil(waitMs / 1000);
    return wait(domain, seconds, { ...news, slotAt: time(seconds) });
  };
  return {
    /** Undefined when it is the turn of the domain, which is so when it comes back from its wait. */
    async waitForSlot(domain: Domain, news: Partial<Domain>): Promise<Progress | undefined> {
      if (domain.slotAt !== null) return undefined;
      const waitMs = (await slots.book(now())) - now();
      return waitMs > 0 ? waitFor(domain, waitMs, news) : undefined;
    },
    /** The wait for another turn, after someone in the account has made a change without taking one. */
    async waitForAnotherSlot(domain: Domain, news: Partial<Domain>): Promise<Progress> {
      const waitMs = (await slots.book(now())) - now();
      return waitFor(domain, Math.max(waitMs, SLOT_MS), news);
    },
  };
}
