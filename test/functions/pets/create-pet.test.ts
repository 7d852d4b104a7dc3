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
    const response = await functions.create(jsonBody({ ...rex, status: 'sold' }));
    expect(response.status).toBe(201);
    expect(response.text).toMatch(/^\{"id":\d{1,16},"name":"Rex","categoryId":7,"status":"sold"\}$/);
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

  test('status available by default', async () => {
    const functions = await petFunctions();
    expect((await functions.create(jsonBody(rex))).body).toMatchObject({ status: 'available' });
  });

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'the category %s comes back digit for digit',
    async categoryId => {
      const functions = await petFunctions();
      const { text, body } = await functions.create(jsonBody(`{"name":"Rex","categoryId":${categoryId}}`));
      expect(text).toContain(`"categoryId":${categoryId},`);
      expect((await functions.get(String((body as Pet).id))).text).toBe(text);
      expect((await functions.list()).text).toBe(`[${text}]`);
    },
  );

  test('unknown fields are neither returned nor stored', async () => {
    const functions = await petFunctions();
    const { text, body } = await functions.create(jsonBody({ ...rex, id: 1, writeToken: 'x', shard: 3 }));
    expect(Object.keys(body as Pet)).toEqual(['id', 'name', 'categoryId', 'status']);
    expect((await functions.get(String((body as Pet).id))).text).toBe(text);
  });
});

test.each([
  ['no body', undefined, 'the body is required'],
  ['not JSON', '{"name":', 'The body is not JSON.'],
  [
    'every field wrong',
    '{"name":1,"categoryId":9223372036854775808,"status":2}',
    'name must be a string; categoryId must be an integer from -9223372036854775808 to 9223372036854775807; status must be one of available, pending, sold',
  ],
])('400: %s', async (_, body, message) => {
  const functions = await petFunctions({ tables: false });
  const request = body === undefined ? {} : jsonBody(body);
  expectError(await functions.create(request), 400, 'invalid_request', message);
});

test('413: a body of 16,385 bytes; one of 16,384 is accepted', async () => {
  const functions = await petFunctions();
  const padded = (bytes: number) => JSON.stringify(rex).padEnd(bytes);
  expectError(await functions.create(jsonBody(padded(16_385))), 413, 'payload_too_large');
  expect((await functions.create(jsonBody(padded(16_384)))).status).toBe(201);
});

test('415: no Content-Type', async () => {
  const functions = await petFunctions({ tables: false });
  expectError(await functions.create({ body: JSON.stringify(rex) }), 415, 'unsupported_media_type');
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

  test('201: eight concurrent requests add one pet', async () => {
    const functions = await petFunctions();
    const responses = await Promise.all(Array.from({ length: 8 }, () => functions.create(withKey('k1'))));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['Idempotency-Replayed'] === undefined)).toHaveLength(1);
    expect(await petCount(functions)).toBe(1);
  });

  test('201: the same key of another caller adds another pet', async () => {
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
    ['256 characters in quotes', `"${'k'.repeat(256)}"`, 'Idempotency-Key must have 1 to 255 characters'],
    ['given twice', ['a', 'a'], 'Idempotency-Key must be given once'],
  ])('400: %s', async (_, key, message) => {
    const functions = await petFunctions({ tables: false });
    expectError(await functions.create(withKey(key)), 400, 'invalid_request', message);
  });
});
