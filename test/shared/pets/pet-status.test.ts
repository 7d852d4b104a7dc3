import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import { type PetStatusChanges, petStatusChanges } from '../../../shared/pets/pet-status.ts';
import { type PetStore, petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { rex } from './stored-pets.ts';

describe.each([1, 16])('a status change with %i shards', shards => {
  let pets: PetStore;
  let changes: PetStatusChanges;

  beforeEach(async () => {
    const table = await tableLike('PetsTable');
    pets = petStore(table, shards);
    changes = petStatusChanges(table);
  });

  test('lists the pet under its new status, and no longer under the old one', async () => {
    const pet = await pets.add(rex);
    await transact([changes.statusChange(pet.id, 'available', 'pending')]);
    const pending = { ...pet, status: 'pending' };
    expect(await pets.find(pet.id)).toEqual(pending);
    expect(await pets.list({ limit: 5 })).toEqual({ elements: [pending], hasMore: false });
    expect(await pets.list({ limit: 5, status: 'pending' })).toEqual({ elements: [pending], hasMore: false });
    expect(await pets.list({ limit: 5, status: 'available' })).toEqual({ elements: [], hasMore: false });
  });

  test('is refused with PetNotAsExpected for a pet with another status, which it keeps', async () => {
    const pet = await pets.add({ ...rex, status: 'sold' });
    const change = transact([changes.statusChange(pet.id, 'available', 'pending')]);
    await expect(change).rejects.toMatchObject({
      name: 'PetNotAsExpected',
      message: `Pet ${pet.id} is sold, not available.`,
      isUnknown: false,
    });
    expect(await pets.find(pet.id)).toEqual(pet);
  });

  test('is refused with PetNotAsExpected for an unknown pet, and adds none', async () => {
    for (const id of [1n, 2n ** 53n - 1n]) {
      const change = transact([changes.statusChange(id, 'available', 'pending')]);
      await expect(change).rejects.toMatchObject({ message: `Pet ${id} doesn't exist.`, isUnknown: true });
    }
    expect(await pets.list({ limit: 5 })).toEqual({ elements: [], hasMore: false });
  });
});
