import { expect, test } from 'vitest';
import { petAttributes, petFromItem } from '../../../shared/pets/pet-store.ts';
import { rex } from './stored-pets.ts';

const pet = { ...rex, id: 12n };
const item = petAttributes(pet);

test('an animal is read from its item as it was written', () => {
  expect(petFromItem(item)).toEqual(pet);
});

test.each(['name', 'categoryId', 'status'])('an item without a %s is reported with its id', attribute => {
  expect(() => petFromItem({ ...item, [attribute]: undefined as never })).toThrow(
    'The item of the animal 12 is incomplete.',
  );
  expect(() => petFromItem({ ...item, [attribute]: { BOOL: true } })).toThrow('is incomplete');
});

test('an item without an id is reported', () => {
  const { id: _, ...withoutId } = item;
  expect(() => petFromItem(withoutId)).toThrow('The item of the animal undefined is incomplete.');
});

test('a status that there is not is reported', () => {
  expect(() => petFromItem({ ...item, status: { S: 'lost' } })).toThrow('is incomplete');
});
