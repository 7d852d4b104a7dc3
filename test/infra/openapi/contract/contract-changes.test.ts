import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contract, contractChanges } from '../../../../infra/openapi/contract/contract-changes.ts';
import { contractOf, releasedContract } from '../../../../infra/openapi/contract/released-contract.ts';

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

const without = (list: string[], value: string) => list.filter(each => each !== value);

describe('a change that takes something from clients is reported', () => {
  test.for<[string, (draft: Draft) => void, string]>([
    ['a path', d => delete d.paths['/pets'], 'GET /pets: the operation is removed'],
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
      'a parameter',
      d => d.paths['/pets'].get.parameters.splice(1, 1),
      'GET /pets, query parameter status: the parameter is removed',
    ],
    [
      'an optional parameter that becomes required',
      d => Object.assign(d.paths['/pets'].get.parameters[1], { required: true }),
      'GET /pets, query parameter status: is required now',
    ],
    [
      'a new parameter that is required',
      d => d.paths['/pets'].get.parameters.push({ in: 'query', name: 'store', required: true, schema: {} }),
      'GET /pets, query parameter store: the required parameter is new',
    ],
    [
      'a smaller maximum of a parameter',
      d => Object.assign(d.paths['/pets'].get.parameters[0].schema, { maximum: 50n }),
      'GET /pets, query parameter limit: maximum was 100 and is 50 now',
    ],
    [
      'another default',
      d => Object.assign(d.paths['/pets'].get.parameters[0].schema, { default: 10n }),
      'GET /pets, query parameter limit: default was 20 and is 10 now',
    ],
    [
      'the form of a list in a parameter',
      d => Object.assign(d.paths['/pets'].get.parameters[1], { style: 'spaceDelimited' }),
      'GET /pets, query parameter status: style is changed',
    ],
    [
      'a request body',
      d => delete d.paths['/pets'].post.requestBody,
      'POST /pets, request body: the body is removed',
    ],
    [
      'a media type of a request',
      d => Object.assign(d.paths['/pets'].post.requestBody, { content: {} }),
      'POST /pets, request body: application/json is removed',
    ],
    [
      'a field of a request',
      d => delete d.components.schemas.NewPet.properties.status,
      'POST /pets, request body, status: the property is removed',
    ],
    [
      'a new field of a request that is required',
      d => {
        d.components.schemas.NewPet.properties.owner = { type: 'string' };
        d.components.schemas.NewPet.required.push('owner');
      },
      'POST /pets, request body, owner: is required now',
    ],
    [
      'a value of an enum in requests',
      d => Object.assign(d.components.schemas.PetStatus, { enum: ['available', 'pending'] }),
      'GET /pets, query parameter status: no longer accepts "sold"',
    ],
    [
      'a value of an enum that responses did not have',
      d => d.components.schemas.PetStatus.enum.push('reserved'),
      'GET /pets, response 200, each element, status: may now be "reserved"',
    ],
    [
      'a code of errors',
      d => d.components.schemas.Error.properties.code['x-extensible-enum'].splice(10, 1),
      'GET /pets, response 400, code: is never "rate_limited" any more',
    ],
    [
      'a length',
      d => Object.assign(d.components.schemas.NewPet.properties.name, { maxLength: 100n }),
      'POST /pets, request body, name: maxLength was 255 and is 100 now',
    ],
    [
      'another pattern',
      d => Object.assign(d.paths['/pets'].get.parameters[2].schema, { pattern: '^[a-z]+$' }),
      'GET /pets, query parameter cursor: pattern was "^[0-9a-z]{1,11}\\\\.[0-9A-Za-z_-]{43}$" and is "^[a-z]+$" now',
    ],
    [
      'the exact range of an int64',
      d =>
        Object.assign(d.components.schemas.NewPet.properties.categoryId, { maximum: 9223372036854775806n }),
      'POST /pets, request body, categoryId: maximum was 9223372036854775807 and is 9223372036854775806 now',
    ],
    [
      'another type',
      d => Object.assign(d.components.schemas.Pet.properties.id, { type: 'string' }),
      'POST /pets, response 201, id: type was "integer" and is "string" now',
    ],
    [
      'a status of responses',
      d => delete d.paths['/pets'].post.responses['422'],
      'POST /pets, response 422: the status is removed',
    ],
    [
      'an outcome that clients do not know',
      d => Object.assign(d.paths['/pets'].post.responses, { 202: {} }),
      'POST /pets, response 202: the status is new, and clients do not expect it',
    ],
    [
      'a property of responses',
      d => delete d.components.schemas.Pet.properties.categoryId,
      'GET /pets, response 200, each element, categoryId: the property is removed',
    ],
    [
      'a property of responses that is no longer required',
      d =>
        Object.assign(d.components.schemas.Pet, {
          required: without(d.components.schemas.Pet.required, 'name'),
        }),
      'POST /pets, response 201, name: is no longer always present',
    ],
    [
      'a header of responses',
      d => delete d.paths['/pets'].get.responses['200'].headers.Link,
      'GET /pets, response 200, header Link: the header is removed',
    ],
    [
      'a header that is no longer required',
      d => delete d.components.headers['X-Request-Id'].required,
      'GET /pets, response 200, header X-Request-Id: is no longer always present',
    ],
    [
      'a value of a header',
      d => Object.assign(d.components.headers['Cache-Control'].schema, { const: 'private' }),
      'GET /pets, response 200, header Cache-Control: may now be "private"',
    ],
    [
      'a media type of responses',
      d => Object.assign(d.paths['/pets'].get.responses['200'], { content: { 'text/csv': {} } }),
      'GET /pets, response 200: application/json is removed',
    ],
    [
      'the name of a schema',
      d => {
        d.components.schemas.Animal = d.components.schemas.Pet;
        delete d.components.schemas.Pet;
        d.components.schemas.Pets.items.$ref = '#/components/schemas/Animal';
        const { content } = d.paths['/pets'].post.responses['201'];
        content['application/json'].schema.$ref = '#/components/schemas/Animal';
        d.paths['/pets/{petId}'].get.responses['200'].content['application/json'].schema.$ref =
          '#/components/schemas/Animal';
      },
      'POST /pets, response 201: the schema Pet has lost its name',
    ],
    [
      'another scope',
      d => Object.assign(d.paths['/pets'].get, { 'x-required-scope': 'pets:admin' }),
      'GET /pets: the required scope was pets:read and is pets:admin now',
    ],
    [
      'a scope of the security requirement',
      d => Object.assign(d.paths['/pets'].get, { security: [{ bearer: ['admin'] }] }),
      'GET /pets: the security requirement bearer is no longer enough',
    ],
    [
      'a second key',
      d => Object.assign(d.paths['/pets'].get, { security: [{ bearer: [], account: [] }] }),
      'GET /pets: the security requirement bearer is no longer enough',
    ],
    [
      'another security scheme',
      d => Object.assign(d.components.securitySchemes.bearer, { scheme: 'basic' }),
      'GET /pets: the security scheme bearer is changed',
    ],
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

test('an unchanged contract passes', () => {
  expect(contractChanges(released, structuredClone(released), TODAY)).toEqual([]);
});

test('each addition passes', () => {
  for (const add of ADDITIONS) {
    const draft = structuredClone(released);
    add(draft, 'bonus');
    expect(draft).not.toEqual(released);
    expect(contractChanges(released, draft, TODAY)).toEqual([]);
  }
});

test('any number of additions passes, under any names', () => {
  const name = fc.stringMatching(/^[a-z]{6,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...ADDITIONS), name), { maxLength: 12 }), additions => {
      const draft: Draft = structuredClone(released);
      for (const [add, each] of additions) add(draft, each);
      expect(contractChanges(released, draft as Contract, TODAY)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('prose, examples and presentation are no part of the contract, whatever a property is called', () => {
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
  const contract: Draft = structuredClone(releasedContract());
  const { post } = contract.paths['/pets'];
  const { 201: created, 422: mismatch } = post.responses;
  contract.paths = { '/pets': { post: { ...post, responses: { 201: created, 422: mismatch } } } };
  const { NewPet, Pet, PetStatus, Error: error } = contract.components.schemas;
  contract.components.schemas = { NewPet, Pet, PetStatus, Error: error };
  return contract;
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
  /^paths \/pets post parameters 0 schema( type| pattern)?$/,
  /^components schemas NewPet (type|required.*)$/,
  /^components schemas NewPet properties \w+ (type|format|pattern|not|not pattern|minLength|maxLength|minimum|maximum|\$ref)$/,
  /^components securitySchemes bearer bearerFormat$/,
  /^components headers (NextPage|Successor|Deprecation|Sunset|WWW-Authenticate|Retry-After)/,
];

test('nothing of an operation can go unnoticed, unless it gives clients more room', () => {
  const whole = createPetAlone();
  const unnoticed = [...pathsOf(whole)]
    .filter(path => !isNoticed(whole, withoutPart(whole, path)))
    .map(path => path.join(' '));
  expect(unnoticed.filter(path => !FREE.some(pattern => pattern.test(path)))).toEqual([]);
});
