import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readRequest } from '../../../shared/http/read-request.ts';
import { createPet, getPet, listPets } from '../../../shared/pets/operations.ts';
import { type ClientRequest, jsonBody, proxyEvent } from '../../functions/proxy-event.ts';

const rex = { name: 'Rex', categoryId: 7 };
const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';

/** What the handler sees of the request. */
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

test('query, headers, path and body have the schema’s output', () => {
  expect(read(listPets.request, { query: { limit: '7', status: 'sold' } })).toEqual({
    query: { limit: 7, status: 'sold' },
  });
  expect(read(listPets.request, {})).toEqual({ query: { limit: 20 } });
  expect(read(createPet.request, jsonBody(rex))).toEqual({
    headers: {},
    body: { name: 'Rex', categoryId: 7n, status: 'available' },
  });
  expect(read(getPet.request, { pathParameters: { petId: '12' } })).toEqual({ path: { petId: '12' } });
});

test('an event without query, headers, path and body is accepted when none is required', () => {
  const schema = z.object({ path: z.object({}), query: z.object({}), headers: z.object({}) });
  const event = { ...proxyEvent(), headers: null, multiValueHeaders: null } as never;
  expect(() => readRequest(schema).before?.({ event } as never)).not.toThrow();
});

test('unknown fields and parameters are ignored', () => {
  const { body } = read(createPet.request, jsonBody({ ...rex, id: 1, owner: { name: 'Ann' } })) as {
    body: unknown;
  };
  expect(body).toEqual({ name: 'Rex', categoryId: 7n, status: 'available' });
  expect(read(listPets.request, { query: { colour: ['red', 'blue'], __proto__: 'x' } })).toEqual({
    query: { limit: 20 },
  });
  const polluting = '{"name":"Rex","categoryId":7,"__proto__":{"status":"sold"},"constructor":1}';
  expect(read(createPet.request, jsonBody(polluting))).toMatchObject({ body: { status: 'available' } });
});

test('400: every fault is named at once', () => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': ['a', 'b'] };
  const body = '{"name":5,"categoryId":5.5,"status":null}';
  expect(refusal(createPet.request, { method: 'POST', headers, body })).toBe(
    `Idempotency-Key must be given once; name must be a string; categoryId ${INT64}; status must be one of available, pending, sold`,
  );
  expect(refusal(listPets.request, { query: { limit: '0', status: 'gone', cursor: ['a', 'b'] } })).toBe(
    'limit must be an integer from 1 to 100; status must be one of available, pending, sold; cursor must be given once',
  );
});

test('400: a missing field or body is named as required', () => {
  expect(refusal(createPet.request, jsonBody('{}'))).toBe('name is required; categoryId is required');
  expect(refusal(createPet.request, { method: 'POST' })).toBe('the body is required');
});

test.each(['[]', 'null', '5', '"Rex"', 'true'])('400: the body %s is not an object', body => {
  expect(refusal(createPet.request, jsonBody(body))).toBe('the body must be a JSON object');
});

test.each([
  ['limit', ['5', '5']],
  ['limit', ['5', 'x']],
  ['status', ['sold', 'sold']],
  ['cursor', ['a', 'a', 'a']],
])('400: %s given more than once, as %j', (name, values) => {
  expect(refusal(listPets.request, { query: { [name]: values } })).toBe(`${name} must be given once`);
});

test('400: an array in the body is not called a repetition', () => {
  expect(refusal(createPet.request, jsonBody({ ...rex, name: ['Rex', 'Max'] }))).toBe(
    'name must be a string',
  );
});

test.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])(
  'the header is found when written %s',
  name => {
    const headers = { 'Content-Type': 'application/json', [name]: 'k1' };
    expect(read(createPet.request, { ...jsonBody(rex), headers })).toMatchObject({
      headers: { 'Idempotency-Key': 'k1' },
    });
  },
);

test.each([
  ['written alike', { 'idempotency-key': ['k1', 'k1'] }],
  ['written in two ways', { 'Idempotency-Key': 'k1', 'idempotency-key': 'k2' }],
])('400: a header given twice, %s', (_, twice) => {
  const headers: Record<string, string | string[]> = { 'Content-Type': 'application/json', ...twice };
  expect(refusal(createPet.request, { ...jsonBody(rex), headers })).toBe(
    'Idempotency-Key must be given once',
  );
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
])('the path parameter %s is decoded to %j', (petId, expected) => {
  expect(read(getPet.request, { pathParameters: { petId } })).toEqual({ path: { petId: expected } });
});

test('parts that the schema does not name are not read', () => {
  const schema = z.object({ query: z.object({ a: z.string() }) });
  const event = { query: { a: '1' }, method: 'POST', body: 'not JSON', headers: { 'Content-Type': 'x' } };
  expect(read(schema, event)).toEqual({ query: { a: '1' } });
});
