/** State machines and inputs drawn at random, without what the package in interpreter-oracle.test.ts does otherwise. */
import fc from 'fast-check';
import { INVOKE } from './deployed-machine.ts';

const NAMES = ['S0', 'S1', 'S2', 'S3', 'S4'];
const FIELDS = ['a', 'b', 'c', 'fails'];
const ERRORS = ['Busy', 'Broken', 'Other'];

const field = fc.constantFrom(...FIELDS);
/** Paths of which many exist in an input. */
const path = fc.oneof(
  { weight: 2, arbitrary: fc.constant('$') },
  { weight: 6, arbitrary: field.map(name => `$.${name}`) },
  { weight: 2, arbitrary: fc.tuple(field, field).map(([outer, inner]) => `$.${outer}.${inner}`) },
  { weight: 1, arbitrary: field.map(name => `$['${name}']`) },
  { weight: 1, arbitrary: fc.constantFrom('$.list[0]', '$.list[1].a') },
);
const resultPath = fc.oneof(
  field.map(name => `$.${name}`),
  field.map(name => `$.new.${name}`),
  fc.constant(null),
);

/** Neither 0, false nor "": the package finds nothing in an input that is one of these. */
const leaf = fc.constantFrom(-2, -1, 1, 2, 'a', 'b', 'ab', true, null);
const value = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: fc.dictionary(field, leaf, { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 2 }) },
);

export const inputs = fc.record(
  {
    a: value,
    b: value,
    c: value,
    list: fc.array(value, { maxLength: 2 }),
    fails: fc.constantFrom(...ERRORS),
  },
  { requiredKeys: ['a', 'b'], noNullPrototype: true },
);

const template = fc
  .record({ key: field, from: path, constant: leaf })
  .map(({ key, from, constant }) => ({ [`${key}.$`]: from, constant, inner: [{ 'x.$': from }] }));

/** Fields, of which each is there or not. */
const some = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true });

const filters = some({ InputPath: fc.option(path), OutputPath: fc.option(path) });

const comparison = fc.constantFrom(
  'Equals',
  'LessThan',
  'LessThanEquals',
  'GreaterThan',
  'GreaterThanEquals',
);
/** A comparison after a type test: the package compares values of any type. */
const compared = (type: string, operand: fc.Arbitrary<unknown>, operator: fc.Arbitrary<string>) =>
  fc.record({ Variable: path, operator, operand }).map(({ Variable, operator: name, operand: other }) => ({
    And: [
      { Variable, [`Is${type}`]: true },
      { Variable, [`${type}${name}`]: other },
    ],
  }));
const test = fc.oneof(
  compared('Numeric', fc.integer({ min: -2, max: 2 }), comparison),
  compared('String', fc.constantFrom('', 'a', 'ab'), comparison),
  compared('String', fc.constantFrom('*', 'a*', '*b'), fc.constant('Matches')),
  compared('Boolean', fc.boolean(), fc.constant('Equals')),
  compared('Numeric', path, fc.constantFrom('EqualsPath', 'LessThanPath')),
  fc
    .record({
      Variable: path,
      test: fc.constantFrom('IsPresent', 'IsNull', 'IsString', 'IsNumeric', 'IsBoolean'),
    })
    .map(({ Variable, test: name }) => ({ Variable, [name]: true })),
);
const rule = fc.oneof(
  test,
  test.map(inner => ({ Not: inner })),
  fc.array(test, { minLength: 1, maxLength: 2 }).map(inner => ({ And: inner })),
  fc.array(test, { minLength: 1, maxLength: 2 }).map(inner => ({ Or: inner })),
);

const errorEquals = fc.constantFrom(['Busy'], ['Broken', 'Other'], ['States.TaskFailed'], ['States.ALL']);
const retriers = fc
  .record({ ErrorEquals: errorEquals, MaxAttempts: fc.integer({ min: 0, max: 2 }) })
  .map(retrier => [retrier]);

/** The state at a position, which leads only to later ones. */
function stateAt(position: number) {
  const later = NAMES.slice(position + 1);
  const next = fc.constantFrom(...later);
  const catchers = fc
    .record({ ErrorEquals: errorEquals, Next: next, path: fc.option(resultPath) })
    .map(({ path: ResultPath, ...catcher }) => [ResultPath === null ? catcher : { ...catcher, ResultPath }]);
  const pass = fc
    .record({
      filters,
      Next: next,
      extra: some({ Parameters: template, ResultPath: resultPath }),
      result: fc.option(fc.constantFrom<unknown>('yes', 1, { a: 1 })),
    })
    .map(({ filters: paths, Next, extra, result }) => ({
      Type: 'Pass',
      Next,
      ...paths,
      ...extra,
      ...(result !== null && { Result: result }),
    }));
  const task = fc
    .record({
      Next: next,
      extra: some({ InputPath: path, ResultPath: resultPath, Retry: retriers, Catch: catchers }),
      selector: fc.boolean(),
    })
    .map(({ Next, extra, selector }) => {
      const { OutputPath, ...invoke } = INVOKE;
      const selected = { ResultSelector: { 'a.$': '$.Payload', b: 'x' } };
      return { ...invoke, Next, ...extra, ...(selector ? selected : { OutputPath: '$' }) };
    });
  const choice = fc
    .record({
      rules: fc.array(fc.tuple(rule, next), { minLength: 1, maxLength: 2 }),
      Default: fc.option(next),
    })
    .map(({ rules, Default }) => ({
      Type: 'Choice',
      Choices: rules.map(([test, Next]) => ({ ...test, Next })),
      ...(Default !== null && { Default }),
    }));
  const wait = fc.record({ filters, Next: next }).map(({ filters: paths, Next }) => ({
    Type: 'Wait',
    Seconds: 1,
    Next,
    ...paths,
  }));
  return fc.oneof(pass, task, choice, wait);
}

const last = fc.oneof(
  fc.constant({ Type: 'Succeed' }),
  path.map(OutputPath => ({ Type: 'Succeed', OutputPath })),
  fc.constant({ Type: 'Fail', Error: 'Failed', Cause: 'x' }),
  path.map(ErrorPath => ({ Type: 'Fail', ErrorPath, Cause: 'x' })),
);

/** Acyclic machines. States that cannot be reached are left out, as readDefinition rejects them. */
export const definitions = fc
  .tuple(stateAt(0), stateAt(1), stateAt(2), stateAt(3), last)
  .map(states =>
    reachable(Object.fromEntries(states.map((state, index) => [NAMES[index] as string, state]))),
  );

function reachable(states: Readonly<Record<string, object>>) {
  const reached = new Set(['S0']);
  for (const name of reached) {
    for (const [, target = ''] of JSON.stringify(states[name]).matchAll(/"(?:Next|Default)":"(S\d)"/g)) {
      reached.add(target);
    }
  }
  return {
    StartAt: 'S0',
    States: Object.fromEntries(Object.entries(states).filter(([name]) => reached.has(name))),
  };
}
