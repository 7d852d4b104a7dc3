import { expect, test } from 'vitest';
import { read, runVirtually } from './virtual-execution.ts';

const NOON = '2026-01-31T12:00:00Z';

/** Whether a Choice state with the rule leads on, or to its Default. */
async function isMatch(rule: object, input: unknown) {
  const definition = read({
    StartAt: 'Choose',
    States: {
      Choose: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], Default: 'No' },
      Yes: { Type: 'Pass', Result: true, End: true },
      No: { Type: 'Pass', Result: false, End: true },
    },
  });
  const { output, error } = await runVirtually({ definition, input });
  return error ?? output;
}

test.each([
  [{ Variable: '$.a', IsPresent: false }, { b: 1 }, true],
  [{ Variable: '$.a', IsPresent: false }, { a: 1 }, false],
  [{ Variable: '$.a', IsPresent: true }, { a: null }, true],
  [{ Variable: '$.a.length', IsPresent: true }, { a: [1] }, false],
  [{ Variable: '$.a[1]', IsPresent: true }, { a: [1, 2] }, true],
  [{ Not: { Variable: '$.a', IsNull: true } }, { a: 1 }, true],
  [{ Variable: '$.a', IsNull: false }, { a: 1 }, true],
  [{ Variable: '$.a', IsString: true }, { a: '' }, true],
  [{ Variable: '$.a', IsNumeric: true }, { a: '1' }, false],
  [{ Variable: '$.a', IsBoolean: true }, { a: false }, true],
  [{ Variable: '$.a', IsTimestamp: true }, { a: NOON }, true],
  [{ Variable: '$.a', IsTimestamp: true }, { a: '2026-01-31' }, false],
])('the type test %j of %j is %j', async (rule, input, expected) => {
  expect(await isMatch(rule, input)).toBe(expected);
});

test.each([
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: null }, false],
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: '5' }, false],
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: 5 }, true],
  [{ Variable: '$.a', NumericEquals: 1 }, { a: true }, false],
  [{ Variable: '$.a', StringLessThan: 'b' }, { a: 'a' }, true],
  [{ Variable: '$.a', StringGreaterThanEquals: '' }, { a: 5 }, false],
  [{ Variable: '$.a', BooleanEquals: false }, { a: null }, false],
  [{ Variable: '$.a', BooleanEqualsPath: '$.b' }, { a: true, b: true }, true],
  [{ Variable: '$.a', TimestampEquals: NOON }, { a: '2026-01-31T13:00:00+01:00' }, true],
  [{ Variable: '$.a', TimestampLessThan: NOON }, { a: '2026-01-31' }, false],
  [{ Variable: '$.a', NumericLessThanPath: '$.b' }, { a: 1, b: 2 }, true],
  [{ Variable: '$.a', NumericLessThanPath: '$.b' }, { a: 1, b: '2' }, 'States.Runtime'],
  [{ Variable: '$.a', NumericLessThan: 10 }, {}, 'States.Runtime'],
])('the comparison %j of %j is %j', async (rule, input, expected) => {
  expect(await isMatch(rule, input)).toBe(expected);
});

test.each([
  ['*.example', 'www.example', true],
  ['*.example', 'wwwXexample', false],
  ['*.example', 5, false],
  ['a*c', 'a\nc', true],
  ['a?', 'ab', false],
  ['a?', 'a?', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a\\\\*', 'a\\b', true],
])('StringMatches %j of %j is %j: * is the only wildcard', async (StringMatches, a, expected) => {
  expect(await isMatch({ Variable: '$.a', StringMatches }, { a })).toBe(expected);
});

test('And, Or and Not decide as soon as they can', async () => {
  const isThere = { Variable: '$.a', IsPresent: true };
  const isFive = { Variable: '$.a', NumericEquals: 5 };
  expect(await isMatch({ And: [isThere, isFive] }, {})).toBe(false);
  expect(await isMatch({ And: [isThere, isFive] }, { a: 5 })).toBe(true);
  expect(await isMatch({ Or: [{ Not: isThere }, isFive] }, {})).toBe(true);
  expect(await isMatch({ Or: [{ Not: isThere }, isFive] }, { a: 4 })).toBe(false);
});
