import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { type ClientRequest, expectError, jsonBody, TESTER } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const rex = { name: 'Rex', categoryId: 7 };

function withKey(idempotencyKey: string | string[], body: unknown = rex): ClientRequest {
  return {
    ...jsonBody(body),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  };
}

async function petCount(functions: PetFunctions): Promise<number> {
  const { body } = await functions.list({ query: { limit: '100' } });
  return (body as Pet[]).length;
}

describe('Idempotency-Key', () => {
  test('201: a repeated request gets the same answer, marked as replayed', async () => {
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

  test('201: eight concurrent requests add one animal', async () => {
    const functions = await petFunctions();
    const answers = await Promise.all(Array.from({ length: 8 }, () => functions.create(withKey('k1'))));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['Idempotency-Replayed'] === undefined)).toHaveLength(1);
    expect(await petCount(functions)).toBe(1);
  });

  test('201: the same key of another caller adds another animal', async () => {
    const functions = await petFunctions();
    const first = await functions.create(withKey('k1'));
    const other = await functions.create({ ...withKey('k1'), authorizer: { ...TESTER, keyId: 'key_other' } });
    expect(other.headers).not.toHaveProperty('Idempotency-Replayed');
    expect((other.body as Pet).id).not.toBe((first.body as Pet).id);
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
    '201: the key %s is no quoted text and is taken as it is',
    async key => {
      const functions = await petFunctions();
      expect((await functions.create(withKey(key))).status).toBe(201);
      const other = await functions.create(withKey(key.replaceAll('"', '')));
      expect(other.headers).not.toHaveProperty('Idempotency-Replayed');
    },
  );

  test('201: 255 characters between quotes', async () => {
    const functions = await petFunctions();
    expect((await functions.create(withKey(`"${'k'.repeat(255)}"`))).status).toBe(201);
  });

  test('201: the same body without a key adds another animal', async () => {
    const functions = await petFunctions();
    await functions.create(jsonBody(rex));
    await functions.create(jsonBody(rex));
    expect(await petCount(functions)).toBe(2);
  });

  test('422: the same key with another body', async () => {
    const functions = await petFunctions();
    await functions.create(withKey('k1'));
    const answer = await functions.create(withKey('k1', { ...rex, name: 'Max' }));
    expectError(
      answer,
      422,
      'idempotency_mismatch',
      'This Idempotency-Key was used before with another body.',
    );
    expect(await petCount(functions)).toBe(1);
  });

  test('400: an invalid body does not use the key up', async () => {
    const functions = await petFunctions();
    expectError(await functions.create(withKey('k1', {})), 400, 'invalid_request');
    expect((await functions.create(withKey('k1'))).headers).not.toHaveProperty('Idempotency-Replayed');
  });

  test.each([
    ['empty', '', 'Idempotency-Key must have 1 to 255 characters'],
    ['256 characters', 'k'.repeat(256), 'Idempotency-Key must have 1 to 255 characters'],
    ['256 characters in quotes', `"${'k'.repeat(256)}"`, 'Idempotency-Key must have 1 to 255 characters'],
    ['given twice', ['a', 'a'], 'Idempotency-Key must be given once'],
  ])('400: %s', async (_, key, message) => {
    const functions = await petFunctions({ tables: false });
    expectError(await functions.create(withKey(key)), 400, 'invalid_request', message);
  });
});
