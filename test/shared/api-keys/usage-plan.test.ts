import { describe, expect, test, vi } from 'vitest';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always } from '../aws/faulty-engine.ts';
import { ENVIRONMENT, type GatewayFault, gatewayParts, localGateway, PLAN } from './local-gateway.ts';

const ACME = 'key_0123456789abcdef01234567';
const ZOO = 'key_ffffffffffffffffffffffff';
const TIMES = { createdDate: 0, lastUpdatedDate: 0 };

const THROTTLED: GatewayFault = { status: 429, type: 'TooManyRequestsException' };
const BROKEN: GatewayFault = { status: 500, type: 'InternalFailure' };
const FORBIDDEN: GatewayFault = { status: 403, type: 'AccessDeniedException' };

test('addKey adds a key to the plan, and gives API Gateway nothing of ours but the id and the tags', async () => {
  const gateway = await localGateway();
  await gatewayParts().plan.addKey(ACME);
  expect(gateway.members()).toEqual([ACME]);
  const tags = { 'petstore:environment': ENVIRONMENT, 'petstore:key': ACME };
  expect(gateway.apiKeys.list()).toMatchObject([
    { name: ACME, value: 'key0123456789abcdef01234567', enabled: true, tags },
  ]);
});

test('addKey may be repeated: it finds the key and its place in the plan', async () => {
  const gateway = await localGateway();
  const { plan } = gatewayParts();
  for (let time = 0; time < 2; time += 1) await plan.addKey(ACME);
  expect(gateway.members()).toEqual([ACME]);
  expect(gateway.apiKeys.list()).toHaveLength(1);
});

test('addKey completes a key that was created and not added to the plan', async () => {
  const gateway = await localGateway();
  const { gatewayKeys, plan } = gatewayParts();
  await gatewayKeys.create(ACME);
  expect(gateway.members()).toEqual([]);
  await plan.addKey(ACME);
  expect(gateway.members()).toEqual([ACME]);
});

test('addKey throws the conflict when a key of another environment has the value', async () => {
  await localGateway();
  await gatewayParts('other').plan.addKey(ACME);
  await expect(gatewayParts().plan.addKey(ACME)).rejects.toMatchObject({ name: 'ConflictException' });
});

test('removeKey leaves the keys of other environments and of other teams', async () => {
  const gateway = await localGateway();
  await gatewayParts('other').plan.addKey(ACME);
  gateway.apiKeys.add({ name: ACME, value: 'a'.repeat(20), enabled: true, ...TIMES });
  await gatewayParts().plan.removeKey(ACME);
  expect(gateway.apiKeys.list()).toHaveLength(2);
});

test('members returns all keys of the plan, over as many pages as that takes', async () => {
  const gateway = await localGateway();
  for (let index = 0; index < 501; index += 1) {
    const { id } = gateway.apiKeys.add({ value: `value${index}`.padEnd(20, '0'), enabled: true, ...TIMES });
    gateway.apiKeys.addToPlan(id, PLAN.usagePlanId);
  }
  expect(await gatewayParts().plan.members()).toEqual(new Set(gateway.apiKeys.list().map(({ id }) => id)));
  expect(gateway.requests).toHaveLength(2);
});

test('removeKey deletes the key from API Gateway, and no other, and may be repeated', async () => {
  const gateway = await localGateway();
  const plan = gatewayParts().plan;
  for (const id of [ACME, ZOO]) await plan.addKey(id);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
  expect(gateway.apiKeys.list()).toHaveLength(1);
  await plan.removeKey(ACME);
  expect(gateway.members()).toEqual([ZOO]);
});

test.each([
  ['gone', []],
  ['denied', [undefined, undefined, undefined, FORBIDDEN]],
])('removeKey succeeds when another process deletes the key meanwhile: it is %s', async (_, faults) => {
  const gateway = await localGateway(faults);
  const { plan } = gatewayParts();
  await plan.addKey(ACME);
  const remove = gateway.apiKeys.remove.bind(gateway.apiKeys);
  gateway.onRequest = request => {
    if (request.startsWith('DELETE')) for (const { id } of gateway.apiKeys.list()) remove(id);
  };
  await plan.removeKey(ACME);
  expect(gateway.requests.slice(-2)).toEqual(
    ['DELETE', 'GET'].map(method => expect.stringMatching(`^${method} /apikeys`)),
  );
});

test('removeKey throws when access to a key that exists is denied', async () => {
  await localGateway([undefined, undefined, undefined, FORBIDDEN]);
  const { plan } = gatewayParts();
  await plan.addKey(ACME);
  await expect(plan.removeKey(ACME)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});

test('flushAuthorizerCache flushes the cache of this stage', async () => {
  const gateway = await localGateway();
  await gatewayParts().plan.flushAuthorizerCache();
  expect(gateway.flush.mock.calls).toEqual([[PLAN.restApiId, PLAN.stageName]]);
});

describe('faults', () => {
  const ALL = ['addKey', 'removeKey', 'flushAuthorizerCache'] as const;

  test.each([
    ['throttled', THROTTLED],
    ['broken', BROKEN],
  ])('addKey retries while API Gateway is %s', async (_, fault) => {
    const gateway = await localGateway([fault, fault, fault]);
    const { error } = await outcomeInFastTime(() => gatewayParts().plan.addKey(ACME));
    expect(error).toBeUndefined();
    expect(gateway.members()).toEqual([ACME]);
  });

  test.each(ALL)(
    '%s throws Unavailable when API Gateway stays throttled or broken, or cannot be reached',
    async name => {
      for (const fault of [THROTTLED, BROKEN]) {
        await localGateway(always(fault));
        const { error } = await outcomeInFastTime(() => gatewayParts().plan[name](ACME));
        expect(error).toMatchObject({ name: 'Unavailable' });
      }
      vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', 'http://127.0.0.1:1');
      const { error } = await outcomeInFastTime(() => gatewayParts().plan[name](ACME));
      expect(error).toMatchObject({ name: 'Unavailable' });
    },
  );

  test.each(ALL)(
    '%s throws the error of API Gateway as it is when access is denied, without a retry',
    async name => {
      const gateway = await localGateway(always(FORBIDDEN));
      await expect(gatewayParts().plan[name](ACME)).rejects.toMatchObject({ name: 'AccessDeniedException' });
      expect(gateway.requests).toHaveLength(1);
    },
  );
});

const idsOf = (keys: readonly { keyId: string }[]) => keys.map(({ keyId }) => keyId).toSorted();

describe('gatewayKeys.list', () => {
  test('returns the keys with the tag of the environment, with their age', async () => {
    const gateway = await localGateway();
    await gatewayParts('other').gatewayKeys.create(ZOO);
    gateway.apiKeys.add({ name: ACME, value: 'a'.repeat(20), enabled: true, ...TIMES });
    const { gatewayKeys } = gatewayParts();
    const created = await gatewayKeys.create(ACME);
    expect(await gatewayKeys.list()).toEqual([created]);
    expect(created).toMatchObject({ id: expect.any(String), keyId: ACME, createdMs: expect.any(Number) });
    expect(Math.abs(Date.now() - created.createdMs)).toBeLessThan(60_000);
  });

  test('returns those of one of our keys', async () => {
    await localGateway();
    const { gatewayKeys } = gatewayParts();
    for (const keyId of [ACME, ZOO]) await gatewayKeys.create(keyId);
    expect(idsOf(await gatewayKeys.list(ZOO))).toEqual([ZOO]);
    expect(idsOf(await gatewayKeys.list())).toEqual([ACME, ZOO]);
  });

  test('reads as many pages as there are', async () => {
    const gateway = await localGateway();
    for (let index = 0; index < 501; index += 1) {
      const keyId = `key_${index}`;
      gateway.apiKeys.add({
        name: keyId,
        value: `value${index}`.padEnd(20, '0'),
        enabled: true,
        tags: { 'petstore:environment': ENVIRONMENT, 'petstore:key': keyId },
        ...TIMES,
      });
    }
    expect(await gatewayParts().gatewayKeys.list()).toHaveLength(501);
    expect(gateway.requests).toHaveLength(2);
  });
});
