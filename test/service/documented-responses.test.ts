import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_NEW_PET, EXAMPLE_PET } from '../../infra/openapi/pets.ts';
import { SCOPE_NAMES } from '../../shared/api-keys/scopes.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../shared/errors.ts';
import { parseJson, stringifyJson } from '../../shared/http/json.ts';
import { OPERATIONS } from '../../shared/operations.ts';
import { anyText } from '../any-text.ts';
import { allPets, client, type HttpResponse, type RequestParts } from './http-client.ts';
import { done } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const send = client(() => service.staging);

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples: Readonly<Record<string, { readonly value: unknown }>> }
    >
  >;
}

/** The keywords of JSON Schema that the document's requests use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number | bigint;
  readonly maxLength?: number | bigint;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

let schemas: Document['components']['schemas'];
let operations: ReadonlyMap<string, Operation & { readonly path: string }>;
let differences: ReturnType<typeof conformance>;

beforeAll(async () => {
  const { text } = await send('GET /openapi.json');
  // With integers as bigints: the limits of an int64 keep their digits.
  const document = parseJson(text) as Document;
  schemas = document.components.schemas;
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(operation => [operation.operationId, { ...operation, path }]),
    ),
  );
  differences = conformance(JSON.parse(text));
});

/** Sends a request of an operation, and expects a response that the document has. */
async function documented(name: string, target: string, parts: RequestParts = {}): Promise<HttpResponse> {
  const { method } = OPERATIONS.find(operation => operation.name === name) ?? expect.fail(name);
  const response = await send(`${method} ${target}`, parts);
  expect(differences(name, response)).toEqual([]);
  return response;
}

/** An example of the document, by its name. */
function example(operation: string, status: number, name: string): unknown {
  const { content } = operations.get(operation)?.responses[status] ?? {};
  // As clients parse it.
  return JSON.parse(stringifyJson(content?.['application/json']?.examples[name]?.value));
}

interface GeneratedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests of an operation: every part as its schema says, or any text in the place of some parts. */
function requestsOf(operationId: string, isValid: boolean): fc.Arbitrary<GeneratedRequest> {
  const { path = '', parameters = [], requestBody } = operations.get(operationId) ?? {};
  const readableText = fc.string({ unit: 'grapheme', maxLength: 20 });
  const textsOf = ({ schema, in: place }: Parameter) => {
    const allowed = valuesOf(schema).map(String);
    if (isValid) return allowed;
    return fc.oneof(allowed, place === 'header' ? fc.string({ maxLength: 300 }) : readableText);
  };
  // A cursor that the service has not signed is a documented refusal.
  const given = parameters.filter(({ name }) => !isValid || name !== 'cursor');
  const values = fc.record(Object.fromEntries(given.map(each => [each.name, textsOf(each)])), {
    requiredKeys: given.filter(({ required }) => required).map(({ name }) => name),
  });
  const schema = requestBody?.content['application/json']?.schema;
  const json = schema ? valuesOf(schema).map(value => stringifyJson(value)) : fc.constant(undefined);
  const body = isValid || !schema ? json : fc.oneof(json, fc.json(), readableText, undocumentedBodies());
  return fc.tuple(values, body).map(([texts, content]) => {
    const of = (place: string) =>
      given.filter(each => each.in === place && texts[each.name] !== undefined).map(({ name }) => name);
    const query = new URLSearchParams(of('query').map((name): [string, string] => [name, texts[name] ?? '']));
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(texts[name] ?? ''));
    return {
      target: query.size === 0 ? target : `${target}?${query}`,
      headers: Object.fromEntries(of('header').map(name => [name, texts[name] ?? ''])),
      ...(content !== undefined && { body: content }),
    };
  });
}

/** Bodies with the fields of an animal that break a rule of one of them, more often than not. */
function undocumentedBodies(): fc.Arbitrary<string> {
  const name = fc.oneof(anyText({ maxLength: 300 }), fc.anything());
  const categoryId = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.string());
  return fc.record({ name, categoryId, status: fc.string() }).map(body => JSON.stringify(body));
}

/** Header values that Node.js can send and that the gateway takes, and a path of this operation. */
function isSendable({ target, headers }: GeneratedRequest): boolean {
  const isHeader = (value: string) => /^[\t -~\u0080-\u00ff]*$/.test(value);
  // An empty petId is the path of the list, and one or two dots are resolved by every client.
  return Object.values(headers).every(isHeader) && !/\/\.{0,2}$/.test(target);
}

/** Refusals of a request that the document allows: ids are not in the document, and a key may be generated for two bodies. */
const POSSIBLE_REFUSALS: readonly ErrorCode[] = ['not_found', 'idempotency_mismatch'];

describe.each(OPERATIONS)('$name', ({ name, scope, success, errors }) => {
  test('accepts every request that the document allows', async () => {
    const refusals = errors
      .filter(code => POSSIBLE_REFUSALS.includes(code))
      .map(code => STATUS_BY_CODE[code]);
    await fc.assert(
      fc.asyncProperty(requestsOf(name, true), async ({ target, ...parts }) => {
        expect([success, ...refusals]).toContain((await documented(name, target, parts)).status);
      }),
      { numRuns: 40 },
    );
  });

  test('responds to any other request as documented, never with a fault of its own', async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(name, false).filter(isSendable), async ({ target, ...parts }) => {
        expect((await documented(name, target, parts)).status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });

  test('returns 401 and 403 as the examples have them', async () => {
    const [{ target } = { target: '' }] = fc.sample(requestsOf(name, true), 1);
    const scopes = SCOPE_NAMES.filter(each => each !== scope);
    const { key } = await done(service, 'staging', 'keys.create', { name: `without ${scope}`, scopes });
    for (const [Authorization, status, code] of [
      ['Bearer none', 401, 'unauthorized'],
      [`Bearer ${key}`, 403, 'forbidden'],
    ] as const) {
      const response = await documented(name, target, { headers: { Authorization } });
      expect([response.status, response.json()]).toEqual([status, example(name, status, code)]);
    }
  });
});

describe('the examples of the document are what the service returns', () => {
  test('201, 200: a pet that is created, got and listed', async () => {
    const pet = (await documented('createPet', '/pets', { body: EXAMPLE_NEW_PET })).json<
      typeof EXAMPLE_PET
    >();
    const { id } = pet;
    expect({ ...pet, id: EXAMPLE_PET.id }).toEqual(example('createPet', 201, 'pet'));
    const got = (await documented('getPet', `/pets/${id}`)).json<object>();
    expect({ ...got, id: EXAMPLE_PET.id }).toEqual(example('getPet', 200, 'pet'));
    const listed = (await allPets(send)).find(each => each.id === Number(id));
    expect([{ ...listed, id: EXAMPLE_PET.id }]).toEqual(example('listPets', 200, 'page'));
  });

  test.each<[operation: string, ErrorCode, target: string, parts?: RequestParts]>([
    ['listPets', 'invalid_request', '/pets?limit=0'],
    ['listPets', 'invalid_cursor', '/pets?cursor=mine'],
    ['createPet', 'invalid_request', '/pets', { body: { categoryId: '1' } }],
    ['createPet', 'payload_too_large', '/pets', { body: 'x'.repeat(16_385) }],
    [
      'createPet',
      'unsupported_media_type',
      '/pets',
      { body: 'Rex', headers: { 'Content-Type': 'text/plain' } },
    ],
    ['getPet', 'not_found', '/pets/1'],
  ])('%s: %s', async (operation, code, target, parts) => {
    const status = STATUS_BY_CODE[code];
    expect((await documented(operation, target, parts)).json()).toEqual(example(operation, status, code));
  });

  test('createPet: idempotency_mismatch', async () => {
    const headers = { 'Idempotency-Key': 'example' };
    await documented('createPet', '/pets', { headers, body: EXAMPLE_NEW_PET });
    const body = { ...EXAMPLE_NEW_PET, name: 'Max' };
    const other = await documented('createPet', '/pets', { headers, body });
    expect(other.json()).toEqual(example('createPet', 422, 'idempotency_mismatch'));
  });
});

/** Returns where a response of an operation differs from the document: its status, a header, its media type, its body. */
function conformance(document: Document): (operation: string, response: HttpResponse) => string[] {
  const ajv = new Ajv2020({
    strict: false,
    formats: { int64: true, 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  });
  ajv.addSchema(document, 'document');
  const validators = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const known = validators.get(schema);
    if (known) return known;
    // References are resolved inside the whole document.
    const validator = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
    validators.set(schema, validator);
    return validator;
  };
  const faultsOf = (schema: object, value: unknown, name: string) => {
    const validate = validatorOf(schema);
    return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
  };
  const all = Object.values(document.paths).flatMap(methods => Object.values(methods));

  return (name, { status, headers, json }) => {
    const response = all.find(({ operationId }) => operationId === name)?.responses[status];
    if (!response) return [`the status ${status} is not documented`];
    const mediaType = String(headers['content-type']);
    const schema = response.content[mediaType]?.schema;
    const headerFaults = Object.entries(response.headers ?? {}).flatMap(([header, { $ref }]) => {
      const expected = document.components.headers[$ref.replace('#/components/headers/', '')];
      const value = headers[header.toLowerCase()];
      if (value === undefined) return expected?.required ? [`the header ${header} is missing`] : [];
      return faultsOf(expected?.schema ?? {}, value, header);
    });
    const bodyFaults = schema
      ? faultsOf(schema, json(), 'body')
      : [`the media type ${mediaType} is not documented`];
    return [...headerFaults, ...bodyFaults].map(fault => `${status}: ${fault}`);
  };
}

const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** Values that a schema of the document allows, as JSON.parse would give them, but integers as bigints. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {});
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer') {
    const { minimum = INT64.minimum, maximum = INT64.maximum } = schema;
    return fc.bigInt({ min: BigInt(minimum), max: BigInt(maximum) });
  }
  if (schema.type === 'string') return textsOf(schema);
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    const values = properties.map(([name, property]) => [name, valuesOf(property)] as const);
    return fc.record(Object.fromEntries(values), { requiredKeys: [...(schema.required ?? [])] });
  }
  throw new Error(`The test cannot generate values of ${JSON.stringify(schema)}.`);
}

function textsOf({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const [min, max] = [Number(minLength), Number(maxLength)];
  const texts = pattern
    ? fc.stringMatching(new RegExp(pattern, 'u'))
    : fc.string({ minLength: min, maxLength: max });
  return texts.filter(text => [...text].length >= min && [...text].length <= max);
}
