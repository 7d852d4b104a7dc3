import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { expectError, jsonBody, REQUEST_ID } from '../proxy-event.ts';
import { petFunctions } from './pet-functions.ts';

/** The headers of every error: deprecated since 5 December 2025, removed five years later. */
const DEPRECATION = {
  Deprecation: '@1764892800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '<https://api.example.com/staging/v1/pets>; rel="successor-version"',
};

test.each([1, 4])(
  '200: the pet, as soon as it is created, and a link to the list that it is in, with %i shards',
  async shards => {
    const functions = await petFunctions({ shards });
    for (let round = 0; round < 5; round += 1) {
      const created = await functions.create(
        jsonBody({ name: `Pet ${round}`, categoryId: 7, status: 'pending' }),
      );
      const response = await functions.get(String((created.body as Pet).id));
      expect(response.status).toBe(200);
      expect(response.text).toBe(created.text);
      expect(response.headers).toEqual({
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': REQUEST_ID,
        Vary: 'Accept-Encoding',
        ...DEPRECATION,
        Link: '<https://api.example.com/staging/v1/pets?status=pending>; rel="successor-version"',
      });
    }
  },
);

describe('404', () => {
  test.each([
    ['beyond int64', '9223372036854775808'],
    ['letters', 'abc'],
    ['a malformed escape', '%zz'],
    ['the name of the list', 'pets'],
  ])('%s', async (_, petId) => {
    const { get } = await petFunctions({ tables: false });
    const response = await get(petId);
    expectError(response, 404, 'not_found', 'There is no animal with this id.');
    expect(response.headers).toMatchObject(DEPRECATION);
  });

  test('an id that no pet has', async () => {
    const functions = await petFunctions();
    const { body } = await functions.create(jsonBody({ name: 'Rex', categoryId: 7 }));
    const { id } = body as Pet;
    for (const other of [id + 1n, id + 16n, id - 16n, 0n, 12n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const response = await functions.get(String(other));
      expectError(response, 404, 'not_found', 'There is no animal with this id.');
      expect(response.headers).toMatchObject(DEPRECATION);
    }
  });
});
