import { expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { expectError, jsonBody, REQUEST_ID } from '../proxy-event.ts';
import { petFunctions } from './pet-functions.ts';

/** The headers of every error: deprecated since 5 December 2025, removed five years later. */
const DEPRECATION = {
  Deprecation: '@1764892800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '<https://api.example.com/staging/v1/pets>; rel="successor-version"',
};

test('200: the pet, as soon as it is created, and a link to the list that it is in', async () => {
  const functions = await petFunctions({ shards: 4 });
  const created = await functions.create(jsonBody({ name: 'Rex', categoryId: 7, status: 'pending' }));
  const { id } = created.body as Pet;
  const response = await functions.get(String(id));
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
  expectError(await functions.get(String(id + 16n)), 404, 'not_found', 'There is no animal with this id.');
});

test.each(['9223372036854775808', 'abc', '%zz', 'pets'])('404: %s, without a read', async petId => {
  const { get } = await petFunctions({ tables: false });
  const response = await get(petId);
  expectError(response, 404, 'not_found', 'There is no animal with this id.');
  expect(response.headers).toMatchObject(DEPRECATION);
});
