import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { type ClientRequest, expectError, jsonBody, REQUEST_ID, TESTER } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const rex = { name: 'Rex', categoryId: 7 };

function withKey(idempotencyKey: string | string[], body: unknown = rex): ClientRequest {
  return {
    ...jsonBody(body),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  };
}

describe('201', () => {
  test('the pet with its new id, and exactly the documented headers', async () => {
    const functions = await petFunctions();
    const response = await functions.create(
      jsonBody('{"name":"Rex","categoryId":9223372036854775807,"status":"sold","shard":3}'),
    );
    expect(response.status).toBe(201);
    expect(response.text).toMatch(
      /^\{"id":\d{1,16},"name":"Rex","categoryId":9223372036854775807,"status":"sold"\}$/,
    );
    const { id } = response.body as Pet;
    expect(response.headers).toEqual({
      'Content-Type': 'application/json',
      Location: `https://api.example.com/staging/v1/pets/${id}`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': REQUEST_ID,
      Vary: 'Accept-Encoding',
    });
    expect((await functions.get(String(id))).text).toBe(response.text);
  });
});

test('400: not JSON', async () => {
  const functions = await petFunctions({ tables: false });
  expectError(await functions.create(jsonBody('{"name":')), 400, 'invalid_request', 'The body is not JSON.');
});

async function petCount(functions: PetFunctions): Promise<number> {
  const { body } = await functions.list({ query: { limit: '100' } });
  return (body as Pet[]).length;
}

describe('Idempotency-Key', () => {
  test('201: a repeated request gets the same response, marked as replayed', async () => {
    const functions = await petFunctions();
    const first = await functions.create(withKey('k1'));
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('Idempotency-Replayed');
    const second = await functions.create(
      withKey('k1', '{ "categoryId": 7.0, "name": "Rex", "status": "available" }'),
    );
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers['Idempotency-Replayed']).toBe('true');
    expect(await petCount(functions)).toBe(1);
  });

  test('201: the same key of another caller adds another pet', async () => {
    const functions = await petFunctions();
    const first = await functions.create(withKey('k1'));
    const other = await functions.create({ ...withKey('k1'), authorizer: { ...TESTER, keyId: 'key_other' } });
    expect(other.headers).not.toHaveProperty('Idempotency-Replayed');
    expect((other.body as Pet).id).not.toBe((first.body as Pet).id);
  });

  test.each([
    ['before its authorizer passed lineages on', { keyId: 'key_first' }],
    ['by the key that was rotated', { keyId: 'key_first', lineage: 'key_first' }],
  ])('201: a request that was first sent %s is replayed under the rotated key', async (_, first) => {
    const functions = await petFunctions();
    const under = (authorizer: object) =>
      functions.create({ ...withKey('k1'), authorizer: { ...TESTER, ...authorizer } });
    const created = await under(first);
    for (const keyId of ['key_second', 'key_third']) {
      const replayed = await under({ keyId, lineage: 'key_first' });
      expect(replayed.text).toBe(created.text);
      expect(replayed.headers['Idempotency-Replayed']).toBe('true');
    }
    expect(await petCount(functions)).toBe(1);
  });

  test('201: a key in quotes is the same key as without them', async () => {
    const functions = await petFunctions();
    const first = await functions.create(withKey('a "b" \\'));
    const quoted = await functions.create(withKey('"a \\"b\\" \\\\"'));
    expect(quoted.text).toBe(first.text);
    expect(quoted.headers['Idempotency-Replayed']).toBe('true');
    expect(await petCount(functions)).toBe(1);
  });

  test.each(['"', '""', '"a', 'a"', '"a"b"', '"a\\"', '"\\a"'])(
    '201: the key %s is not quoted and is taken as it is',
    async key => {
      const functions = await petFunctions();
      expect((await functions.create(withKey(key))).status).toBe(201);
      const other = await functions.create(withKey(key.replaceAll('"', '')));
      expect(other.headers).not.toHaveProperty('Idempotency-Replayed');
    },
  );

  test('201: the same body without a key adds another pet', async () => {
    const functions = await petFunctions();
    await functions.create(jsonBody(rex));
    await functions.create(jsonBody(rex));
    expect(await petCount(functions)).toBe(2);
  });

  test('422: the same key with another body', async () => {
    const functions = await petFunctions();
    await functions.create(withKey('k1'));
    const response = await functions.create(withKey('k1', { ...rex, name: 'Max' }));
    expectError(
      response,
      422,
      'idempotency_mismatch',
      'This Idempotency-Key was already used with a different body.',
    );
    expect(await petCount(functions)).toBe(1);
  });

  test('400: an invalid body does not use the key up', async () => {
    const functions = await petFunctions();
    expectError(await functions.create(withKey('k1', {})), 400, 'invalid_request');
    expect((await functions.create(withKey('k1'))).headers).not.toHaveProperty('Idempotency-Replayed');
  });

  test('201: 255 characters between quotes; 400: 256', async () => {
    const functions = await petFunctions();
    expect((await functions.create(withKey(`"${'k'.repeat(255)}"`))).status).toBe(201);
    const response = await functions.create(withKey(`"${'k'.repeat(256)}"`));
    expectError(response, 400, 'invalid_request', 'Idempotency-Key must have 1 to 255 characters');
  });
});
