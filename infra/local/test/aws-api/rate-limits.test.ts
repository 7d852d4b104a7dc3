import { describe, expect, test } from 'vitest';
import { AwsApiError } from '../../aws-api/aws-api-error.ts';
import { oncePerInterval, throttle } from '../../aws-api/rate-limits.ts';

const refused = (retryAfterSeconds?: number) =>
  new AwsApiError('Throttled', '', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

test('an interval admits one request and says when the next may come', () => {
  let nowMs = 1_000_000;
  const rate = oncePerInterval({ intervalMs: 30_000, now: () => nowMs, refusal: refused });
  expect(rate()).toBeUndefined();
  nowMs += 1500;
  expect(rate()).toMatchObject({ retryAfterSeconds: 29 });
  nowMs += 28_500;
  expect(rate()).toBeUndefined();
});

function passing(limits: { ratePerSecond?: number; burst?: number }) {
  let nowMs = 0;
  const mayPass = throttle(limits, () => nowMs);
  return (requests: number, afterMs: number) => {
    nowMs += afterMs;
    return Array.from({ length: requests }, mayPass).filter(Boolean).length;
  };
}

describe('a token bucket', () => {
  test('allows the burst at once, then the rate', () => {
    const pass = passing({ ratePerSecond: 10, burst: 3 });
    expect(pass(5, 0)).toBe(3);
    expect(pass(5, 100)).toBe(1);
    expect(pass(5, 50)).toBe(0);
    expect(pass(5, 50)).toBe(1);
    expect(pass(5, 60_000)).toBe(3);
  });

  test('of burst 0 allows nothing', () => {
    expect(passing({ ratePerSecond: 10, burst: 0 })(5, 1000)).toBe(0);
  });

  test('without limits allows everything', () => {
    expect(passing({})(20_000, 0)).toBe(20_000);
  });

  test('with a rate only has the burst of the account', () => {
    expect(passing({ ratePerSecond: 1 })(20_000, 0)).toBe(5_000);
  });

  test('does not lose tokens when the clock is set back', () => {
    expect(passing({ ratePerSecond: 1, burst: 2 })(2, -5_000)).toBe(2);
  });
});
