import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SchemaChanges, type Side } from '../../../../infra/openapi/contract/schema-changes.ts';

const PLACE = 'value';

function changes(before: unknown, after: unknown, side: Side): string[] {
  return [...new SchemaChanges({}, {}).between({ before, after, side, place: PLACE })];
}

describe('a restriction that is new in requests, or gone from responses, is reported', () => {
  test.for<[object, object, string]>([
    [{}, { type: 'string' }, 'type'],
    [{ type: ['string', 'null'] }, { type: 'string' }, 'type'],
    [{ type: 'number' }, { type: 'integer' }, 'type'],
    [{}, { enum: ['a'] }, '"a"'],
    [{ enum: ['a', 'b'] }, { const: 'a' }, '"b"'],
    [{ maxLength: 9 }, { maxLength: 8 }, 'maxLength'],
    [{ minLength: 1 }, { minLength: 2 }, 'minLength'],
    [{}, { minimum: 0 }, 'minimum'],
    [{}, { exclusiveMaximum: 5 }, 'exclusiveMaximum'],
    [{}, { maxItems: 5 }, 'maxItems'],
    [{}, { minProperties: 1 }, 'minProperties'],
    [{}, { pattern: '^a' }, 'pattern'],
    [{}, { format: 'date' }, 'format'],
    [{}, { anyOf: [{ type: 'string' }, { maximum: 5 }] }, 'anyOf'],
    [{}, { multipleOf: 2 }, 'multipleOf'],
    [{}, { uniqueItems: true }, 'uniqueItems'],
    [{}, { not: { const: 1 } }, 'not'],
    [{ items: {} }, { items: { type: 'string' } }, 'each element'],
    [{}, { items: { type: 'string' } }, 'each element'],
    [{ properties: { a: {} } }, { properties: { a: { maxLength: 1 } } }, 'value, a: maxLength'],
    [{ properties: { a: {} } }, { properties: { a: {} }, required: ['a'] }, 'value, a: is'],
    [{ additionalProperties: {} }, { additionalProperties: { type: 'string' } }, 'further properties: type'],
  ])('%j and %j', ([wide, narrow, named]) => {
    expect(changes(wide, narrow, 'request').join('\n')).toContain(named);
    expect(changes(narrow, wide, 'request')).toEqual([]);
    expect(changes(narrow, wide, 'response').join('\n')).toContain(named);
    expect(changes(wide, narrow, 'response')).toEqual([]);
  });
});

test.for<[string, unknown, unknown]>([
  ['pattern', '^a', '^b'],
  ['format', 'date', 'date-time'],
  ['multipleOf', 2, 3],
  ['anyOf', [{}, { type: 'null' }], [{ type: 'string' }]],
])('another %s is reported on either side, since it may be narrower', ([keyword, before, after]) => {
  for (const side of ['request', 'response'] as const) {
    expect(changes({ [keyword]: before }, { [keyword]: after }, side).join('\n')).toContain(keyword);
  }
});

test('further properties may not be refused by requests, and may come in responses', () => {
  const [open, closed] = [{ type: 'object' }, { type: 'object', additionalProperties: false }];
  expect(changes(open, closed, 'request')).toEqual(['value: further properties are refused now']);
  expect(changes(closed, open, 'request')).toEqual([]);
  expect(changes(closed, open, 'response')).toEqual([]);
  expect(changes(closed, { additionalProperties: { type: 'string' } }, 'request')).toEqual([]);
});

test('an error may get another code, and may neither lose one nor have another type', () => {
  expect(changes({ enum: ['a'] }, { enum: ['a', 'b'] }, 'error')).toEqual([]);
  expect(changes({ enum: ['a', 'b'] }, { enum: ['a', 'c'] }, 'error')).toEqual([
    'value: is never "b" any more',
  ]);
  expect(changes({ enum: ['a'] }, { enum: ['a', 'b'] }, 'response')).toEqual(['value: may now be "b"']);
  expect(changes({ type: 'string' }, { type: 'integer' }, 'error')).toHaveLength(1);
});

test('the codes of an error may become an open set, which loses none either', () => {
  const open = (...codes: string[]) => ({ 'x-extensible-enum': codes });
  expect(changes({ enum: ['a', 'b'] }, open('a', 'b', 'c'), 'error')).toEqual([]);
  expect(changes(open('a'), open('a', 'b'), 'error')).toEqual([]);
  expect(changes({ enum: ['a', 'b'] }, open('a'), 'error')).toEqual(['value: is never "b" any more']);
  expect(changes(open('a', 'b'), { type: 'string' }, 'error')).toHaveLength(2);
  expect(changes({ enum: ['a'] }, open('a'), 'response')).toEqual(['value: is no longer limited to "a"']);
});

test('a recursive schema is compared once', () => {
  const contract = (type: string) => ({
    components: {
      schemas: { Tree: { properties: { label: { type }, child: { $ref: '#/components/schemas/Tree' } } } },
    },
  });
  const tree = { $ref: '#/components/schemas/Tree' };
  const pair = { before: tree, after: tree, side: 'response', place: PLACE } as const;
  expect([...new SchemaChanges(contract('string'), contract('string')).between(pair)]).toEqual([]);
  expect([...new SchemaChanges(contract('string'), contract('integer')).between(pair)]).toEqual([
    'value, label: type was "string" and is "integer" now',
  ]);
});

test('a schema that is named by an unchanged reference is compared, also below anyOf', () => {
  const contract = (maxLength: number) => ({ components: { schemas: { Name: { maxLength } } } });
  for (const schema of [
    { $ref: '#/components/schemas/Name' },
    { anyOf: [{ $ref: '#/components/schemas/Name' }] },
  ]) {
    const pair = { before: schema, after: schema, side: 'request', place: PLACE } as const;
    expect([...new SchemaChanges(contract(9), contract(9)).between(pair)]).toEqual([]);
    expect([...new SchemaChanges(contract(9), contract(8)).between(pair)]).toHaveLength(1);
  }
});

describe('of any two schemas', () => {
  const types = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
  const limit = fc.integer({ min: 0, max: 4 });
  const value = fc.oneof(
    fc.constantFrom('', 'a', 'ab', 'abc', null, true, 1.5),
    fc.integer({ min: -1, max: 5 }),
    fc.array(fc.constantFrom('a', 1), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>('a', 'abc', 1, 5), { maxKeys: 3 }),
  );
  const restrictions = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(fc.constantFrom('a', 'ab', 1, 2, null), { minLength: 1, maxLength: 4 }),
    minimum: limit,
    maximum: limit,
    minLength: limit,
    maxLength: limit,
    maxItems: limit,
    minProperties: limit,
    pattern: fc.constantFrom('^a', 'b$'),
    multipleOf: fc.constantFrom(1, 2),
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  };
  const optional: fc.RecordConstraints<never> = { requiredKeys: [], noNullPrototype: true };
  const leaf = fc.record(restrictions, optional);
  const schema: fc.Arbitrary<object> = fc.record(
    { ...restrictions, items: leaf, properties: fc.record({ a: leaf, b: leaf }, optional) },
    optional,
  );
  /** Schemas that are drawn independently differ too much: here one restriction is replaced or left out. */
  const changed = fc
    .tuple(schema, fc.constantFrom(...Object.keys(restrictions)), leaf)
    .map(([before, keyword, other]) => {
      const { [keyword]: _, ...rest } = before as Record<string, unknown>;
      const replaced = (other as Record<string, unknown>)[keyword];
      return [before, replaced === undefined ? rest : { ...rest, [keyword]: replaced }] as const;
    });
  const ajv = new Ajv2020({ strict: false, validateSchema: false });

  test('a schema has no changes from itself', () => {
    fc.assert(
      fc.property(schema, fc.constantFrom<Side>('request', 'response', 'error'), (same, side) => {
        expect(changes(same, structuredClone(same), side)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('what was accepted is accepted after a change that is not reported', () => {
    let unreported = 0;
    fc.assert(
      fc.property(changed, fc.array(value, { minLength: 5, maxLength: 15 }), ([before, after], values) => {
        if (isDeepStrictEqual(before, after) || changes(before, after, 'request').length > 0) return;
        unreported += 1;
        const [accepted, accepts] = [ajv.compile(before), ajv.compile(after)];
        for (const each of values) if (accepted(each)) expect(accepts(each)).toBe(true);
      }),
      { numRuns: 80 },
    );
    expect(unreported).toBeGreaterThan(0);
  });
});
