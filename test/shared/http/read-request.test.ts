import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readBody, readRequest } from '../../../shared/http/read-request.ts';
import { createPet, listPets, PetId } from '../../../shared/pets/operations.ts';
import { type ClientRequest, jsonBody, proxyEvent } from '../../functions/proxy-event.ts';

const onePet = z.object({ path: z.object({ petId: PetId }) });

const rex = { name: 'Rex', categoryId: 7 };
const UNSUPPORTED = expect.objectContaining({ code: 'unsupported_media_type' });
const TOO_LARGE = expect.objectContaining({ code: 'payload_too_large' });
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
  expect(read(onePet, { pathParameters: { petId: '12' } })).toEqual({ path: { petId: '12' } });
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
  expect(read(listPets.request, { query: { color: ['red', 'blue'], __proto__: 'x' } })).toEqual({
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

test('a header is found however its name is written', () => {
  const headers = { 'content-type': 'application/json', 'IDEMPOTENCY-KEY': 'k1' };
  expect(read(createPet.request, { ...jsonBody(rex), headers })).toMatchObject({
    headers: { 'Idempotency-Key': 'k1' },
  });
});

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
  expect(read(onePet, { pathParameters: { petId } })).toEqual({ path: { petId: expected } });
});

test('parts that the schema does not name are not read', () => {
  const schema = z.object({ query: z.object({ a: z.string() }) });
  const event = { query: { a: '1' }, method: 'POST', body: 'not JSON', headers: { 'Content-Type': 'x' } };
  expect(read(schema, event)).toEqual({ query: { a: '1' } });
});

function bodyOf(
  body: string | undefined,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) {
  return readBody(proxyEvent({ method: 'POST', headers, ...(body !== undefined && { body }) }));
}

describe('a body in base64, as API Gateway encodes it', () => {
  const headers = { 'Content-Type': 'application/json' };
  const readEncoded = (body: Buffer) =>
    readBody({
      ...proxyEvent({ method: 'POST', headers, body: body.toString('base64') }),
      isBase64Encoded: true,
    });

  const damaged = (name: string) => Buffer.from(`{"${name}":"\xe9"}`, 'latin1');

  test('is decoded as UTF-8', () => {
    expect(readEncoded(Buffer.from('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
  });

  test('413: is measured decoded', () => {
    const json = (length: number) => Buffer.from(`"${'x'.repeat(length - 2)}"`);
    expect(readEncoded(json(16_384))).toHaveLength(16_382);
    expect(() => readEncoded(json(16_385))).toThrow(TOO_LARGE);
  });

  test.each([
    ['in a field', Buffer.from('{"name":"caf\xe9","categoryId":1}', 'latin1'), 'name is not UTF-8'],
    [
      'in two fields',
      Buffer.from('{"name":"\xff","breed":"\xe9"}', 'latin1'),
      'name is not UTF-8; breed is not UTF-8',
    ],
    ['in an encoded surrogate', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'), 'name is not UTF-8'],
    ['in an overlong encoding', Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), 'name is not UTF-8'],
    ['in a field with a name that is not plain', damaged('<b>'), 'The body is not UTF-8.'],
    ['in a field with a long name', damaged('n'.repeat(65)), 'The body is not UTF-8.'],
    ['in the name of a field', Buffer.from('{"caf\xe9":"x"}', 'latin1'), 'The body is not UTF-8.'],
    ['in a nested value', Buffer.from('{"name":["\xe9"]}', 'latin1'), 'The body is not UTF-8.'],
    ['in an element', Buffer.from('["\xe9"]', 'latin1'), 'The body is not UTF-8.'],
    ['outside of JSON', Buffer.from('\xe9', 'latin1'), 'The body is not UTF-8.'],
    ['in null', Buffer.from('null\xe9', 'latin1'), 'The body is not UTF-8.'],
  ])('400: bytes that are not UTF-8 %s', (_, body, message) => {
    expect(() => readEncoded(body)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    ' application/json ',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json ; charset = "UTF8" ;',
  ])('%j is accepted', contentType => {
    expect(bodyOf('{}', { 'Content-Type': contentType })).toEqual({});
  });

  test.each([
    '',
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json, text/plain',
    'text/plain; application/json',
  ])('415: %j', contentType => {
    expect(() => bodyOf('{}', { 'Content-Type': contentType })).toThrow(UNSUPPORTED);
  });

  test('415: no Content-Type, with a body', () => {
    expect(() => bodyOf('{}', {})).toThrow(UNSUPPORTED);
  });

  test.each(['gzip', 'br', 'GZIP', 'gzip, br', 'utf-8'])('415: Content-Encoding: %s', coding => {
    for (const body of ['{}', undefined]) {
      expect(() => bodyOf(body, { 'Content-Type': 'application/json', 'content-encoding': coding })).toThrow(
        expect.objectContaining({
          code: 'unsupported_media_type',
          message: 'The body must be sent without Content-Encoding.',
        }),
      );
    }
  });

  test.each(['identity', ' Identity ', ''])('a Content-Encoding that changes nothing: %j', coding => {
    expect(bodyOf('{}', { 'Content-Type': 'application/json', 'Content-Encoding': coding })).toEqual({});
  });

  test('415: another Content-Type, without a body', () => {
    expect(() => bodyOf(undefined, { 'Content-Type': 'text/plain' })).toThrow(UNSUPPORTED);
  });

  test.each([
    ['after the type', `application/json${' '.repeat(10_000)}x`],
    ['after the charset', `application/json; charset=utf-8${' '.repeat(10_000)}x`],
    ['before the charset', `application/json;${' '.repeat(10_000)}x`],
  ])('415: 10,000 blanks %s are matched in linear time', (_, contentType) => {
    const before = process.threadCpuUsage();
    expect(() => bodyOf('{}', { 'Content-Type': contentType })).toThrow();
    expect(process.threadCpuUsage(before).user).toBeLessThan(50_000);
  });
});

test('an empty body is undefined with and without a Content-Type', () => {
  for (const body of [undefined, '']) {
    expect([bodyOf(body), bodyOf(body, {})]).toEqual([undefined, undefined]);
  }
});

test('413: more than 16 KiB, measured in bytes, whether or not it is JSON', () => {
  const fitting = 'é'.repeat(8191);
  expect(bodyOf(`"${fitting}"`)).toBe(fitting);
  for (const body of [`"${fitting}a"`, '{'.repeat(16_385)]) {
    expect(() => bodyOf(body)).toThrow(TOO_LARGE);
  }
});

test.each(['{', 'name=Rex', '{"name":"Rex",}', ' ', '[1]]', '\ufeff{}', 'undefined'])(
  '400: %j is not JSON',
  body => {
    expect(() => bodyOf(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'The body is not JSON.' }),
    );
  },
);

test('400: a body nested as deep as its size allows', () => {
  const body = `${'['.repeat(8192)}${']'.repeat(8192)}`;
  // A process with a larger stack can parse it, and refuses the array.
  expect(refusal(createPet.request, jsonBody(body))).toMatch(/^the body /i);
});
