import { beforeEach, describe, expect, test } from 'vitest';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import {
  keyDifferences,
  reconcileKeys,
  removeOrphans,
  withdrawKeys,
} from '../../../shared/api-keys/key-reconciliation.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { gatewayParts, localGateway, PLAN } from './local-gateway.ts';
import { newKey, storedKey } from './stored-keys.ts';

const MINUTE_MS = 60_000;
const PAST = '2026-01-31T13:00:00.000Z';

interface World {
  readonly gateway: Awaited<ReturnType<typeof localGateway>>;
  readonly table: string;
  readonly parts: ReturnType<typeof gatewayParts> & {
    apiKeys: ReturnType<typeof apiKeyStore>;
    now: () => number;
  };
}

let world: World;
let nowMs: number;
const namesAtGateway = () => world.gateway.apiKeys.list().map(({ name }) => name);

/** A key that is in the table and in the usage plan. */
async function member(fields: Parameters<typeof storedKey>[1] = {}): Promise<string> {
  const { id } = await storedKey(world.table, fields);
  await world.parts.plan.addKey(id);
  return id;
}

beforeEach(async () => {
  nowMs = Date.now();
  const [gateway, table] = [await localGateway(), await tableLike('ApiKeysTable')];
  world = { gateway, table, parts: { ...gatewayParts(), apiKeys: apiKeyStore(table), now: () => nowMs } };
});

test('keyDifferences says what a reconciliation would change, and changes nothing', async () => {
  const disabled = await member();
  const { id: missing } = await storedKey(world.table);
  const orphan = await member({ revokedAt: PAST });
  await world.parts.plan.addKey(newKey().id);
  const before = namesAtGateway();
  const [key] = await world.parts.gatewayKeys.list(disabled);
  Object.assign(world.gateway.apiKeys.list().find(({ name }) => name === disabled) ?? {}, { enabled: false });
  expect(await keyDifferences(world.parts)).toEqual({
    valid: 2,
    missing: [missing],
    disabled: [{ id: disabled, gatewayId: key?.id }],
    orphans: [orphan],
    recent: 1,
  });
  expect(namesAtGateway()).toEqual(before);
  expect(await reconcileKeys(world.parts)).toMatchObject({ added: [missing], removed: [orphan] });
  expect(await keyDifferences(world.parts)).toMatchObject({ missing: [], orphans: [] });
});

describe('removeOrphans', () => {
  test('removes the gateway keys of expired and revoked keys, and leaves those of valid keys', async () => {
    const valid = await member();
    const gone = [await member({ expiresAt: PAST }), await member({ revokedAt: PAST })];
    const { removed, remaining } = await removeOrphans(world.parts);
    expect(removed.toSorted()).toEqual(gone.toSorted());
    expect(remaining).toBe(0);
    expect(namesAtGateway()).toEqual([valid]);
  });

  test('removes a gateway key without a record, in the plan or not, once it is a quarter of an hour old', async () => {
    const [unrecorded, withoutPlan] = [newKey().id, newKey().id];
    await world.parts.plan.addKey(unrecorded);
    await world.parts.gatewayKeys.create(withoutPlan);
    nowMs += 14 * MINUTE_MS;
    expect(await removeOrphans(world.parts)).toEqual({ removed: [], remaining: 0 });
    nowMs += 2 * MINUTE_MS;
    expect((await removeOrphans(world.parts)).removed.toSorted()).toEqual(
      [unrecorded, withoutPlan].toSorted(),
    );
    expect(namesAtGateway()).toEqual([]);
  });

  test('leaves a key whose record is written while it runs', async () => {
    const { apiKey, hash, id } = newKey();
    await world.parts.plan.addKey(id);
    nowMs += 16 * MINUTE_MS;
    const { gatewayKeys, apiKeys } = world.parts;
    const list = async () => {
      const listed = await gatewayKeys.list();
      await transact([apiKeys.addition(apiKey, hash)]);
      return listed;
    };
    const { removed } = await removeOrphans({ ...world.parts, gatewayKeys: { ...gatewayKeys, list } });
    expect(removed).toEqual([]);
  });

  test('leaves the keys of other environments and teams', async () => {
    const { id } = newKey();
    await gatewayParts('other').plan.addKey(id);
    nowMs += 16 * MINUTE_MS;
    expect(await removeOrphans(world.parts)).toEqual({ removed: [], remaining: 0 });
    expect(namesAtGateway()).toEqual([id]);
  });

  test('removes the others when one cannot be removed, and then throws', async () => {
    const stuck = await member({ revokedAt: PAST });
    await member({ revokedAt: PAST });
    const { gatewayKeys } = world.parts;
    const remove: typeof gatewayKeys.remove = async key => {
      if (key.keyId === stuck) throw new Error('denied');
      await gatewayKeys.remove(key);
    };
    const parts = { ...world.parts, gatewayKeys: { ...gatewayKeys, remove } };
    await expect(removeOrphans(parts)).rejects.toThrow('denied');
    expect(namesAtGateway()).toEqual([stuck]);
  });
});

describe('reconcileKeys', () => {
  test('admits every valid key again after API Gateway lost them', async () => {
    const valid = await member();
    const { id: lost } = await storedKey(world.table);
    await storedKey(world.table, { revokedAt: PAST });
    expect(await reconcileKeys(world.parts)).toEqual({
      added: [lost],
      removed: [],
      remaining: 0,
      left: { valid: 1, recent: 0, foreign: 0 },
    });
    expect(world.gateway.members().toSorted()).toEqual([valid, lost].toSorted());
  });

  test('adds a key to a usage plan that was recreated', async () => {
    const { id } = await storedKey(world.table);
    await world.parts.gatewayKeys.create(id);
    expect(await reconcileKeys(world.parts)).toMatchObject({ added: [id] });
    expect(world.gateway.members()).toEqual([id]);
    expect(world.gateway.apiKeys.list()).toHaveLength(1);
  });

  test('removes orphans, and reports what it left', async () => {
    const orphan = await member({ expiresAt: PAST });
    await world.parts.plan.addKey(newKey().id);
    const foreign = world.gateway.apiKeys.add({
      name: 'theirs',
      value: 'a'.repeat(20),
      enabled: true,
      createdDate: 0,
      lastUpdatedDate: 0,
    });
    world.gateway.apiKeys.addToPlan(foreign.id, PLAN.usagePlanId);
    expect(await reconcileKeys(world.parts)).toEqual({
      added: [],
      removed: [orphan],
      remaining: 0,
      left: { valid: 0, recent: 1, foreign: 1 },
    });
  });

  test('starts no change after 30 seconds, and says how many are left', async () => {
    for (let count = 0; count < 3; count += 1) await storedKey(world.table);
    const { plan } = world.parts;
    const addMember: typeof plan.addMember = key => {
      nowMs += 20_000;
      return plan.addMember(key);
    };
    const slow = { ...world.parts, plan: { ...plan, addMember } };
    expect(await reconcileKeys(slow)).toMatchObject({ remaining: 1 });
    expect(await reconcileKeys(slow)).toMatchObject({ remaining: 0, left: { valid: 2 } });
    expect(world.gateway.members()).toHaveLength(3);
  });
});

test('withdrawKeys removes every key of the environment from API Gateway, and keeps the records', async () => {
  const ids = [await member(), await member({ revokedAt: PAST })];
  const { id: others } = newKey();
  await gatewayParts('other').plan.addKey(others);
  const { removed, remaining } = await withdrawKeys(world.parts);
  expect([removed.toSorted(), remaining]).toEqual([ids.toSorted(), 0]);
  expect(namesAtGateway()).toEqual([others]);
  expect(await world.parts.apiKeys.list()).toHaveLength(2);
});
