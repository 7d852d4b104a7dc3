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

test('a key that is admitted takes part, and API Gateway’s key has nothing of ours but the id', async () => {
  const gateway = await localGateway();
  await usagePlan(PLAN).addKey(ACME);
  expect(gateway.members()).toEqual([ACME]);
  expect(gateway.apiKeys.list()).toMatchObject([{ name: ACME, value: ACME, enabled: true }]);
});

test('a key that is dismissed is gone from API Gateway, and no other is', async () => {
  const gateway = await localGateway();
  const plan = usagePlan(PLAN);
  for (const id of [ACME, ZOO]) await plan.addKey(id);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
  expect(gateway.apiKeys.list()).toHaveLength(1);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
});

test('a key that someone else dismisses meanwhile is dismissed', async () => {
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

test('the answers of the authorizer are forgotten, on this stage', async () => {
  const gateway = await localGateway();
  await usagePlan(PLAN).flushAuthorizerCache();
  expect(gateway.flush.mock.calls).toEqual([[PLAN.restApiId, PLAN.stageName]]);
});

describe('faults', () => {
  const ALL = ['addKey', 'removeKey', 'flushAuthorizerCache'] as const;

  test.each([
    ['API Gateway is busy', THROTTLED],
    ['API Gateway is broken', BROKEN],
  ])('%s for a while: it is asked again', async (_, fault) => {
    const gateway = await localGateway([fault, fault, fault]);
    const { error } = await outcomeInFastTime(() => usagePlan(PLAN).addKey(ACME));
    expect(error).toBeUndefined();
    expect(gateway.members()).toEqual([ACME]);
  });

  test.each(ALL)('%s is Unavailable when API Gateway stays busy or broken, or is not there', async name => {
    for (const fault of [THROTTLED, BROKEN]) {
      await localGateway(always(fault));
      const { error } = await outcomeInFastTime(() => usagePlan(PLAN)[name](ACME));
      expect(error).toMatchObject({ name: 'Unavailable' });
    }
    vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', 'http://127.0.0.1:1');
    const { error } = await outcomeInFastTime(() => usagePlan(PLAN)[name](ACME));
    expect(error).toMatchObject({ name: 'Unavailable' });
  });

  test.each(ALL)('%s fails as it is when API Gateway refuses: that is a mistake of ours', async name => {
    const gateway = await localGateway(always(FORBIDDEN));
    await expect(usagePlan(PLAN)[name](ACME)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(gateway.requests).toHaveLength(1);
  });
});
