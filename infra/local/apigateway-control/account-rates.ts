import type { RateLimit } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import { ApiGatewayError } from './api-gateway-error.ts';

export interface AccountRates {
  /** Of all requests together. */
  readonly total: RateLimit;
  readonly createApiKey: RateLimit;
  readonly deleteApiKey: RateLimit;
}

/** The quotas of an account and region, which AWS does not raise. */
export function accountRates({ waitScale, now }: { waitScale: number; now: () => number }): AccountRates {
  const limit = (ratePerSecond: number, burst: number): RateLimit =>
    tokenBucket({
      ratePerSecond,
      burst,
      waitScale,
      now,
      refusal: () =>
        new ApiGatewayError('TooManyRequestsException', 'Too Many Requests', { retryAfterSeconds: 1 }),
    });
  return { total: limit(10, 40), createApiKey: limit(5, 5), deleteApiKey: limit(5, 5) };
}
