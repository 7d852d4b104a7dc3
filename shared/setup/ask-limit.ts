import { timeOf } from '../domains/clock.ts';
import type { Domain } from '../domains/life/domain.ts';

const PAUSE_MS = 10 * 60 * 1000;
const AT_ONCE = 10;

/**
 * What is noted of another ask by the owner of a domain, or when the next one is admitted: ten at once, then one in ten minutes.
 * Each that is admitted takes up ten minutes, and as many as ten may lie ahead.
 */
export function nextAsk(
  asks: Domain['asks'],
  nowMs: number,
): NonNullable<Domain['asks']> | { readonly againAtMs: number } {
  const takenMs = Math.max(nowMs, Date.parse(asks?.takenUntil ?? timeOf(nowMs)));
  const againAtMs = takenMs - (AT_ONCE - 1) * PAUSE_MS;
  return againAtMs > nowMs
    ? { againAtMs }
    : { lastAt: timeOf(nowMs), takenUntil: timeOf(takenMs + PAUSE_MS) };
}

/** For how long a look that was asked for usually goes on, unless its outcome is known. */
const LOOK_MS = 60 * 1000;

/** When the owner may ask again, if not now, and whether a look that they have asked for goes on. */
export function askingOf({ asks, checkedAt }: Pick<Domain, 'asks' | 'checkedAt'>, nowMs: number) {
  const next = nextAsk(asks, nowMs);
  const askedMs = Date.parse(asks?.lastAt ?? '');
  const isLooking = nowMs - askedMs < LOOK_MS && !(Date.parse(checkedAt ?? '') >= askedMs);
  return { againAtMs: 'againAtMs' in next ? next.againAtMs : undefined, isLooking };
}
