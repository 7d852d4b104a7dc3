import { describe, expect, test } from 'vitest';
import { createPet, listPets } from '../../../shared/pets/operations.ts';
import { PetStatus } from '../../../shared/pets/pet.ts';

const rex = { name: 'Rex', categoryId: 7n };

describe('Idempotency-Key', () => {
  const accepts = (key: unknown) =>
    createPet.request.safeParse({ headers: { 'Idempotency-Key': key }, body: rex }).success;

  test.each([
    ['none', undefined, true],
    ['one character', 'k', true],
    ['255 characters', 'k'.repeat(255), true],
    ['255 emoji', '🐕'.repeat(255), true],
    ['empty', '', false],
    ['256 characters', 'k'.repeat(256), false],
    ['given twice', ['k', 'k'], false],
  ])('%s', (_, key, expected) => {
    expect(accepts(key)).toBe(expected);
  });
});

test('the status filter of listPets accepts every status and nothing else', () => {
  for (const status of PetStatus.options) {
    expect(listPets.request.parse({ query: { status } })).toEqual({ query: { limit: 20, status } });
  }
  expect(listPets.request.safeParse({ query: { status: '' } }).success).toBe(false);
});
