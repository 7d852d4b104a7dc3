import { describe, expect, test } from 'vitest';
import { createPet, listPets, PET_OPERATIONS } from '../../../shared/pets/operations.ts';
import { PetStatus } from '../../../shared/pets/pet.ts';

const rex = { name: 'Rex', categoryId: 7n };

describe('the Idempotency-Key of createPet', () => {
  const read = (key: unknown) =>
    createPet.request.safeParse({ headers: { 'Idempotency-Key': key }, body: rex });

  test.each<[string, string | undefined, string?]>([
    ['is optional', undefined],
    ['may be one character', 'k'],
    ['may be 255 characters', 'k'.repeat(255)],
    ['may be 255 emoji', '🐕'.repeat(255)],
    ['loses its quotes', '"a \\"b\\" \\\\"', 'a "b" \\'],
    ['may be 255 characters between quotes', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ...['"', '""', '"a', 'a"', '"a"b"', '"a\\"', '"\\a"'].map((key): [string, string] => [
      `is ${key} as it is sent`,
      key,
    ]),
  ])('%s', (_, key, expected = key) => {
    expect(read(key).data?.headers['Idempotency-Key']).toBe(expected);
    expect(read(key).success).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters between quotes', `"${'k'.repeat(256)}"`],
    ['given twice', ['k', 'k']],
  ])('400: %s', (_, key) => {
    expect(read(key).success).toBe(false);
  });
});

test('the status filter of listPets accepts every status and nothing else', () => {
  for (const status of PetStatus.options) {
    expect(listPets.request.parse({ query: { status } })).toEqual({ query: { limit: 20, status } });
  }
  expect(listPets.request.safeParse({ query: { status: '' } }).success).toBe(false);
});

test('the successor of a deprecated operation is an operation of pets', () => {
  const declared = PET_OPERATIONS.map(({ method, path }) => ({ method, path }));
  const deprecated = PET_OPERATIONS.filter(operation => 'deprecation' in operation);
  for (const { deprecation } of deprecated) expect(declared).toContainEqual(deprecation.successor);
});
