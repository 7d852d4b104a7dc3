import { expect, test } from 'vitest';
import type { Domain } from '../../../shared/domains/life/domain.ts';
import { nextAsk } from '../../../shared/setup/ask-limit.ts';
import { AT_MS, HOUR, MINUTE } from '../domains/claimed-domain.ts';

/** When those who ask at these times are admitted. */
function admittedAt(times: readonly number[]): number[] {
  let asks: Domain['asks'];
  return times.filter(ms => {
    const next = nextAsk(asks, ms);
    if ('againAtMs' in next) return false;
    asks = next;
    return true;
  });
}

test('ten are admitted at once, and then one in ten minutes; who is refused learns when', () => {
  expect(admittedAt(Array(50).fill(AT_MS))).toHaveLength(10);
  const insistent = admittedAt(Array.from({ length: 7200 }, (_, second) => AT_MS + second * 1000));
  expect(insistent.slice(0, 10).at(-1)).toBe(AT_MS + 9000);
  expect(insistent.slice(10).map(ms => (ms - AT_MS) / MINUTE)).toEqual(
    Array.from({ length: 11 }, (_, index) => (index + 1) * 10),
  );
  let asks: Domain['asks'];
  for (let count = 0; count < 10; count += 1) asks = nextAsk(asks, AT_MS) as NonNullable<Domain['asks']>;
  expect(nextAsk(asks, AT_MS + MINUTE)).toEqual({ againAtMs: AT_MS + 10 * MINUTE });
  expect(nextAsk(asks, AT_MS + 10 * MINUTE)).toHaveProperty('lastAt');
});

test('no hour has more than sixteen, whenever somebody asks', () => {
  for (let run = 0; run < 200; run += 1) {
    const pace = Math.random() * 15 * MINUTE;
    const times = Array.from({ length: 300 }, () => AT_MS + Math.random() * 300 * pace).toSorted(
      (a, b) => a - b,
    );
    const admitted = admittedAt(times);
    const most = Math.max(
      ...admitted.map(from => admitted.filter(ms => ms >= from && ms < from + HOUR).length),
    );
    expect(most).toBeLessThanOrEqual(16);
  }
});
