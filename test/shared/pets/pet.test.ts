import { describe, expect, test } from 'vitest';
import { NewPet } from '../../../shared/pets/pet.ts';

const rex = { name: 'Rex', categoryId: 7n };

function faults(input: unknown): string[] {
  return (
    NewPet.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
  );
}

describe('name', () => {
  test.each([
    ['one letter', 'a'],
    ['255 letters', 'a'.repeat(255)],
    ['255 emoji', '🐕'.repeat(255)],
    [
      '200 letters between spaces, 255 characters in all',
      `${' '.repeat(50)}${'a'.repeat(200)}${' '.repeat(5)}`,
    ],
    ['spaces within', 'Rex  the   dog'],
    ['combining marks', 'e\u0301'],
    ['a zero-width joiner', '👩\u200d🦰'],
    ['direction marks', '\u202eRex'],
    ['quotes and markup', '"><script>\'\\'],
  ])('%s is accepted and not changed', (_, name) => {
    expect(NewPet.parse({ ...rex, name }).name).toBe(name);
  });

  test.each([
    ['empty', ''],
    ['only spaces', '   '],
    ['only wide spaces', '\u3000\u2003\ufeff'],
    ['256 letters', 'a'.repeat(256)],
    ['256 emoji', '🐕'.repeat(256)],
    ['256 combining marks', '\u0301'.repeat(256)],
    ['255 letters and a space', `${'a'.repeat(255)} `],
    ['a letter after 16,000 spaces', `${' '.repeat(16_000)}a`],
  ])('400: %s', (_, name) => {
    expect(faults({ ...rex, name })).toEqual([
      'name must have 1 to 255 characters, at least one of them not white space',
    ]);
  });

  test.each([
    ['a NUL', 'Re\0x'],
    ['a line feed', 'Re\nx'],
    ['a tab in front', '\tRex'],
    ['a delete', 'Rex\x7f'],
    ['a C1 control', 'Rex\x85'],
    ['a lone high surrogate', 'Rex\ud83d'],
    ['a lone low surrogate', '\udc15Rex'],
    ['surrogates in the wrong order', '\udc15\ud83d'],
    ['a replacement character', 'caf\ufffd'],
  ])('400: %s', (_, name) => {
    expect(faults({ ...rex, name })).toEqual([
      'name must not hold control characters, lone surrogates or U+FFFD',
    ]);
  });

  test.each([null, 5n, 5.5, true, [], ['Rex'], {}])('400: %s', name => {
    expect(faults({ ...rex, name })).toEqual(['name must be a string']);
  });
});

describe('categoryId', () => {
  test.each([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])('%d is accepted', categoryId => {
    expect(NewPet.parse({ ...rex, categoryId }).categoryId).toBe(categoryId);
  });

  test.each([2n ** 63n, 5.5, '5', null])('400: %s', categoryId => {
    expect(faults({ ...rex, categoryId })).toEqual([
      'categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
    ]);
  });
});

describe('status', () => {
  test('defaults to available', () => {
    expect(NewPet.parse(rex).status).toBe('available');
  });

  test.each(['available', 'pending', 'sold'])('%s is accepted', status => {
    expect(NewPet.parse({ ...rex, status }).status).toBe(status);
  });

  test.each([null, '', 'Available', 'sold ', 'gone', 1n, ['sold'], {}, 'toString', '__proto__'])(
    '400: %s',
    status => {
      expect(faults({ ...rex, status })).toEqual(['status must be one of available, pending, sold']);
    },
  );
});
