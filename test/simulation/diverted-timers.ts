import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * Lets the waits of the service's own code pass in virtual time, with jitter that follows from the seed. Code outside of
 * an invocation keeps the real clock.
 */
export function divertTimers(current: () => { time: VirtualTime; random: Random } | undefined): void {
  const real = { setTimeout: globalThis.setTimeout, random: Math.random };
  const setTimeout = (callback: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) => {
    const { time } = current() ?? {};
    if (!time?.actor) return real.setTimeout(callback, delayMs, ...values);
    return time.after(Math.ceil(delayMs), time.actor, () => callback(...values));
  };
  Object.assign(globalThis, { setTimeout: Object.assign(setTimeout, real.setTimeout) });
  Math.random = () => {
    const world = current();
    return world?.time.actor ? world.random.next() : real.random();
  };
}
