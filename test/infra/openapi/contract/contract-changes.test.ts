import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Contract,
  contractChanges,
  losses,
  type Side,
} from '../../../../infra/openapi/contract/contract-changes.ts';
import { contractOf, releasedContract } from '../../../../infra/openapi/contract/released-contract.ts';
import { stringifyJson } from '../../../../shared/http/json.ts';

/** A contract that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: the tests reach deep into a JSON document.
type Draft = any;

const released = releasedContract();
const TODAY = '2026-11-15';

function changesAfter(change: (draft: Draft) => void, day = TODAY): string[] {
  const draft: Draft = structuredClone(released);
  change(draft);
  return contractChanges(released, draft as Contract, day);
}

describe('a change that takes something from clients is reported', () => {
  const status = 'GET /pets, query parameter status';
  const body = 'POST /pets, request body, application/json';
  const pet = 'POST /pets, response 201, application/json';
  test.for<[string, (draft: Draft) => void, string]>([
    ['a method', d => delete d.paths['/pets'].post, 'POST /pets: the operation is removed'],
    [
      'a deprecated operation before its last day',
      d => delete d.paths['/pets/{petId}'],
      'GET /pets/{petId}: the operation is removed before 2030-12-05, which was announced',
    ],
    [
      'an earlier last day',
      d => Object.assign(d.paths['/pets/{petId}'].get, { 'x-deprecated-sunset': '2027-01-01' }),
      'GET /pets/{petId}: the removal was announced for 2030-12-05 and is 2027-01-01 now',
    ],
    [
      'stability',
      d => Object.assign(d.paths['/pets'].get, { 'x-stability': 'experimental' }),
      'GET /pets: was stable and is experimental now',
    ],
    [
      'the name of an operation',
      d => Object.assign(d.paths['/pets'].get, { operationId: 'findPets' }),
      'GET /pets: operationId was listPets and is findPets now',
    ],
    [
      'a server',
      d => d.servers.pop(),
      'server https://{api}.execute-api.{region}.amazonaws.com/staging/v1: is removed',
    ],
    [
      'an optional parameter that becomes required',
      d => Object.assign(d.paths['/pets'].get.parameters[1], { required: true }),
      `${status}: required was absent and is true now`,
    ],
    [
      'a new parameter that is required',
      d => Object.assign(d.paths['/pets'], { parameters: [{ in: 'query', name: 'store', required: true }] }),
      'GET /pets, query parameter store: is new and required',
    ],
    [
      'another default of a property, which an extension says',
      d => Object.assign(d.components.schemas.NewPet.properties.status, { 'x-default': 'sold' }),
      `${body}, status: default was "available" and is "sold" now`,
    ],
    [
      'a pattern with another character',
      d => Object.assign(d.components.schemas.NewPet.properties.name, { not: { pattern: '\\u000b' } }),
      `${body}, name: not was {"pattern":"\\n"} and is {"pattern":"\\u000b"} now`,
    ],
    [
      'the form of a list in a parameter',
      d => Object.assign(d.paths['/pets'].get.parameters[1], { style: 'spaceDelimited' }),
      `${status}: style was absent and is "spaceDelimited" now`,
    ],
    [
      'a value of an enum that responses did not have',
      d => d.components.schemas.PetStatus.enum.push('lost'),
      `${pet}, status: enum was ["available","pending","sold"] and is ["available","pending","sold","lost"] now`,
    ],
    [
      'the exact range of an int64',
      d =>
        Object.assign(d.components.schemas.NewPet.properties.categoryId, { maximum: 9223372036854775806n }),
      `${body}, categoryId: maximum was 9223372036854775807 and is 9223372036854775806 now`,
    ],
    [
      'an outcome that clients do not know',
      d => Object.assign(d.paths['/pets'].post.responses, { 202: {} }),
      'POST /pets, response 202: is new, and clients do not expect it',
    ],
    [
      'a property of responses',
      d => delete d.components.schemas.Pet.properties.categoryId,
      'GET /pets, response 200, application/json, each element, categoryId: is removed',
    ],
    [
      'a value of a header',
      d => Object.assign(d.components.headers['Cache-Control'].schema, { const: 'private' }),
      'GET /pets, response 200, header Cache-Control: const was "no-store" and is "private" now',
    ],
    [
      'the name of a schema',
      d => {
        d.components.schemas.Animal = d.components.schemas.Pet;
        const { content } = d.paths['/pets'].post.responses['201'];
        content['application/json'].schema.$ref = '#/components/schemas/Animal';
      },
      `${pet}: $ref was "#/components/schemas/Pet" and is "#/components/schemas/Animal" now`,
    ],
    [
      'another scope',
      d => Object.assign(d.paths['/pets'].get, { 'x-required-scope': 'pets:admin' }),
      'GET /pets: the required scope was pets:read and is pets:admin now',
    ],
    ...[
      (d: Draft) => Object.assign(d.paths['/pets'].get, { security: [{ bearer: ['admin'] }] }),
      (d: Draft) => {
        delete d.paths['/pets'].get.security;
        d.security = [{ bearer: ['admin'] }];
      },
      (d: Draft) => Object.assign(d.paths['/pets'].get, { security: [{ bearer: [], account: [] }] }),
      (d: Draft) => Object.assign(d.components.securitySchemes.bearer, { scheme: 'basic' }),
    ].map((change): [string, typeof change, string] => [
      'another way in',
      change,
      'GET /pets: the security requirement bearer is no longer enough',
    ]),
    ['the version', d => Object.assign(d.info, { version: '0.9.0' }), 'version: was 1.0.0 and is 0.9.0 now'],
  ])('%s', ([, change, message]) => {
    expect(changesAfter(change)).toContain(message);
  });

  test('but not when the major version rises', () => {
    expect(changesAfter(d => Object.assign(d, { paths: {}, info: { version: '2.0.0' } }))).toEqual([]);
    expect(changesAfter(d => Object.assign(d, { paths: {}, info: { version: '1.9.0' } }))).not.toEqual([]);
  });

  test('but not on the day that was announced for a removal', () => {
    const removed = (d: Draft) => {
      delete d.paths['/pets/{petId}'].get;
      // Without another operation the path itself is gone.
      if (Object.keys(d.paths['/pets/{petId}']).length === 0) delete d.paths['/pets/{petId}'];
    };
    expect(changesAfter(removed, '2030-12-05')).toEqual([]);
  });

  test('but not for an operation that may change at any time', () => {
    expect(released.paths).toMatchObject({ '/store/orders': { get: { 'x-stability': 'experimental' } } });
    expect(changesAfter(d => delete d.paths['/store/orders'])).toEqual([]);
  });

  test('a version that is not of the form 1.2.3 is refused', () => {
    expect(() => changesAfter(d => Object.assign(d.info, { version: 'next' }))).toThrow('next');
  });
});

/** Each adds something under a name, or gives clients more room. */
const ADDITIONS: readonly ((draft: Draft, name: string) => void)[] = [
  (d, name) => Object.assign(d.paths, { [`/${name}`]: structuredClone(d.paths['/pets']) }),
  (d, name) =>
    Object.assign(d.paths['/pets/{petId}'], { trace: { operationId: name, responses: { 204: {} } } }),
  (d, name) => d.paths['/pets'].get.parameters.push({ in: 'query', name, schema: { type: 'string' } }),
  (d, name) =>
    Object.assign(d.components.schemas.NewPet.properties, { [name]: { type: 'string', maxLength: 5n } }),
  (d, name) => Object.assign(d.components.schemas.Pet.properties, { [name]: { type: 'string' } }),
  (d, name) => d.components.schemas.Pet.required.push(name),
  (d, name) => d.components.schemas.Error.properties.code['x-extensible-enum'].push(name),
  (d, name) => Object.assign(d.components.schemas, { [name]: { type: 'string' } }),
  (d, name) =>
    Object.assign(d.paths['/pets'].get.responses['200'].headers, { [`X-${name}`]: { schema: {} } }),
  (d, name) => Object.assign(d.paths['/pets'].get.responses['200'].content, { [`text/${name}`]: {} }),
  (d, name) => d.servers.push({ url: `https://${name}.example.com` }),
  (d, name) => Object.assign(d.paths['/store/orders'].get, { operationId: name, parameters: [] }),
  d =>
    Object.assign(d.paths['/pets'].get.responses, {
      409: structuredClone(d.paths['/pets'].post.responses[413]),
    }),
  d => Object.assign(d.paths['/pets'].get.parameters[0].schema, { maximum: 500n, minimum: 0n }),
  d => delete d.components.schemas.NewPet.properties.name.pattern,
  d => Object.assign(d.components.schemas.NewPet, { required: ['name'] }),
  d => Object.assign(d.components.schemas.Pet.properties.name, { maxLength: 255n }),
  d =>
    Object.assign(d.paths['/pets'].get, { 'x-stability': 'deprecated', 'x-deprecated-sunset': '2040-01-01' }),
  d => Object.assign(d.paths['/pets'].get, { security: [{ bearer: [] }, {}] }),
  d => Object.assign(d.info, { version: '1.7.2' }),
];

test('an unchanged contract and each addition pass', () => {
  expect(changesAfter(() => {})).toEqual([]);
  for (const add of ADDITIONS) {
    const draft = structuredClone(released);
    add(draft, 'bonus');
    expect(draft).not.toEqual(released);
    expect(contractChanges(released, draft, TODAY)).toEqual([]);
  }
});

test('a default and a pattern may be said in another way', () => {
  const before: Draft = structuredClone(released);
  const { name, status } = before.components.schemas.NewPet.properties;
  const { pattern } = name;
  status.default = status['x-default'];
  delete status['x-default'];
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  Object.assign(name, { pattern: pattern.replaceAll(/[^!-~]/g, escaped), not: { pattern: '\\n' } });
  expect(name.pattern).not.toBe(pattern);
  expect(contractChanges(before, released, TODAY)).toEqual([]);
  // The dot itself would be any character.
  const cursor: Draft = structuredClone(released);
  cursor.paths['/pets'].get.parameters[2].schema.pattern = '^[0-9a-z]{1,11}\\u002e[0-9A-Za-z_-]{43}$';
  expect(contractChanges(cursor, released, TODAY)).toHaveLength(1);
});

test('prose, examples and presentation are not part of the contract, whatever a property is called', () => {
  const schema = {
    description: 'An animal.',
    properties: { description: { type: 'string', description: 'Words.', examples: ['Big.'] } },
    default: { description: 'None.' },
  };
  const contract = contractOf({
    info: { version: '1.0.0', title: 'Petstore', description: 'A store of animals.' },
    tags: [{ name: 'animals' }],
    paths: { '/pets': { get: { summary: 'List animals', 'x-badges': [], 'x-stability': 'stable' } } },
    components: { schemas: { Pet: schema } },
  });
  expect(contract).toEqual({
    info: { version: '1.0.0' },
    paths: { '/pets': { get: { 'x-stability': 'stable' } } },
    components: {
      schemas: {
        Pet: { properties: { description: { type: 'string' } }, default: { description: 'None.' } },
      },
    },
  });
});

/** The released contract with one operation and two of its responses: each part of it is one comparison of its own. */
function createPetAlone(): Contract {
  const contract: Draft = structuredClone(released);
  const { post } = contract.paths['/pets'];
  const { 201: created, 422: mismatch } = post.responses;
  contract.paths = { '/pets': { post: { ...post, responses: { 201: created, 422: mismatch } } } };
  const { securitySchemes } = contract.components;
  contract.components = usedComponents(contract.paths, contract.components, { securitySchemes });
  return contract;
}

/** The components that a part refers to, also by way of others. */
function usedComponents(part: unknown, components: Draft, used: Draft): Draft {
  for (const [, kind = '', name = ''] of stringifyJson(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    if (used[kind]?.[name]) continue;
    used[kind] = { ...used[kind], [name]: components[kind][name] };
    usedComponents(used[kind][name], components, used);
  }
  return used;
}

function* pathsOf(part: unknown, above: readonly string[] = []): Generator<readonly string[]> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, child] of Object.entries(part)) {
    yield [...above, name];
    yield* pathsOf(child, [...above, name]);
  }
}

function withoutPart(contract: Contract, path: readonly string[]): Contract {
  const draft: Draft = structuredClone(contract);
  const parent = path.slice(0, -1).reduce((part, name) => part[name], draft);
  const name = path.at(-1) as string;
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return draft;
}

/** Whether the loss is reported, or leaves a document that cannot be compared because it names what it lacks. */
function isNoticed(released: Contract, current: Contract): boolean {
  try {
    return contractChanges(released, current, TODAY).length > 0;
  } catch {
    return true;
  }
}

/** Each of these can go without a loss: requests have more room, or the part is about people or about other operations. */
const FREE = [
  /^openapi$/,
  /^servers \d variables/,
  /^paths \/pets post (security|x-required-scope|x-stability)/,
  /^paths \/pets post requestBody required$/,
  /^paths \/pets post parameters \d+ schema( type| pattern)?$/,
  /^components schemas NewPet (type|required.*)$/,
  /^components schemas NewPet properties \w+ (type|format|pattern|not|not pattern|minLength|maxLength|minimum|maximum|enum|\$ref)$/,
  /^components securitySchemes bearer bearerFormat$/,
];

test('nothing of an operation can go unnoticed, unless it gives clients more room', () => {
  const whole = createPetAlone();
  const unnoticed = [...pathsOf(whole)]
    .filter(path => !isNoticed(whole, withoutPart(whole, path)))
    .map(path => path.join(' '));
  expect(unnoticed.filter(path => !FREE.some(pattern => pattern.test(path)))).toEqual([]);
});

function changes(before: object, after: object, side: Side): string[] {
  return [...losses({ ...before }, { ...after }, side, 'value')];
}

describe('a restriction that is new in requests, or gone from responses, is reported', () => {
  test.for<[object, object, string]>([
    [{}, { type: 'string' }, 'type'],
    [{ type: ['string', 'null'] }, { type: 'string' }, 'type'],
    [{ type: 'number' }, { type: 'integer' }, 'type'],
    [{}, { enum: ['a'] }, 'enum'],
    [{}, { const: 'a' }, 'const'],
    [{ enum: ['a', 'b'] }, { enum: ['a'] }, 'enum'],
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
    [{ properties: { a: {} } }, { properties: { a: {} }, required: ['a'] }, 'required'],
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
  expect(changes(open, closed, 'request')).toEqual([
    'value, further properties: not was absent and is {} now',
  ]);
  expect(changes(closed, open, 'request')).toEqual([]);
  expect(changes(closed, open, 'response')).toEqual([]);
  expect(changes(closed, { additionalProperties: { type: 'string' } }, 'request')).toEqual([]);
});

test('an open list of codes may grow and loses none', () => {
  const open = (...codes: string[]) => ({ 'x-extensible-enum': codes });
  for (const side of ['request', 'response'] as const) {
    expect(changes(open('a'), open('a', 'b'), side)).toEqual([]);
    expect(changes(open('a', 'b'), open('a', 'c'), side)).toHaveLength(1);
    expect(changes(open('a'), { type: 'string' }, side)).not.toEqual([]);
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
