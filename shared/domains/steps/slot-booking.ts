import { type GatewaySlots, SLOT_MS } from '../aws/gateway-slots.ts';
import { waitSeconds } from '../life/backoff.ts';
import type { Domain } from '../life/domain.ts';
import { type Progress, stepEndings } from './flow-step.ts';

/** How the steps of the flows wait for a slot at API Gateway. */
export function slotBooking(slots: GatewaySlots, now: () => number, waitScale: number) {
  const { retryAfter } = stepEndings(now, waitScale);

  const waitFor = (waitMs: number, domain: Domain, message: string): Progress => {
    return retryAfter(Math.ceil(waitMs / 1000 / waitScale), domain, { message, hasSlot: true });
  };

  return {
    /** The wait for a slot; undefined when the domain has one now, as it has when it returns from its wait. */
    async waitForSlot(domain: Domain, message: string): Promise<Progress | undefined> {
      if (domain.slotAt !== null) return undefined;
      const waitMs = (await slots.book(now())) - now();
      return waitMs > 0 ? waitFor(waitMs, domain, message) : undefined;
    },
    /**
     * The wait for another slot, after someone else in the account has used the one that was booked. It grows with the
     * backoff: an account that is busy all the time must not fill the history of the execution.
     */
    async waitForAnotherSlot(domain: Domain, message: string): Promise<Progress> {
      const waitMs = (await slots.book(now())) - now();
      const backoffMs = waitSeconds(domain.rounds) * 1000;
      return waitFor(Math.max(waitMs, Math.max(SLOT_MS, backoffMs) * waitScale), domain, message);
    },
  };
}
