import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { type ClientRequest, expectError, jsonBody, REQUEST_ID, TESTER } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const rex = { name: 'Rex', categoryId: 7 };

function withKey(idempotencyKey: string, body: unknown = rex): ClientRequest {
  return {
    ...jsonBody(body),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  };
}

test('201: the pet with its new id, and exactly the documented headers', async () => {
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

async function petCount(functions: PetFunctions): Promise<number> {
  const { body } = await functions.list({ query: { limit: '100' } });
  return (body as Pet[]).length;
}

describe('Idempotency-Key', () => {
  test('201: a repeated request gets the same response, marked as replayed; another caller another pet', async () => {
    const functions = await petFunctions();
    const first = await functions.create(withKey('k1'));
    expect(first.headers).not.toHaveProperty('Idempotency-Replayed');
    const same = '{ "categoryId": 7.0, "name": "Rex", "status": "available" }';
    const second = await functions.create(withKey('k1', same));
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(second.headers['Idempotency-Replayed']).toBe('true');
    const other = await functions.create({ ...withKey('k1'), authorizer: { ...TESTER, keyId: 'key_other' } });
    expect(other.headers).not.toHaveProperty('Idempotency-Replayed');
    expect(await petCount(functions)).toBe(2);
  });

  test.each([
    ['before its authorizer passed lineages on', { keyId: 'key_first' }],
    ['by the key that was rotated', { keyId: 'key_first', lineage: 'key_first' }],
  ])('201: a request that was first sent %s is replayed under the rotated key', async (_, first) => {
    const functions = await petFunctions();
    const under = (authorizer: object) =>
      functions.create({ ...withKey('k1'), authorizer: { ...TESTER, ...authorizer } });
    const created = await under(first);
    const replayed = await under({ keyId: 'key_second', lineage: 'key_first' });
    expect(replayed.text).toBe(created.text);
    expect(replayed.headers['Idempotency-Replayed']).toBe('true');
  });

  test('422: the same key with another body; 400: an invalid body does not use the key up', async () => {
    const functions = await petFunctions();
    expectError(await functions.create(withKey('k1', {})), 400, 'invalid_request');
    await functions.create(withKey('k1'));
    const response = await functions.create(withKey('k1', { ...rex, name: 'Max' }));
    const message = 'This Idempotency-Key was already used with a different body.';
    expectError(response, 422, 'idempotency_mismatch', message);
    expect(await petCount(functions)).toBe(1);
  });
});
