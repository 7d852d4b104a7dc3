import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readRequest } from '../../../shared/http/read-request.ts';
import { CreatePet, GetPet, ListPets } from '../../../shared/pets/pet.ts';
import { type ClientRequest, jsonBody, proxyEvent } from '../../functions/proxy-event.ts';

const rex = { name: 'Rex', categoryId: 7 };
const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';

/** What the operation gets to see of the request. */
function read(schema: Parameters<typeof readRequest>[0], request: ClientRequest): unknown {
  const event = proxyEvent(request) as ReturnType<typeof proxyEvent> & { request?: unknown };
  readRequest(schema).before?.({ event } as never);
  return event.request;
}

function refusal(schema: Parameters<typeof readRequest>[0], request: ClientRequest): string {
  try {
    read(schema, request);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

test('query, headers, path and body arrive as the schema makes them', () => {
  expect(read(ListPets, { query: { limit: '7', status: 'sold' } })).toEqual({
    query: { limit: 7, status: 'sold' },
  });
  expect(read(ListPets, {})).toEqual({ query: { limit: 20 } });
  expect(read(CreatePet, jsonBody(rex))).toEqual({
    headers: {},
    body: { name: 'Rex', categoryId: 7n, status: 'available' },
  });
  expect(read(GetPet, { pathParameters: { petId: '12' } })).toEqual({ path: { petId: '12' } });
});

test('an event without query, headers, path and body has none of them', () => {
  const schema = z.object({ path: z.object({}), query: z.object({}), headers: z.object({}) });
  const event = { ...proxyEvent(), headers: null, multiValueHeaders: null } as never;
  expect(() => readRequest(schema).before?.({ event } as never)).not.toThrow();
});

test('unknown fields and parameters are ignored', () => {
  const { body } = read(CreatePet, jsonBody({ ...rex, id: 1, owner: { name: 'Ann' } })) as { body: unknown };
  expect(body).toEqual({ name: 'Rex', categoryId: 7n, status: 'available' });
  expect(read(ListPets, { query: { colour: ['red', 'blue'], __proto__: 'x' } })).toEqual({
    query: { limit: 20 },
  });
  const polluting = '{"name":"Rex","categoryId":7,"__proto__":{"status":"sold"},"constructor":1}';
  expect(read(CreatePet, jsonBody(polluting))).toMatchObject({ body: { status: 'available' } });
});

test('400: every fault is named at once', () => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': ['a', 'b'] };
  const body = '{"name":5,"categoryId":5.5,"status":null}';
  expect(refusal(CreatePet, { method: 'POST', headers, body })).toBe(
    `Idempotency-Key must be given once; name must be a string; categoryId ${INT64}; status must be one of available, pending, sold`,
  );
  expect(refusal(ListPets, { query: { limit: '0', status: 'gone', cursor: ['a', 'b'] } })).toBe(
    'limit must be an integer from 1 to 100; status must be one of available, pending, sold; cursor must be given once',
  );
});

test('400: what is missing is named as required', () => {
  expect(refusal(CreatePet, jsonBody('{}'))).toBe('name is required; categoryId is required');
  expect(refusal(CreatePet, { method: 'POST' })).toBe('the body is required');
});

test.each(['[]', 'null', '5', '"Rex"', 'true'])('400: the body %s is no object', body => {
  expect(refusal(CreatePet, jsonBody(body))).toBe('the body must be a JSON object');
});

test.each([
  ['limit', ['5', '5']],
  ['limit', ['5', 'x']],
  ['status', ['sold', 'sold']],
  ['cursor', ['a', 'a', 'a']],
])('400: %s given more than once, as %j', (name, values) => {
  expect(refusal(ListPets, { query: { [name]: values } })).toBe(`${name} must be given once`);
});

test('400: a list in the body is no repetition', () => {
  expect(refusal(CreatePet, jsonBody({ ...rex, name: ['Rex', 'Max'] }))).toBe('name must be a string');
});

test.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])('the header may be written %s', name => {
  const headers = { 'Content-Type': 'application/json', [name]: 'k1' };
  expect(read(CreatePet, { ...jsonBody(rex), headers })).toMatchObject({
    headers: { 'Idempotency-Key': 'k1' },
  });
});

test.each([
  ['written alike', { 'idempotency-key': ['k1', 'k1'] }],
  ['written in two ways', { 'Idempotency-Key': 'k1', 'idempotency-key': 'k2' }],
])('400: a header given twice, %s', (_, twice) => {
  const headers: Record<string, string | string[]> = { 'Content-Type': 'application/json', ...twice };
  expect(refusal(CreatePet, { ...jsonBody(rex), headers })).toBe('Idempotency-Key must be given once');
});

test.each([
  ['12', '12'],
  ['%31%32', '12'],
  ['%E2%82%AC', '€'],
  ['a%2Fb', 'a/b'],
  ['1+2', '1+2'],
  ['%', '%'],
  ['%zz', '%zz'],
  ['%E2%82', '%E2%82'],
  ['%C0%AF', '%C0%AF'],
  ['%00', '\0'],
])('the path parameter %s means %j', (petId, expected) => {
  expect(read(GetPet, { pathParameters: { petId } })).toEqual({ path: { petId: expected } });
});

test('only what the schema names is read', () => {
  const schema = z.object({ query: z.object({ a: z.string() }) });
  const event = { query: { a: '1' }, method: 'POST', body: 'not JSON', headers: { 'Content-Type': 'x' } };
  expect(read(schema, event)).toEqual({ query: { a: '1' } });
});
