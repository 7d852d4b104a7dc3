import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NewPet } from '../../../shared/pets/pet.ts';
import { anyText } from '../../any-text.ts';

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

describe('any body', () => {
  const STATUSES = ['available', 'pending', 'sold'];

  /** A second implementation of the rules: code points are counted one by one, white space as in ECMAScript. */
  function isAllowed(body: unknown): boolean {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
    const fields = new Map(Object.entries(body));
    const status = fields.get('status');
    return (
      isName(fields.get('name')) &&
      isInt64(fields.get('categoryId')) &&
      (status === undefined || STATUSES.includes(status))
    );
  }

  function isName(name: unknown): boolean {
    if (typeof name !== 'string') return false;
    const points = Array.from(name, character => character.codePointAt(0) ?? 0);
    const isControl = (point: number) => point < 32 || (point >= 127 && point < 160);
    const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;
    if (points.some(point => isControl(point) || isSurrogate(point) || point === 0xfffd)) return false;
    const isSpace = (point: number) => /^[\s\ufeff]$/.test(String.fromCodePoint(point));
    return points.some(point => !isSpace(point)) && points.length <= 255;
  }

  function isInt64(value: unknown): boolean {
    return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
  }

  const edgyText = fc
    .tuple(
      fc.constantFrom('', ' ', '\u3000'),
      fc.constantFrom('a', 'b', 'c', 'd', '🐕', '\ud83d', '\x9f', '\u00a0', '\ufffd', 'ß'),
      fc.constantFrom(0, 1, 2, 254, 255, 256, 300),
      fc.oneof(fc.constant(''), anyText({ maxLength: 3 })),
      fc.constantFrom('', '  ', '\n', '\u2028'),
    )
    .map(([before, unit, times, more, after]) => `${before}${unit.repeat(times)}${more}${after}`);
  const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true, maxDepth: 2 });
  const edgyBody = fc.record(
    {
      name: fc.oneof({ weight: 5, arbitrary: edgyText }, anyText(), anything),
      categoryId: fc.oneof({ weight: 5, arbitrary: int64 }, fc.bigInt(-(2n ** 64n), 2n ** 64n), anything),
      status: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...STATUSES, undefined, null, 'x') },
        anything,
      ),
      id: anything,
    },
    { requiredKeys: [] },
  );

  test('is accepted exactly when the rules allow it, and never throws', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: edgyBody }, anything), body => {
        const { success } = NewPet.safeParse(body);
        expect(success).toBe(isAllowed(body));
        if (success) accepted += 1;
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
