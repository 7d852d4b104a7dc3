import { HOUR_MS } from './virtual-time.ts';

/** Whether every call is tried, as with thousands of seeds; otherwise a sample, which takes seconds instead of minutes. */
const isExhaustive = Number(process.env.SIMULATION_SEEDS ?? 0) >= 1000;

/** Of the real clock: the machine may be slow, and a slow test is no fault. */
export const SLOW = { timeout: HOUR_MS };

/** The numbers from 1 to the count; in a sample every `step`th of them, from `offset` on. */
export function sampledCalls(count: number, step: number, offset = 0): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return isExhaustive ? all : all.filter(number => number % step === offset % step);
}
