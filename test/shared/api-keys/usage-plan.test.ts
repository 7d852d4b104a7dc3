import { describe, expect, test, vi } from 'vitest';
import { usagePlan } from '../../../shared/api-keys/usage-plan.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always } from '../aws/faulty-engine.ts';
import { type GatewayFault, localGateway, PLAN } from './local-gateway.ts';

const ACME = 'key_0123456789abcdef01234567';
const ZOO = 'key_ffffffffffffffffffffffff';

const THROTTLED: GatewayFault = { status: 429, type: 'TooManyRequestsException' };
const BROKEN: GatewayFault = { status: 500, type: 'InternalFailure' };
const FORBIDDEN: GatewayFault = { status: 403, type: 'AccessDeniedException' };

test('addKey adds a key to the plan, and gives API Gateway nothing of ours but the id', async () => {
  const gateway = await localGateway();
  await usagePlan(PLAN).addKey(ACME);
  expect(gateway.members()).toEqual([ACME]);
  expect(gateway.apiKeys.list()).toMatchObject([{ name: ACME, value: ACME, enabled: true }]);
});

test('removeKey deletes the key from API Gateway, and no other, and may be repeated', async () => {
  const gateway = await localGateway();
  const plan = usagePlan(PLAN);
  for (const id of [ACME, ZOO]) await plan.addKey(id);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
  expect(gateway.apiKeys.list()).toHaveLength(1);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
});

test('removeKey succeeds when another process deletes the key meanwhile', async () => {
  const gateway = await localGateway([
    undefined,
    undefined,
    undefined,
    { status: 404, type: 'NotFoundException' },
  ]);
  const plan = usagePlan(PLAN);
  await plan.addKey(ACME);
  await plan.removeKey(ACME);
  expect(gateway.requests.at(-1)).toMatch(/^DELETE \/apikeys\//);
});

test('flushAuthorizerCache flushes the cache of this stage', async () => {
  const gateway = await localGateway();
  await usagePlan(PLAN).flushAuthorizerCache();
  expect(gateway.flush.mock.calls).toEqual([[PLAN.restApiId, PLAN.stageName]]);
});

describe('faults', () => {
  const ALL = ['addKey', 'removeKey', 'flushAuthorizerCache'] as const;

  test.each([
    ['throttled', THROTTLED],
    ['broken', BROKEN],
  ])('addKey retries while API Gateway is %s', async (_, fault) => {
    const gateway = await localGateway([fault, fault, fault]);
    const { error } = await outcomeInFastTime(() => usagePlan(PLAN).addKey(ACME));
    expect(error).toBeUndefined();
    expect(gateway.members()).toEqual([ACME]);
  });

  test.each(ALL)(
    '%s throws Unavailable when API Gateway stays throttled or broken, or cannot be reached',
    async name => {
      for (const fault of [THROTTLED, BROKEN]) {
        await localGateway(always(fault));
        const { error } = await outcomeInFastTime(() => usagePlan(PLAN)[name](ACME));
        expect(error).toMatchObject({ name: 'Unavailable' });
      }
      vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', 'http://127.0.0.1:1');
      const { error } = await outcomeInFastTime(() => usagePlan(PLAN)[name](ACME));
      expect(error).toMatchObject({ name: 'Unavailable' });
    },
  );

  test.each(ALL)(
    '%s throws the error of API Gateway as it is when access is denied, without a retry',
    async name => {
      const gateway = await localGateway(always(FORBIDDEN));
      await expect(usagePlan(PLAN)[name](ACME)).rejects.toMatchObject({ name: 'AccessDeniedException' });
      expect(gateway.requests).toHaveLength(1);
    },
  );
});
