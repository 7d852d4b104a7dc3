import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/aws/unavailable.ts';
import { storedKey } from '../api-keys/stored-keys.ts';
import { type Operating, operating, refusal } from './operating.ts';

const UNKNOWN = 'key_000000000000000000000000';
const HOUR_MS = 60 * 60 * 1000;
const time = (ms: number) => new Date(ms).toISOString();

let world: Operating;
const changes = async () => (await world.audit.list(500)).map(({ command }) => command);

describe('keys.rotate', () => {
  beforeEach(async () => {
    world = await operating();
  });

  test('creates a key with the same name and scopes; the old one works for the overlap', async () => {
    const old = await storedKey(world.apiKeysTable, { name: 'Zoo', scopes: ['orders:read'] });
    const { key, ...rotated } = await world.done('keys.rotate', { id: old.id, overlapHours: 24 });
    const oldExpiresAt = time(world.clock.nowMs + 24 * HOUR_MS);
    expect(rotated).toMatchObject({
      name: 'Zoo',
      scopes: ['orders:read'],
      expiresAt: null,
      replaces: { id: old.id, expiresAt: oldExpiresAt },
    });
    expect(rotated.id).not.toBe(old.id);
    expect(world.plan.addKey.mock.calls).toEqual([[rotated.id]]);
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(1);
    expect(await world.apiKeys.find(old.id)).toEqual({ ...old.apiKey, expiresAt: oldExpiresAt });
    world.clock.nowMs += 24 * HOUR_MS - 1;
    expect(await world.apiKeys.use(old.key)).toBeDefined();
    world.clock.nowMs += 1;
    expect(await world.apiKeys.use(old.key)).toBeUndefined();
    expect(await world.apiKeys.use(key)).toBeDefined();
  });

  test.each([
    [0, 0],
    [0.5, HOUR_MS / 2],
    [720, 720 * HOUR_MS],
  ])('accepts an overlap of %d hours', async (overlapHours, overlapMs) => {
    const { id } = await storedKey(world.apiKeysTable);
    const { replaces } = await world.done('keys.rotate', { id, overlapHours });
    expect(replaces).toEqual({ id, expiresAt: time(world.clock.nowMs + overlapMs) });
  });

  test('keeps the expiry of an old key that expires before the end of the overlap', async () => {
    const expiresAt = time(world.clock.nowMs + HOUR_MS);
    const { id } = await storedKey(world.apiKeysTable, { expiresAt });
    const { replaces } = await world.done('keys.rotate', { id, overlapHours: 2 });
    expect(replaces).toEqual({ id, expiresAt });
    expect(await world.apiKeys.find(id)).toMatchObject({ expiresAt });
  });

  test('answers with the new key even when the cache cannot be flushed', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    world.plan.flushAuthorizerCache.mockRejectedValueOnce(new Unavailable('gone'));
    const { key } = await world.done('keys.rotate', { id, overlapHours: 1 });
    expect(await world.apiKeys.use(key)).toBeDefined();
  });

  test('creates no second key for a request that is delivered again', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    const request = { requestId: 'r', id, overlapHours: 1 };
    const { key, note, ...rotated } = await world.done('keys.rotate', request);
    expect(note).toContain('some seconds');
    expect(await world.ask('keys.rotate', request)).toEqual({ ok: true, replayed: true, result: rotated });
    expect(await world.apiKeys.list()).toHaveLength(2);
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['revoked', { revokedAt: '2026-01-31T11:00:00.000Z' }],
    ['expired', { expiresAt: '2026-01-31T12:00:00.000Z' }],
  ])('refuses a key that is %s: conflict', async (_, fields) => {
    const { id } = await storedKey(world.apiKeysTable, fields);
    expect(await world.ask('keys.rotate', { id, overlapHours: 1 })).toEqual(
      refusal('conflict', `The API key ${id} is no longer valid.`, 'key_not_valid'),
    );
    expect(world.plan.addKey).not.toHaveBeenCalled();
    expect(await changes()).toEqual([]);
  });

  test.each([null, '2026-01-31T12:30:00.000Z'])(
    'refuses a key (expiry %s) that is revoked meanwhile, and removes the new key from the usage plan: conflict',
    async expiresAt => {
      const { id } = await storedKey(world.apiKeysTable, { expiresAt });
      world.plan.addKey.mockImplementationOnce(async () => {
        await world.done('keys.revoke', { id });
      });
      const reply = await world.ask('keys.rotate', { id, overlapHours: 1 });
      expect(reply).toEqual(refusal('conflict', `There is no active key ${id}.`, 'key_not_valid'));
      expect(await world.apiKeys.list()).toHaveLength(1);
      expect(await changes()).toEqual(['keys.revoke']);
      const [[added] = []] = world.plan.addKey.mock.calls;
      expect(world.plan.removeKey.mock.calls.flat()).toEqual([id, added]);
    },
  );

  test('refuses an unknown id: not_found', async () => {
    expect(await world.ask('keys.rotate', { id: UNKNOWN, overlapHours: 1 })).toEqual(
      refusal('not_found', `There is no API key ${UNKNOWN}.`, 'key_unknown'),
    );
  });
});
