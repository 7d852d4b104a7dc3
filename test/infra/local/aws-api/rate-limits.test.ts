import { expect, test } from 'vitest';
import { AwsApiError } from '../../../../infra/local/aws-api/aws-api-error.ts';
import { oncePerInterval, tokenBucket } from '../../../../infra/local/aws-api/rate-limits.ts';

const refused = (retryAfterSeconds?: number) =>
  new AwsApiError('Throttled', '', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

test('a token bucket admits its burst at once, and its rate afterwards', () => {
  let nowMs = 0;
  const rate = tokenBucket({ ratePerSecond: 2, burst: 3, now: () => nowMs, refusal: () => refused() });
  expect([rate(), rate(), rate()]).toEqual([undefined, undefined, undefined]);
  expect(rate()).toMatchObject({ name: 'Throttled' });
  nowMs += 500;
  expect(rate()).toBeUndefined();
  expect(rate()).toBeInstanceOf(AwsApiError);
});

test('an interval admits one request and says when the next may come', () => {
  let nowMs = 1_000_000;
  const rate = oncePerInterval({ intervalMs: 30_000, now: () => nowMs, refusal: refused });
  expect(rate()).toBeUndefined();
  nowMs += 1500;
  expect(rate()).toMatchObject({ retryAfterSeconds: 29 });
  nowMs += 28_500;
  expect(rate()).toBeUndefined();
});
