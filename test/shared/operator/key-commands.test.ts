import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/aws/retries.ts';
import { loggedLines } from '../../functions/logged-lines.ts';
import { localGateway } from '../api-keys/local-gateway.ts';
import { PREFIX, storedKey } from '../api-keys/stored-keys.ts';
import { type Operating, operating, refusal } from './operating.ts';

const UNKNOWN = 'key_000000000000000000000000';
const HOUR_MS = 60 * 60 * 1000;

let world: Operating;
const newWorld = async () => {
  world = await operating();
};

const changes = async () => (await world.audit.list(500)).map(({ command }) => command);

describe('keys.create', () => {
  beforeEach(newWorld);

  test('returns the key, which works at once and is not recorded', async () => {
    const { key, note, ...apiKey } = await world.done('keys.create', { name: 'Acme' });
    expect(note).toBe('It can take a few seconds to work; until then, requests return 401.');
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

  test('takes scopes, and a time of expiry with any offset, up to the end of its second', async () => {
    const expiry = { scopes: ['pets:read'], expiresAt: '2030-01-31T12:00:00.001+01:00' };
    const fields = { requestId: 'r', name: 'Acme', ...expiry };
    const { key, id } = await world.done('keys.create', fields);
    const known = { id, scopes: ['pets:read'], expiresAt: '2030-01-31T11:00:01.000Z' };
    expect(await world.apiKeys.use(key)).toMatchObject(known);
    world.clock.nowMs = Date.parse('2031-01-01');
    expect(await world.done('keys.create', fields)).toMatchObject(known);
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

  test('gives all deliveries with one seed the same key, which stays in the usage plan', async () => {
    const seed = 'a'.repeat(48);
    const create = () => world.done('keys.create', { requestId: 'r', seed, name: 'Acme' });
    const created = await Promise.all(Array.from({ length: 8 }, create));
    expect(new Set(created.map(({ key }) => key))).toEqual(new Set([(await create()).key]));
    expect(await world.apiKeys.use(created[0].key)).toMatchObject({ id: created[0].id, name: 'Acme' });
    expect([await changes(), world.plan.removeKey.mock.calls]).toEqual([['keys.create'], []]);

    const rotate = { requestId: 'o', seed, id: created[0].id, overlapHours: 1 };
    const rotated = await world.done('keys.rotate', rotate);
    expect(rotated.key).not.toBe(created[0].key);
    expect(await world.done('keys.rotate', rotate)).toEqual(rotated);
    for (const other of [{}, { seed: 'b'.repeat(48) }]) {
      const { seed: _, ...withoutSeed } = rotate;
      expect(await world.done('keys.rotate', { ...withoutSeed, ...other })).not.toHaveProperty('key');
    }
    expect(JSON.stringify(await world.audit.list(10))).not.toContain(seed);
  });

  test('writes nothing when API Gateway cannot add the key to the usage plan', async () => {
    loggedLines();
    world.plan.addKey.mockRejectedValueOnce(new Unavailable('gone'));
    expect(await world.ask('keys.create', { name: 'Acme' })).toMatchObject({
      error: { code: 'unavailable' },
    });
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
    const page = await world.done('keys.list', { limit: 1 });
    expect(page).toMatchObject({ keys: [keys[0]], next: expect.any(String) });
    expect(await world.done('keys.list', { limit: 1, after: page.next })).toEqual({
      keys: [keys[1]],
      next: null,
    });
  });
});

describe('keys.revoke', () => {
  beforeEach(newWorld);

  test('ends a key, flushes the authorizer cache and removes the key from the usage plan', async () => {
    const { key, note: _, ...apiKey } = await world.done('keys.create', { name: 'Acme' });
    world.clock.nowMs += HOUR_MS;
    const revoked = { ...apiKey, revokedAt: '2026-01-31T13:00:00.000Z' };
    expect(await world.done('keys.revoke', { id: apiKey.id })).toEqual(revoked);
    expect(await world.apiKeys.use(key)).toMatchObject({ reason: 'revoked' });
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

  test('tells eight operators at once that the key is revoked, and records one change', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    // Each reading of the clock differs, so each operator would write another time.
    let nowMs = world.clock.nowMs;
    Object.defineProperty(world.clock, 'nowMs', { get: () => nowMs++ });
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.ask('keys.revoke', { id })));
    expect(await changes()).toEqual(['keys.revoke']);
    const revoked = await world.apiKeys.find(id);
    expect(replies).toEqual(Array(8).fill({ ok: true, result: revoked }));
  });

  test.each(['keys.revoke', 'keys.rotate'])('%s refuses an unknown id: not_found', async command => {
    const input = { id: UNKNOWN, ...(command === 'keys.rotate' && { overlapHours: 1 }) };
    expect(await world.ask(command, input)).toEqual(
      refusal('not_found', `No API key has the id ${UNKNOWN}.`, 'key_unknown'),
    );
    expect(world.plan.flushAuthorizerCache).not.toHaveBeenCalled();
  });
});

describe('keys.forget', () => {
  beforeEach(newWorld);

  test('deletes the record of a key that is revoked or has expired', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    const revoked = await world.done('keys.revoke', { id });
    expect(await world.done('keys.forget', { id })).toEqual(revoked);
    const expiresAt = new Date(world.clock.nowMs + HOUR_MS).toISOString();
    const expiring = await world.done('keys.create', { name: 'Acme', expiresAt });
    world.clock.nowMs += HOUR_MS;
    await world.done('keys.forget', { id: expiring.id });
    expect(await world.apiKeys.list()).toEqual([]);
    expect(await changes()).toContain('keys.forget');
  });

  test('refuses a valid key: conflict', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    expect(await world.ask('keys.forget', { id })).toEqual(
      refusal('conflict', `API key ${id} is still valid. Revoke it first.`, 'key_valid'),
    );
    expect(await world.apiKeys.find(id)).toBeDefined();
  });
});

const time = (ms: number) => new Date(ms).toISOString();

describe('keys.rotate', () => {
  beforeEach(newWorld);

  test('creates a key with the same name and scopes; the old one works for the overlap', async () => {
    const old = await storedKey(world.apiKeysTable, { name: 'Zoo', scopes: ['orders:read'] });
    const { key, ...rotated } = await world.done('keys.rotate', { id: old.id, overlapHours: 24 });
    const oldExpiresAt = time(world.clock.nowMs + 24 * HOUR_MS);
    expect(rotated).toMatchObject({
      name: 'Zoo',
      scopes: ['orders:read'],
      expiresAt: null,
      note: expect.stringContaining('a few seconds'),
      replaces: { id: old.id, expiresAt: oldExpiresAt },
    });
    expect(rotated.id).not.toBe(old.id);
    expect(JSON.stringify(await world.audit.list(10))).not.toContain(key.slice(PREFIX.length, -4));
    expect(world.plan.addKey.mock.calls).toEqual([[rotated.id]]);
    expect(world.plan.flushAuthorizerCache).toHaveBeenCalledTimes(1);
    expect(await world.apiKeys.find(old.id)).toEqual({ ...old.apiKey, expiresAt: oldExpiresAt });
    world.clock.nowMs += 24 * HOUR_MS - 1;
    expect(await world.apiKeys.use(old.key)).toMatchObject({ id: old.id });
    world.clock.nowMs += 1;
    expect(await world.apiKeys.use(old.key)).toMatchObject({ reason: 'expired' });
    expect(await world.apiKeys.use(key)).toMatchObject({ id: rotated.id });
  });

  test('gives every key of a chain of rotations the lineage of the first', async () => {
    const first = await storedKey(world.apiKeysTable);
    const second = await world.done('keys.rotate', { id: first.id, overlapHours: 1 });
    const third = await world.done('keys.rotate', { id: second.id, overlapHours: 1 });
    const other = await world.done('keys.create', { name: 'Zoo' });
    for (const { key } of [second, third]) {
      expect(await world.apiKeys.use(key)).toMatchObject({ lineage: first.id });
    }
    for (const { key } of [first, other]) {
      expect(await world.apiKeys.use(key)).not.toHaveProperty('lineage');
    }
  });

  test.each([
    [0, 0],
    [0.5, HOUR_MS / 2],
    // To the end of the second.
    [1.0001, HOUR_MS + 1000],
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

  test('returns the new key and a warning when the cache cannot be flushed', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    world.plan.flushAuthorizerCache.mockRejectedValueOnce(new Unavailable('gone'));
    const reply = await world.ask('keys.rotate', { id, overlapHours: 0 });
    expect(reply).toMatchObject({
      warnings: [expect.stringContaining(`${id}, may work up to five minutes`)],
    });
    const { key, id: newId } = (reply as { result: { key: string; id: string } }).result;
    expect(await world.apiKeys.use(key)).toMatchObject({ id: newId });
  });

  test.each([
    ['revoked', { revokedAt: '2026-01-31T11:00:00.000Z' }],
    ['expired', { expiresAt: '2026-01-31T12:00:00.000Z' }],
  ])('refuses a key that is %s: conflict', async (_, fields) => {
    const { id } = await storedKey(world.apiKeysTable, fields);
    expect(await world.ask('keys.rotate', { id, overlapHours: 1 })).toEqual(
      refusal('conflict', `API key ${id} is no longer valid.`, 'key_not_valid'),
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
      expect(reply).toEqual(refusal('conflict', `No active API key has the id ${id}.`, 'key_not_valid'));
      expect(await world.apiKeys.list()).toHaveLength(1);
      expect(await changes()).toEqual(['keys.revoke']);
      const [[added] = []] = world.plan.addKey.mock.calls;
      expect(world.plan.removeKey.mock.calls.flat()).toEqual([id, added]);
    },
  );
});

describe('a request with invalid fields', () => {
  beforeAll(newWorld);

  // What else a name must not have: projects.rename, in project-commands.test.ts.
  const NAME =
    'name must be 1–100 characters on one line, in any script, without control or text-direction characters';
  const TIME = 'expiresAt must be a time such as 2030-01-31T12:00:00Z';
  const SCOPES = 'must be one of pets:read, pets:write, orders:read';

  test.each([
    [{}, 'name is required'],
    [{ name: '' }, NAME],
    [{ name: 'a'.repeat(101) }, NAME],
    [{ name: 5 }, 'name must be text'],
    [{ name: null }, 'name must be text'],
    [{ name: 'Acme', expiresAt: '2030-01-31' }, TIME],
    [{ name: 'Acme', expiresAt: '2030-02-30T12:00:00Z' }, TIME],
    [{ name: 'Acme', expiresAt: 'tomorrow' }, TIME],
    [{ name: 'Acme', expiresAt: 1_900_000_000 }, TIME],
    [{ name: 'Acme', expiresAt: null }, TIME],
    [{ name: 'Acme', expiresAt: '2026-01-31T12:00:00Z' }, 'expiresAt must be in the future'],
    [{ name: 'Acme', expiresAt: '2026-01-31T12:30:00+01:00' }, 'expiresAt must be in the future'],
    [{ name: 'Acme', scopes: [] }, 'scopes must name at least one scope'],
    [{ name: 'Acme', scopes: 'pets:read' }, 'scopes must be a list of scopes'],
    [{ name: 'Acme', scopes: ['pets:read', 'pets:delete'] }, `scopes.1 ${SCOPES}`],
    [{ name: 'Acme', scopes: ['pets:read', 'pets:read'] }, 'scopes must name each scope once'],
  ])(
    'keys.create %j is refused with the names of the fields, and nothing is created',
    async (fields, message) => {
      expect(await world.ask('keys.create', fields)).toEqual(
        refusal('invalid_request', message, 'input_invalid'),
      );
      expect(await world.apiKeys.list()).toEqual([]);
      expect(world.plan.addKey).not.toHaveBeenCalled();
    },
  );

  test.each([{}, { id: 'key_1' }, { id: 5 }, { id: 'pet_test_0123456789abcdefghijABCDEFGH012345' }])(
    'keys.revoke %j is refused, and the value is not repeated',
    async fields => {
      const reply = await world.ask('keys.revoke', fields);
      expect(reply).toEqual(
        refusal('invalid_request', expect.stringMatching(/^id (is required|must be )/), 'id_invalid'),
      );
      expect(JSON.stringify(reply)).not.toContain('pet_test');
    },
  );

  test.each([
    [{ id: UNKNOWN }, 'input_invalid', 'overlapHours is required'],
    [{ id: UNKNOWN, overlapHours: '24' }, 'input_invalid', 'overlapHours must be a number of hours'],
    [{ id: UNKNOWN, overlapHours: -1 }, 'input_invalid', 'overlapHours must be from 0 to 720 hours'],
    [{ id: UNKNOWN, overlapHours: 721 }, 'input_invalid', 'overlapHours must be from 0 to 720 hours'],
    [
      { id: 'Acme', overlapHours: null },
      'id_invalid',
      'id must be a key ID, such as key_0123456789abcdef01234567; overlapHours must be a number of hours',
    ],
  ] as const)(
    'keys.rotate %j is refused as %s, with the names of the fields',
    async (fields, reason, message) => {
      expect(await world.ask('keys.rotate', fields)).toEqual(refusal('invalid_request', message, reason));
    },
  );
});

describe('keys at API Gateway', () => {
  let gateway: Awaited<ReturnType<typeof localGateway>>;
  beforeEach(async () => {
    gateway = await localGateway();
    await newWorld();
  });

  test('keys.reconcile admits valid keys again, and records what it did', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    const result = { added: [id], removed: [], remaining: 0, left: { valid: 0, recent: 0, foreign: 0 } };
    expect(await world.done('keys.reconcile')).toEqual(result);
    expect(gateway.members()).toEqual([id]);
    expect(await world.audit.list(10)).toMatchObject([{ command: 'keys.reconcile', result }]);
    expect(await world.done('keys.reconcile')).toMatchObject({ added: [], left: { valid: 1 } });
  });

  test('keys.withdraw removes the keys from API Gateway, and keys.reconcile brings them back', async () => {
    const { id } = await storedKey(world.apiKeysTable);
    await world.done('keys.reconcile');
    expect(await world.done('keys.withdraw')).toEqual({ removed: [id], remaining: 0 });
    expect(gateway.apiKeys.list()).toEqual([]);
    expect(await world.done('keys.withdraw')).toEqual({ removed: [], remaining: 0 });
    expect(await world.done('keys.reconcile')).toMatchObject({ added: [id] });
  });
});
