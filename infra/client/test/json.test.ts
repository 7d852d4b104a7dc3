import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as service from '../../../shared/http/json.ts';
import { anyText } from '../../../test/any-text.ts';
import { parseJson, stringifyJson } from '../src/json.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const text = fc.oneof(anyText(), fc.constantFrom('5', 'n5', 's', '":1', '\\', '__proto__'));

/** Values as bodies have them: bigints where the service has integers, numbers with a fraction, any text. */
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    int64,
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(number => !Number.isInteger(number)),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Numbers as other writers write them. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 25n }),
    fc.option(fc.stringMatching(/^[0-9]{1,25}$/), { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/), { nil: '' }),
  )
  .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction ? `.${fraction}` : ''}${exponent}`);

describe('parseJson', () => {
  test('reads what the service writes', () => {
    fc.assert(
      fc.property(value, written => {
        expect(parseJson(service.stringifyJson(written))).toEqual(written);
        expect(parseJson(service.stringifyJson(written, 2))).toEqual(written);
      }),
    );
  });

  test('reads every number as the service does', () => {
    fc.assert(
      fc.property(numberText, number => {
        const body = `{"a": [${number}, {"b":${number}}]}`;
        expect(parseJson(body)).toEqual(service.parseJson(body));
      }),
      { numRuns: 1000 },
    );
  });

  test('refuses exactly the text that JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\\10-.e+ \n',
      '"a"',
      '"1"',
      'null',
      '{"a":1}',
      '\u00a0',
      '\\u0031',
      'true',
      '[1,"n2"]',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), some => {
        const body = some.join('');
        expect(accepts(parseJson, body), body).toBe(accepts(JSON.parse, body));
      }),
      // The example is a string without an end, in which a number would be escaped by the backslash.
      { numRuns: 3000, examples: [[['"', '\\', '0']]] },
    );
  });

  test('reads a member called __proto__ as any other', () => {
    const read = parseJson('{"__proto__": {"a": 1}}') as object;
    expect(Object.entries(read)).toEqual([['__proto__', { a: 1n }]]);
    expect(Object.getPrototypeOf(read)).toBe(Object.getPrototypeOf({}));
  });

  test('reads a text of a megabyte', () => {
    const long = '\\"1,'.repeat(250_000);
    expect(parseJson(JSON.stringify({ long }))).toEqual({ long });
  });
});

describe('stringifyJson', () => {
  test('writes what the service reads', () => {
    fc.assert(
      fc.property(value, written => {
        expect(service.parseJson(stringifyJson(written))).toEqual(written);
      }),
    );
  });

  test('leaves out members that are undefined, as JSON.stringify does', () => {
    const written = { a: undefined, b: [undefined, null], c: 'd' };
    expect(stringifyJson(written)).toBe(JSON.stringify(written));
  });

  test('refuses an integer that is no longer exact', () => {
    expect(() => stringifyJson({ categoryId: 2 ** 53 })).toThrow(
      '9007199254740992 is not exact: use a bigint.',
    );
    expect(stringifyJson({ categoryId: 2 ** 53 - 1 })).toBe('{"categoryId":9007199254740991}');
  });
});

function accepts(parse: (body: string) => unknown, body: string): boolean {
  try {
    parse(body);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
