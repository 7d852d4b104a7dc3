import { APIGatewayClient, DeleteApiKeyCommand, GetApiKeysCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { SCOPE_NAMES } from '../../shared/api-keys/scopes.ts';
import { client, expectError, type HttpResponse } from './http-client.ts';
import { done, operate } from './operator.ts';
import { awsClientOptions } from './running-service.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const HOUR_MS = 60 * 60 * 1000;

const send = client(() => service.staging);

describe('an API key', () => {
  const ask = (command: string, fields = {}) => done(service, 'staging', command, fields);
  const listed = async (id: string) =>
    (await ask('keys.list')).keys.find((apiKey: { id: string }) => apiKey.id === id);

  const get = (key: string, path = '/pets?limit=1'): Promise<HttpResponse> =>
    send(`GET ${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const status = async (key: string) => (await get(key)).status;

  /** Uses a key until it expires and expects 401 from that moment on. Returns how many requests were served before. */
  async function servedUntil(key: string, expiresAt: string): Promise<number> {
    const endMs = Date.parse(expiresAt);
    for (let served = 0; ; served += 1) {
      const startedAtMs = Date.now();
      const response = await get(key);
      if (startedAtMs >= endMs) {
        expectError(response, 401, 'unauthorized');
        return served;
      }
      if (Date.now() < endMs) expect(response.status).toBe(200);
    }
  }

  test('200, 401: works from its creation to its revocation', async () => {
    const { key, id, hint } = await ask('keys.create', { name: 'Acme' });
    expect([await status(key), await status(key)]).toEqual([200, 200]);
    expect(await listed(id)).toEqual({
      id,
      hint,
      name: 'Acme',
      scopes: [...SCOPE_NAMES],
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: expect.any(String),
      revokedAt: null,
    });
    await ask('keys.revoke', { id });
    const response = await get(key);
    expectError(response, 401, 'unauthorized');
    expect(response.text).toBe((await get(generateKey(key.slice(0, 'pet_live_'.length)))).text);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    expect(await listed(id)).toMatchObject({ revokedAt: expect.any(String) });
    await ask('keys.forget', { id });
    expect(await listed(id)).toBeUndefined();
  });

  test('200, 401: a key in use while it is revoked gets no other status, and 401 once the revocation has returned', async () => {
    const { key, id } = await ask('keys.create', { name: 'Busy' });
    const statuses: number[] = [];
    let isRevoked = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isRevoked) statuses.push(await status(key));
    });
    await expect.poll(() => statuses.length, { interval: 5 }).toBeGreaterThan(12);
    await ask('keys.revoke', { id });
    isRevoked = true;
    expect(await status(key)).toBe(401);
    await Promise.all(clients);
    expect(statuses.filter(each => each !== 200 && each !== 401)).toEqual([]);
  });

  test('401: its usage plan key was deleted, although the authorizer’s response is cached', async () => {
    const { key, id } = await ask('keys.create', { name: 'Acme' });
    expect(await status(key)).toBe(200);
    const gateway = new APIGatewayClient(awsClientOptions(service));
    const { items: [counted] = [] } = await gateway.send(new GetApiKeysCommand({ nameQuery: id }));
    await gateway.send(new DeleteApiKeyCommand({ apiKey: counted?.id }));
    gateway.destroy();
    expectError(await get(key), 401, 'unauthorized');
  });

  test('201: an Idempotency-Key counts before, during and after rotations: one animal', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const create = (key: string) =>
      send('POST /pets', {
        headers: { ...headers, Authorization: `Bearer ${key}` },
        body: { name: 'Rotated', categoryId: 1 },
      });
    const first = await ask('keys.create', { name: 'Acme' });
    const responses: HttpResponse[] = await Promise.all(Array.from({ length: 3 }, () => create(first.key)));
    let isRotated = false;
    const during = Array.from({ length: 2 }, async () => {
      while (!isRotated) responses.push(await create(first.key));
    });
    const second = await ask('keys.rotate', { id: first.id, overlapHours: 1 });
    isRotated = true;
    await Promise.all(during);
    responses.push(...(await Promise.all([first.key, second.key].map(create))));
    const third = await ask('keys.rotate', { id: second.id, overlapHours: 0 });
    responses.push(await create(third.key), await create(first.key));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    const replayed = responses.filter(each => each.headers['idempotency-replayed'] === 'true');
    expect(replayed).toHaveLength(responses.length - 1);
    const other = await create((await ask('keys.create', { name: 'Acme' })).key);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('401: the old key expires exactly with the overlap, although the authorizer’s response is cached', async () => {
    // A slow machine needs a longer life.
    for (const lifeMs of [600, 2400, 9600]) {
      const { key, id } = await ask('keys.create', { name: 'Acme' });
      expect(await status(key)).toBe(200);
      const rotated = await ask('keys.rotate', { id, overlapHours: lifeMs / HOUR_MS });
      const served = await servedUntil(key, rotated.replaces.expiresAt);
      expect(await status(rotated.key)).toBe(200);
      if (served > 1) return;
    }
    expect.fail('The key was never used before its end.');
  });

  test('is not created by the function for checks', async () => {
    const payload = { command: 'keys.create', name: `Key ${crypto.randomUUID()}` };
    expect(await operate(service, 'staging', payload, 'petstore-staging-checks')).toMatchObject({
      ok: false,
      error: { code: 'forbidden', reason: 'not_a_check' },
    });
    const { keys } = await ask('keys.list');
    expect(keys).not.toContainEqual(expect.objectContaining({ name: payload.name }));
  });
});
