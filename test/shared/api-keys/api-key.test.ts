import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  derivedKey,
  generateKey,
  hashOf,
  hintOf,
  isWellFormedKey,
  keyIdOf,
  usageIdentifierOf,
} from '../../../shared/api-keys/api-key.ts';
import { anyText } from '../../any-text.ts';

const LIVE = 'pet_live_';
const TEST = 'pet_test_';
const isValid = (key: string) => isWellFormedKey(LIVE, key);

test('generateKey returns 2,000 distinct, well-formed keys: the prefix and 34 characters of base 62', () => {
  const keys = Array.from({ length: 2000 }, () => generateKey(LIVE));
  expect(new Set(keys).size).toBe(2000);
  expect(keys.filter(key => !isValid(key) || !/^pet_live_[0-9A-Za-z]{34}$/.test(key))).toEqual([]);
});

test('derivedKey returns the same well-formed key for a secret and purpose, and another for others', () => {
  const key = derivedKey(LIVE, 'secret', 'canary 1');
  expect(key).toBe(derivedKey(LIVE, 'secret', 'canary 1'));
  expect(isValid(key)).toBe(true);
  const others = [derivedKey(LIVE, 'secret', 'canary 2'), derivedKey(LIVE, 'other', 'canary 1')];
  expect(new Set([key, ...others]).size).toBe(3);
});

test('generateKey draws every character of base 62 about equally often', () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 2000; round += 1) {
    const secret = generateKey('').slice(0, 28);
    for (const digit of secret) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 903 each on average, with a standard deviation of 30: seven of them either way.
  for (const count of counts.values()) expect(Math.abs(count - 903)).toBeLessThan(210);
});

describe('isWellFormedKey refuses', () => {
  const key = fc.noShrink(fc.constant(0).map(() => generateKey(LIVE)));

  test('a key with any one character changed', () => {
    const character = fc.oneof(
      fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
      anyText({ minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(key, fc.nat({ max: 42 }), character, (text, place, other) => {
        fc.pre(text.charAt(place) !== other);
        return !isValid(text.slice(0, place) + other + text.slice(place + 1));
      }),
      { numRuns: 500 },
    );
  });

  test('a key with two different neighbours swapped', () => {
    for (let round = 0; round < 25; round += 1) {
      const text = generateKey(LIVE);
      for (let place = 0; place + 1 < text.length; place += 1) {
        const [left, right] = [text.charAt(place), text.charAt(place + 1)];
        const swapped = text.slice(0, place) + right + left + text.slice(place + 2);
        expect(isValid(swapped)).toBe(left === right);
      }
    }
  });

  test('a key with a character too many or too few, in any place', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 42 }), fc.constantFrom(...'0aZ \n'), (text, place, more) => {
        expect(isValid(text.slice(0, place) + text.slice(place + 1))).toBe(false);
        expect(isValid(text.slice(0, place) + more + text.slice(place))).toBe(false);
        expect(isValid(text + more)).toBe(false);
      }),
    );
  });
});

test('isWellFormedKey refuses a key of the other environment, also with the prefix replaced', () => {
  const key = generateKey(TEST);
  expect(isWellFormedKey(TEST, key)).toBe(true);
  expect(isValid(key)).toBe(false);
  expect(isValid(key.replace(TEST, LIVE))).toBe(false);
});

test('isWellFormedKey refuses a key that is too long, although its checksum is correct', () => {
  for (const more of ['x', '_', 'é']) expect(isValid(generateKey(`${LIVE}${more}`))).toBe(false);
});

test('isWellFormedKey refuses any other text, and never throws', () => {
  fc.assert(fc.property(anyText(), text => !isValid(text) && !isValid(LIVE + text)));
});

test('keyIdOf returns the beginning of the hash, and hintOf the end of the key', () => {
  const key = `${LIVE}0123456789`;
  expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(keyIdOf(hashOf('abc'))).toBe('key_ba7816bf8f01cfea414140de');
  expect(hintOf(LIVE, key)).toBe('pet_live_…6789');
});

test('usageIdentifierOf returns 20 to 128 letters and digits, as API Gateway takes them', () => {
  expect(usageIdentifierOf('key_ba7816bf8f01cfea414140de')).toBe('keyba7816bf8f01cfea414140de');
});
