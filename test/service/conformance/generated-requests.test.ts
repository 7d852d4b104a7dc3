import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../../shared/errors.ts';
import { parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { anyText } from '../../any-text.ts';
import { client, type HttpResponse } from '../http-client.ts';
import { operate } from '../operator.ts';
import { sharedService } from '../shared-service.ts';
import { conformance, type OpenApiDocument } from './conformance.ts';
import { type Schema, valuesOf } from './generated-values.ts';

const service = sharedService();
const send = client(() => service.staging);

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface GeneratedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

let schemas: Readonly<Record<string, Schema>>;
let operations: ReadonlyMap<string, Operation & { readonly method: string; readonly path: string }>;
let faultsOf: (method: string, target: string, response: HttpResponse) => string[];

beforeAll(async () => {
  const { text } = await send('GET /openapi.json');
  const document = parseJson(text) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  schemas = document.components.schemas;
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { ...operation, method: method.toUpperCase(), path },
      ]),
    ),
  );
  const differences = conformance(JSON.parse(text) as OpenApiDocument);
  faultsOf = (method, target, { status, headers, text: body }) =>
    differences({
      method,
      url: `${service.staging.url}${target}`,
      status,
      headers: headers as Record<string, string>,
      body,
    });
});

/** Requests of an operation: every part as its schema says, or any text in the place of some parts. */
function requestsOf(operationId: string, isValid: boolean): fc.Arbitrary<GeneratedRequest> {
  const { path = '', parameters = [], requestBody } = operations.get(operationId) ?? {};
  const readableText = fc.string({ unit: 'grapheme', maxLength: 20 });
  const textsOf = ({ schema, in: place }: Parameter) => {
    const documented = valuesOf(schema, schemas).map(String);
    if (isValid) return documented;
    return fc.oneof(documented, place === 'header' ? fc.string({ maxLength: 300 }) : readableText);
  };
  // A cursor that the service has not signed is a documented refusal.
  const given = parameters.filter(({ name }) => !isValid || name !== 'cursor');
  const values = fc.record(Object.fromEntries(given.map(each => [each.name, textsOf(each)])), {
    requiredKeys: given.filter(({ required }) => required).map(({ name }) => name),
  });
  const schema = requestBody?.content['application/json']?.schema;
  const json = schema ? valuesOf(schema, schemas).map(value => stringifyJson(value)) : fc.constant(undefined);
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

describe.each(OPERATIONS)('$name', ({ name: operationId, method, scope, success, errors }) => {
  test('accepts every request that the document allows', async () => {
    const refusals = errors
      .filter(code => POSSIBLE_REFUSALS.includes(code))
      .map(code => STATUS_BY_CODE[code]);
    await fc.assert(
      fc.asyncProperty(requestsOf(operationId, true), async ({ target, ...parts }) => {
        const response = await send(`${method} ${target}`, parts);
        expect(faultsOf(method, target, response)).toEqual([]);
        expect([success, ...refusals]).toContain(response.status);
      }),
      { numRuns: 40 },
    );
  });

  test('responds to any other request as documented, never with a fault of its own', async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operationId, false).filter(isSendable), async ({ target, ...parts }) => {
        const response = await send(`${method} ${target}`, parts);
        expect(faultsOf(method, target, response)).toEqual([]);
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });

  test('returns 401 and 403 as documented', async () => {
    const [target] = fc.sample(requestsOf(operationId, true), 1).map(request => request.target);
    const { result } = await operate(service, 'staging', {
      command: 'keys.create',
      name: `without ${scope}`,
      scopes: SCOPE_NAMES.filter(each => each !== scope),
    });
    const { key } = result as { key: string };
    for (const [Authorization, status] of [
      ['Bearer none', 401],
      [`Bearer ${key}`, 403],
    ] as const) {
      const response = await send(`${method} ${target}`, { headers: { Authorization } });
      expect(response.status).toBe(status);
      expect(faultsOf(method, String(target), response)).toEqual([]);
    }
  });
});
