import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Unavailable } from '../../../shared/aws/unavailable.ts';
import { PREFIX, storedKey } from '../api-keys/stored-keys.ts';
import { type Operating, operating, refusal } from './operating.ts';

const UNKNOWN = 'key_000000000000000000000000';
const HOUR_MS = 60 * 60 * 1000;

let world: Operating;
const newWorld = async () => {
  world = await operating();
};

const changes = async () => (await world.audit.list(500)).map(({ command }) => command);

/** Keeps the expected error lines out of the output of the tests. */
function muteLog() {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
}

describe('keys.create', () => {
  beforeEach(newWorld);

  test('answers with the key, which works at once and is not recorded', async () => {
    const { key, note, ...apiKey } = await world.done('keys.create', { name: 'Acme' });
    expect(note).toBe(
      'The key may be answered with 401 for some seconds, until all of API Gateway knows it.',
    );
    expect(key).toMatch(/^pet_test_[0-9A-Za-z]{34}$/);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      name: 'Acme',
      hint: `pet_test_…${key.slice(-4)}`,
      scopes: ['pets:read', 'pets:write', 'orders:read'],
      createdAt: '2026-01-31T12:00:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await world.apiKeys.use(key)).toEqual(apiKey);
    expect(world.plan.addKey.mock.calls).toEqual([[apiKey.id]]);
    expect(JSON.stringify(await world.audit.list(10))).not.toContain(key.slice(PREFIX.length, -4));
  });

  test('takes scopes, and a time of expiry with any offset', async () => {
    const fields = { name: 'Acme', scopes: ['pets:read'], expiresAt: '2030-01-31T12:00:00+01:00' };
    const { key, id } = await world.done('keys.create', fields);
    const known = { id, scopes: ['pets:read'], expiresAt: '2030-01-31T11:00:00.000Z' };
    expect(await world.apiKeys.use(key)).toMatchObject(known);
  });

  test('creates no second key for a request that is delivered again, and does not repeat the secret', async () => {
    const request = { requestId: 'r', name: 'Acme' };
    const { key, note: _, ...apiKey } = await world.done('keys.create', request);
    expect(await world.ask('keys.create', request)).toEqual({ ok: true, replayed: true, result: apiKey });
    expect(await world.apiKeys.list()).toEqual([apiKey]);
    expect(await world.apiKeys.use(key)).toBeDefined();
    expect(world.plan.addKey).toHaveBeenCalledTimes(1);
  });

  test('creates one key for eight deliveries at once, and removes the seven others from the usage plan', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => world.ask('keys.create', { requestId: 'r', name: 'Acme' })),
    );
    const [apiKey, ...more] = await world.apiKeys.list();
    expect(more).toEqual([]);
    const withKey = replies.filter(reply => reply.ok && 'key' in (reply.result as object));
    expect(withKey).toMatchObject([{ result: { id: apiKey?.id } }]);
    const added = new Set(world.plan.addKey.mock.calls.flat());
    for (const [id] of world.plan.removeKey.mock.calls) added.delete(id);
    expect([...added]).toEqual([apiKey?.id]);
  });

  test('writes nothing when API Gateway cannot add the key to the usage plan', async () => {
    muteLog();
    world.plan.addKey.mockRejectedValueOnce(new Unavailable('gone'));
    expect(await world.ask('keys.create', { name: 'Acme' })).toMatchObject({
      error: { code: 'unavailable' },
    });
    vi.restoreAllMocks();
    expect([await world.apiKeys.list(), await changes()]).toEqual([[], []]);
  });

  test('refuses when the account has as many keys as its quota allows: conflict', async () => {
    const error = Object.assign(new Error('too many'), { name: 'LimitExceededException' });
    world.plan.addKey.mockRejectedValueOnce(error);
    expect(await world.ask('keys.create', { name: 'Acme' })).toEqual(
      refusal('conflict', expect.stringContaining('quota'), 'key_quota_reached'),
    );
    expect(await world.apiKeys.list()).toEqual([]);
  });

  test.each(['A', 'a'.repeat(100), '🐕'.repeat(100), 'Acme, the zoo'])('accepts the name %s', async name => {
    expect(await world.done('keys.create', { name })).toMatchObject({ name });
  });
});

describe('keys.list', () => {
  beforeEach(newWorld);

  test('lists every key, the oldest first, with no more of each than its last four characters', async () => {
    const first = await world.done('keys.create', { name: 'First' });
    world.clock.nowMs += 1;
    const second = await world.done('keys.create', { name: 'Second' });
    await world.apiKeys.use(first.key);
    const { keys } = await world.done('keys.list');
    expect(keys).toMatchObject([
      { id: first.id, name: 'First', lastUsedAt: '2026-01-31T12:00:00.001Z' },
      { id: second.id, name: 'Second', lastUsedAt: null },
    ]);
    for (const { key } of [first, second]) expect(JSON.stringify(keys)).not.toContain(key.slice(9, 21));
  });

  test('is empty without keys', async () => {
    expect(await world.done('keys.list')).toEqual({ keys: [] });
  });
});

describe('keys.revoke', () => {
  beforeEach(newWorld);

  test('ends a key, flushes the authorizer cache and removes the key from the usage plan', async () => {
    const { key, note: _, ...apiKey } = await world.done('keys.create', { name: 'Acme' });
    world.clock.nowMs += HOUR_MS;
    const revoked = { ...apiKey, revokedAt: '2026-01-31T13:00:00.000Z' };
    expect(await world.done('keys.revoke', { id: apiKey.id })).toEqual(revoked);
    expect(await world.apiKeys.use(key)).toBeUndefined();
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(1);
    expect(world.plan.removeKey.mock.calls).toEqual([[apiKey.id]]);
  });

  test('revokes once when asked twice, and repeats the follow-up', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    const first = await world.done('keys.revoke', { id });
    world.clock.nowMs += HOUR_MS;
    expect(await world.done('keys.revoke', { id })).toEqual(first);
    expect(await changes()).toEqual(['keys.revoke']);
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(2);
    expect(world.plan.removeKey).toHaveBeenCalledTimes(2);
  });

  test('completes the follow-up when the request is delivered again', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    muteLog();
    world.plan.flushAuthorizerCache.mockRejectedValueOnce(new Unavailable('gone'));
    const request = { requestId: 'r', id };
    expect(await world.ask('keys.revoke', request)).toMatchObject({ error: { code: 'unavailable' } });
    vi.restoreAllMocks();
    expect(await world.ask('keys.revoke', request)).toMatchObject({ ok: true, replayed: true });
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(2);
    expect(world.plan.removeKey.mock.calls).toEqual([[id]]);
  });

  test('answers eight operators at once that the key is revoked, and records one change', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    // Each reading of the clock differs, so each operator would write another time.
    let nowMs = world.clock.nowMs;
    Object.defineProperty(world.clock, 'nowMs', { get: () => nowMs++ });
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.ask('keys.revoke', { id })));
    expect(await changes()).toEqual(['keys.revoke']);
    const revoked = await world.apiKeys.find(id);
    expect(replies).toEqual(Array(8).fill({ ok: true, result: revoked }));
  });

  test('refuses an unknown id: not_found', async () => {
    expect(await world.ask('keys.revoke', { id: UNKNOWN })).toEqual(
      refusal('not_found', `There is no API key ${UNKNOWN}.`, 'key_unknown'),
    );
    expect(world.plan.flushAuthorizerCache).not.toHaveBeenCalled();
  });
});
