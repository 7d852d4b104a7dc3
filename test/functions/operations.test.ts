import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ofType } from '../../infra/local/template.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { stringifyJson } from '../../shared/http/json.ts';
import type { OperationDeclaration } from '../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../shared/operations.ts';
import { templateOf } from '../infra/stack/templates.ts';
import { outcomeInFastTime } from '../shared/aws/fast-time.ts';
import { always, type Fault, faultyEngine, stubEndpoint } from '../shared/aws/faulty-engine.ts';
import { loggedLines } from './logged-lines.ts';
import {
  type ClientRequest,
  expectError,
  invoke,
  jsonBody,
  proxyEvent,
  type ReadResponse,
  TESTER,
} from './proxy-event.ts';

const FUNCTIONS = resolve(import.meta.dirname, '../../functions');
const DEPLOYED = ofType(templateOf('Petstore-Staging'), 'AWS::Lambda::Function');

/** The handler of an operation with the variables that the stack sets, and with tables that do not exist. */
async function handlerOf(name: string): Promise<unknown> {
  const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`;
  const [, deployed] = [...DEPLOYED].find(([logicalId]) => logicalId.endsWith(id)) ?? [];
  for (const [variable, value] of Object.entries(deployed?.Properties.Environment.Variables ?? {})) {
    // The tests have deadlines of their own.
    if (variable !== 'DYNAMODB_DEADLINE_MS')
      vi.stubEnv(variable, typeof value === 'string' ? value : 'no-table');
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const fileName = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const [file = ''] = globSync(`*/${fileName}.ts`, { cwd: FUNCTIONS });
  return (await import(resolve(FUNCTIONS, file))).handler;
}

/** A request that the operation accepts: the first examples of its body and of what it requires besides. */
function validRequest({ method, path }: OperationDeclaration): ClientRequest {
  const { paths } = openApiDocument() as unknown as DocumentWithExamples;
  const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  const body = example && jsonBody(stringifyJson(example.value));
  const requiredIn = (place: DocumentedParameter['in']) =>
    Object.fromEntries(
      parameters
        .filter(parameter => parameter.in === place && parameter.required)
        .map(({ name, schema }) => [name, exampleOf(`${method} ${path}: ${name}`, schema)]),
    );
  const pathParameters = requiredIn('path');
  return {
    ...body,
    method,
    path: `/v1${path.replaceAll(/\{(\w+)\}/g, (_, name) => pathParameters[name] ?? '')}`,
    pathParameters,
    query: requiredIn('query'),
    headers: { ...body?.headers, ...requiredIn('header') },
  };
}

function exampleOf(what: string, { examples: [example] = [] }: DocumentedSchema): string {
  if (example === undefined) throw new Error(`${what} has no example in the document.`);
  return String(example);
}

interface DocumentWithExamples {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly parameters?: readonly DocumentedParameter[]; readonly requestBody?: DocumentedBody }
    >
  >;
  readonly components: { readonly schemas: Record<string, DocumentedSchema> };
}

interface DocumentedParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: DocumentedSchema;
}

interface DocumentedSchema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
}

interface DocumentedBody {
  readonly content: {
    'application/json': { readonly examples: Record<string, { readonly value: unknown }> };
  };
}

/** The filters of a list, each with a value that it accepts: the last one, or the example in the document. */
function filtersOf({ method, path }: OperationDeclaration): Record<string, string> {
  const { paths, components } = openApiDocument() as unknown as DocumentWithExamples;
  const { parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {};
  const filters = parameters.filter(each => each.in === 'query' && !['limit', 'cursor'].includes(each.name));
  return Object.fromEntries(
    filters.map(({ name, schema }) => {
      const { enum: values } = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
      return [name, values?.at(-1) ?? exampleOf(`${method} ${path}: ${name}`, schema)];
    }),
  );
}

const LISTS = OPERATIONS.filter(
  ({ request }) => 'query' in request.shape && 'cursor' in request.shape.query.shape,
);

test.each(LISTS)('$name applies all of its filters', async operation => {
  loggedLines();
  const engine = await faultyEngine(always({ status: 400, type: 'ResourceNotFoundException' }));
  stubEndpoint(engine.endpoint);
  const filters = filtersOf(operation);
  await invoke(await handlerOf(operation.name), proxyEvent({ ...validRequest(operation), query: filters }));
  const [{ input } = {}] = engine.requests;
  const asked = JSON.stringify(input?.ExpressionAttributeValues);
  expect(Object.values(filters).filter(value => !asked.includes(value))).toEqual([]);
});

describe.each(OPERATIONS.map(operation => [operation.name, operation] as const))('%s', (name, operation) => {
  const valid = validRequest(operation);

  /** A response to a valid request of a caller while every call of DynamoDB has this fault. */
  async function responseDuring(fault: Fault) {
    const lines = loggedLines();
    const engine = await faultyEngine(always(fault));
    stubEndpoint(engine.endpoint);
    const handler = await handlerOf(name);
    let response: ReadResponse | undefined;
    const { tookMs } = await outcomeInFastTime(async () => {
      response = await invoke(handler, proxyEvent(valid));
    }, engine);
    return { response: response as ReadResponse, tookMs, lines: lines() };
  }

  test('401: no authorizer was asked, whatever the body', async () => {
    const event = proxyEvent({ ...valid, body: '{', authorizer: null });
    const response = await invoke(await handlerOf(name), event);
    expectError(response, 401, 'unauthorized');
    expect('Deprecation' in response.headers).toBe(operation.stability === 'deprecated');
  });

  test('403: a key without the scope, whatever the body', async () => {
    const scopes = TESTER.scopes.replace(operation.scope, '');
    const authorizer = { ...TESTER, scopes };
    const response = await invoke(await handlerOf(name), proxyEvent({ ...valid, body: '{', authorizer }));
    const message = `The API key does not have the scope ${operation.scope}.`;
    expectError(response, 403, 'forbidden', message);
    expect('Deprecation' in response.headers).toBe(operation.stability === 'deprecated');
  });

  test.each<Fault>(['no response', 'request lost'])('503: the table does not respond: %s', async fault => {
    const { response, tookMs } = await responseDuring(fault);
    expectError(response, 503, 'unavailable');
    expect(response.headers['Retry-After']).toBe('1');
    expect('Deprecation' in response.headers).toBe(operation.stability === 'deprecated');
    expect(tookMs).toBeLessThan(5000);
  });

  test('500: DynamoDB rejects the request, which only the log says', async () => {
    const { response, lines } = await responseDuring({ status: 400, type: 'ResourceNotFoundException' });
    expectError(response, 500, 'internal_error');
    expect(response.text).not.toContain('ResourceNotFound');
    expect(lines).toMatchObject([{ error: { name: 'ResourceNotFoundException' } }]);
  });
});
