import { expect, test } from 'vitest';
import { INT64, oneOf, storedObject, TEXT } from '../../../shared/aws/stored-fields.ts';

interface Toy {
  id: bigint;
  name: string;
  size: 'small' | 'large';
  note?: string | undefined;
}

const STORED_TOY = storedObject<Toy>('toy', {
  required: { id: INT64, name: TEXT, size: oneOf(['small', 'large']) },
  optional: { note: TEXT },
});
const toy: Toy = { id: 2n ** 63n - 1n, name: 'Ball', size: 'small' };
const item = STORED_TOY.attributes(toy);

test('what is written is read; a field that is absent has no attribute', () => {
  expect(item).toEqual({ id: { N: '9223372036854775807' }, name: { S: 'Ball' }, size: { S: 'small' } });
  expect(STORED_TOY.attributes({ ...toy, note: undefined })).toEqual(item);
  for (const value of [toy, { ...toy, note: 'red' }]) {
    expect(STORED_TOY.fromItem({ ...STORED_TOY.attributes(value), writeToken: { S: 'x' } })).toEqual(value);
  }
});

test.each(['name', 'size'])('an item without a %s, or with one of another kind, is reported', field => {
  const { [field]: _, ...without } = item;
  expect(() => STORED_TOY.fromItem(without)).toThrow(
    'The item of the toy 9223372036854775807 is incomplete.',
  );
  expect(() => STORED_TOY.fromItem({ ...item, [field]: { BOOL: true } })).toThrow('is incomplete');
});

test('an item without an id, an optional field of another kind and an unknown value are reported', () => {
  const { id: _, ...without } = item;
  expect(() => STORED_TOY.fromItem(without)).toThrow('The item of the toy undefined is incomplete.');
  expect(() => STORED_TOY.fromItem({ ...item, note: { N: '1' } })).toThrow('is incomplete');
  expect(() => STORED_TOY.fromItem({ ...item, size: { S: 'huge' } })).toThrow('is incomplete');
});
