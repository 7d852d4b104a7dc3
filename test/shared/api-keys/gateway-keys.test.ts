import { describe, expect, test } from 'vitest';
import { ENVIRONMENT, gatewayParts, localGateway } from './local-gateway.ts';

const ACME = 'key_0123456789abcdef01234567';
const ZOO = 'key_ffffffffffffffffffffffff';
const TIMES = { createdDate: 0, lastUpdatedDate: 0 };

const idsOf = (keys: readonly { keyId: string }[]) => keys.map(({ keyId }) => keyId).toSorted();

describe('list', () => {
  test('returns the keys with the tag of the environment, with their age', async () => {
    const gateway = await localGateway();
    await gatewayParts('other').gatewayKeys.create(ZOO);
    gateway.apiKeys.add({ name: ACME, value: 'a'.repeat(20), enabled: true, ...TIMES });
    const { gatewayKeys } = gatewayParts();
    const created = await gatewayKeys.create(ACME);
    expect(await gatewayKeys.list()).toEqual([created]);
    expect(created).toEqual({ id: expect.any(String), keyId: ACME, createdMs: expect.any(Number) });
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

test('remove succeeds when the key is gone already', async () => {
  const gateway = await localGateway();
  const { gatewayKeys } = gatewayParts();
  const key = await gatewayKeys.create(ACME);
  for (let time = 0; time < 2; time += 1) await gatewayKeys.remove(key);
  expect(gateway.apiKeys.list()).toEqual([]);
});
