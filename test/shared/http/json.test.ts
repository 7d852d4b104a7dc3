import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asciiJson, parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { anyCharacter, anyText } from '../../any-text.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('integers', () => {
  test('every int64 is parsed and written digit for digit', () => {
    fc.assert(
      fc.property(int64, value => {
        expect(parseJson(`{"a":[${value}]}`)).toEqual({ a: [value] });
        expect(stringifyJson({ a: [value] })).toBe(`{"a":[${value}]}`);
      }),
      { examples: [[2n ** 63n - 1n], [-(2n ** 63n)], [2n ** 53n + 1n], [0n]] },
    );
  });

  test.each([
    ['5.0', 5n],
    ['1e3', 1000n],
    ['1E+3', 1000n],
    ['1.5e1', 15n],
    ['100e-2', 1n],
    ['0.0005e4', 5n],
    ['-0', 0n],
    ['-0.0', 0n],
    ['0e999999999', 0n],
    ['-12.50e1', -125n],
    ['9.223372036854775807e18', 2n ** 63n - 1n],
    ['-922337203685477580800.00E-02', -(2n ** 63n)],
  ])('%s is parsed as an integer', (text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });
});

describe('other numbers stay numbers', () => {
  test.each([
    ['5.5', 5.5],
    ['15e-1', 1.5],
    ['-0.1', -0.1],
    ['100000000000000000000', 1e20],
  ])('%s', (text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });
});

describe('huge numbers are parsed quickly', () => {
  const LONGEST = 16_384;

  test.each([
    ['1e999999999', '1e999999999'],
    ['1e-999999999', '1e-999999999'],
    ['an exponent of 400 digits', `1e${'9'.repeat(400)}`],
    ['a negative exponent of 400 digits', `1e-${'9'.repeat(400)}`],
    ['400 digits', '9'.repeat(400)],
    ['400 digits behind the point', `0.${'9'.repeat(400)}`],
    ['zeros between ones', `1${'0'.repeat(LONGEST - 2)}1`],
    ['zeros behind the point between ones', `1.${'0'.repeat(LONGEST - 3)}1`],
    ['many zeros between many ones', `1${'0'.repeat(126)}1,`.repeat(128).slice(0, -1)],
  ])('%s', (_, text) => {
    // Processor time: a busy machine isn't a slow parser.
    const before = process.threadCpuUsage();
    const value = parseJson(`[${text}]`) as unknown[];
    expect(process.threadCpuUsage(before).user).toBeLessThan(100_000);
    expect(value.every(number => typeof number === 'number')).toBe(true);
  });

  test.each([
    ['leading zeros behind the point', `0.${'0'.repeat(LONGEST)}1e${LONGEST + 1}`, 1n],
    ['trailing zeros behind the point', `1.${'0'.repeat(LONGEST)}`, 1n],
  ])('%s', (_, text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });
});

describe('the rest of JSON', () => {
  test('is handled as by JSON.parse and JSON.stringify', () => {
    const withoutIntegers = fc
      .jsonValue({ stringUnit: anyCharacter })
      .filter(value => !/[0-9]/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(withoutIntegers, value => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(stringifyJson(value)).toBe(text);
      }),
    );
  });

  test('strings and keys that look like numbers are not changed', () => {
    const text = '{"1":"5.0","1e3":"9007199254740993","":"-0"}';
    expect(parseJson(text)).toEqual({ 1: '5.0', '1e3': '9007199254740993', '': '-0' });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('__proto__ is a key like any other', () => {
    const value = parseJson('{"__proto__":{"polluted":1}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value.polluted).toBeUndefined();
    expect(stringifyJson({ list: [value] })).toBe('{"list":[{"__proto__":{"polluted":1}}]}');
  });

  test.each(['', '{', '01', '+1', '.5', '5.', '1e', 'NaN', "{'a':1}", '[1,]', '\u00a0[]'])(
    '%j is rejected',
    text => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

test('asciiJson writes the same value in ASCII', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 10 }), text => {
      const json = asciiJson(JSON.stringify({ [text]: text }));
      expect(json).toMatch(/^[\0-~]*$/);
      expect(JSON.parse(json)).toEqual({ [text]: text });
    }),
  );
  expect(asciiJson('"\u007f\u2028é🐕"')).toBe('"\\u007f\\u2028\\u00e9\\ud83d\\udc15"');
});
