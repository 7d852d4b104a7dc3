import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursors } from '../../../shared/http/cursor.ts';
import { anyText } from '../../any-text.ts';

const pets = cursors('a secret', 'listPets');
const id = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
const filter = fc.option(fc.constantFrom('available', 'pending', 'sold'), { nil: undefined });

/** A character altered, removed or added, or two neighbours swapped. */
const alteration = fc.record({
  kind: fc.constantFrom('alter', 'remove', 'add', 'swap'),
  place: fc.nat(),
  character: fc.oneof(
    fc.constantFrom(...'.=-_/+ \n\0aA0zZ', '\u0130', '\ud83d\udc15', '\ud800'),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
});

function altered(
  text: string,
  { kind, place, character }: { kind: string; place: number; character: string },
) {
  const at = place % text.length;
  const [before, it, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  if (kind === 'alter') return `${before}${character}${after}`;
  if (kind === 'remove') return `${before}${after}`;
  if (kind === 'add') return `${before}${character}${it}${after}`;
  return `${before}${after.charAt(0)}${it}${after.slice(1)}`;
}

test('a cursor opens to the id that it was created from, and needs no encoding in a URL', () => {
  fc.assert(
    fc.property(id, filter, (position, status) => {
      const cursor = pets.after(position, status);
      expect(cursor).toMatch(/^[A-Za-z0-9._~-]{1,100}$/);
      expect(pets.open(cursor, status)).toBe(position);
    }),
  );
});

test('a cursor that was given before a deploy is accepted after it: its form does not change', () => {
  const position = 123_456_789n;
  const given = '21i3v9.gLqCoQ6BQXvHZ8IqHObBrPUzVaExaBWRuLBERoSA8iQ';
  const givenForSold = '21i3v9.1ltStSKhjCUVuHxRDjNcSzCfgHCzcwGhqtYiPvR5fps';
  expect([pets.open(given), pets.after(position)]).toEqual([position, given]);
  expect([pets.open(givenForSold, 'sold'), pets.after(position, 'sold')]).toEqual([position, givenForSold]);
});

describe('a cursor is rejected', () => {
  test('when it was altered in any way', () => {
    fc.assert(
      fc.property(id, filter, alteration, (position, status, change) => {
        const cursor = pets.after(position, status);
        const other = altered(cursor, change);
        fc.pre(other !== cursor);
        expect(pets.open(other, status)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('when its last character was replaced by any other', () => {
    const cursor = pets.after(123_456_789n);
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=') {
      const other = cursor.slice(0, -1) + last;
      expect(pets.open(other)).toBe(other === cursor ? 123_456_789n : undefined);
    }
  });

  test('when it is of another filter, list or secret', () => {
    fc.assert(
      fc.property(id, filter, filter, (position, status, other) => {
        const cursor = pets.after(position, status);
        if (status !== other) expect(pets.open(cursor, other)).toBeUndefined();
        expect(cursors('a secret', 'anotherList').open(cursor, status)).toBeUndefined();
        expect(cursors('another secret', 'listPets').open(cursor, status)).toBeUndefined();
      }),
    );
  });

  test('when it is any other text, without an exception', () => {
    const text = fc.oneof(anyText(), fc.string({ unit: 'grapheme' }), fc.base64String());
    fc.assert(
      fc.property(text, filter, (junk, status) => {
        expect(pets.open(junk, status)).toBeUndefined();
      }),
      {
        numRuns: 1000,
        examples: ['', '.', '.a', '\ud800.\udfff', '.'.repeat(100_000)].map(junk => [junk, undefined]),
      },
    );
  });
});
