import { describe, expect, test, vi } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { outcomeInFastTime } from '../../shared/aws/fast-time.ts';
import { always, faultyEngine } from '../../shared/aws/faulty-engine.ts';
import {
  type ClientRequest,
  expectError,
  jsonBody,
  REQUEST_ID,
  type ReadAnswer,
  TESTER,
} from '../proxy-event.ts';
import { petFunctions } from './pet-functions.ts';

const rex = { name: 'Rex', categoryId: 7 };

function withKey(idempotencyKey: string | string[], body: unknown = rex): ClientRequest {
  return {
    ...jsonBody(body),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  };
}

describe('201', () => {
  test('the animal with its new id, and exactly the documented headers', async () => {
    const functions = await petFunctions();
    const answer = await functions.create(jsonBody({ ...rex, status: 'sold' }));
    expect(answer.status).toBe(201);
    expect(answer.text).toMatch(/^\{"id":\d{1,16},"name":"Rex","categoryId":7,"status":"sold"\}$/);
    const { id } = answer.body as Pet;
    expect(answer.headers).toEqual({
      'Content-Type': 'application/json',
      Location: `https://api.example.com/staging/v1/pets/${id}`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': REQUEST_ID,
      Vary: 'Accept-Encoding',
    });
    expect((await functions.get(String(id))).text).toBe(answer.text);
  });

  test('status available by default', async () => {
    const functions = await petFunctions();
    expect((await functions.create(jsonBody(rex))).body).toMatchObject({ status: 'available' });
  });

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'the category %s comes back digit for digit',
    async categoryId => {
      const functions = await petFunctions();
      const { text, body } = await functions.create(jsonBody(`{"name":"Rex","categoryId":${categoryId}}`));
      expect(text).toContain(`"categoryId":${categoryId},`);
      expect((await functions.get(String((body as Pet).id))).text).toBe(text);
      expect((await functions.list()).text).toBe(`[${text}]`);
    },
  );

  test.each(['5.0', '5e0', '50e-1'])('the category written %s', async categoryId => {
    const functions = await petFunctions();
    const { body } = await functions.create(jsonBody(`{"name":"Rex","categoryId":${categoryId}}`));
    expect(body).toMatchObject({ categoryId: 5n });
  });

  test('unknown fields are neither returned nor stored', async () => {
    const functions = await petFunctions();
    const { text, body } = await functions.create(jsonBody({ ...rex, id: 1, writeToken: 'x', shard: 3 }));
    expect(Object.keys(body as Pet)).toEqual(['id', 'name', 'categoryId', 'status']);
    expect((await functions.get(String((body as Pet).id))).text).toBe(text);
  });
});

describe('400', () => {
  const INT64 = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807';

  test.each([
    ['no body', undefined, 'the body is required'],
    ['not JSON', '{"name":', 'The body is not JSON.'],
    ['not an object', '[]', 'the body must be a JSON object'],
    ['no name', '{"categoryId":7}', 'name is required'],
    ['no categoryId', '{"name":"Rex"}', 'categoryId is required'],
    ['an empty object', '{}', 'name is required; categoryId is required'],
    ['name null', '{"name":null,"categoryId":7}', 'name must be a string'],
    [
      'name of spaces',
      '{"name":"  ","categoryId":7}',
      'name must have 1 to 255 characters, at least one of them not white space',
    ],
    [
      'name with a control character',
      '{"name":"a\\u0000b","categoryId":7}',
      'name must not hold control characters, lone surrogates or U+FFFD',
    ],
    [
      'name with a lone surrogate',
      '{"name":"a\\ud83d","categoryId":7}',
      'name must not hold control characters, lone surrogates or U+FFFD',
    ],
    [
      'name with a replacement character',
      '{"name":"caf\ufffd","categoryId":7}',
      'name must not hold control characters, lone surrogates or U+FFFD',
    ],
    ['categoryId 5.5', '{"name":"Rex","categoryId":5.5}', INT64],
    ['categoryId "5"', '{"name":"Rex","categoryId":"5"}', INT64],
    ['categoryId null', '{"name":"Rex","categoryId":null}', INT64],
    ['categoryId 2^63', '{"name":"Rex","categoryId":9223372036854775808}', INT64],
    ['categoryId 1e999999999', '{"name":"Rex","categoryId":1e999999999}', INT64],
    [
      'status null',
      '{"name":"Rex","categoryId":7,"status":null}',
      'status must be one of available, pending, sold',
    ],
    [
      'status unknown',
      '{"name":"Rex","categoryId":7,"status":"gone"}',
      'status must be one of available, pending, sold',
    ],
    [
      'every field wrong',
      '{"name":1,"categoryId":"x","status":2}',
      `name must be a string; ${INT64}; status must be one of available, pending, sold`,
    ],
  ])('%s', async (_, body, message) => {
    const functions = await petFunctions({ tables: false });
    const request = body === undefined ? {} : jsonBody(body);
    expectError(await functions.create(request), 400, 'invalid_request', message);
  });
});

test('401: the authorizer was not asked, whatever the body', async () => {
  const functions = await petFunctions({ tables: false });
  for (const authorizer of [null, {}, { keyId: '' }]) {
    expectError(await functions.create({ ...jsonBody('{'), authorizer }), 401, 'unauthorized');
  }
});

test('403: a key without the scope pets:write, whatever the body', async () => {
  const functions = await petFunctions({ tables: false });
  const authorizer = { ...TESTER, scopes: 'pets:read orders:read' };
  const answer = await functions.create({ ...jsonBody('{'), authorizer });
  expectError(answer, 403, 'forbidden', 'The API key does not have the scope pets:write.');
});

test('413: a body of 16,385 bytes; one of 16,384 is accepted', async () => {
  const functions = await petFunctions();
  const padded = (bytes: number) => JSON.stringify(rex).padEnd(bytes);
  expectError(await functions.create(jsonBody(padded(16_385))), 413, 'payload_too_large');
  expect((await functions.create(jsonBody(padded(16_384)))).status).toBe(201);
});

test.each(['text/plain', 'application/xml', 'application/json; charset=latin1'])(
  '415: %s',
  async contentType => {
    const functions = await petFunctions({ tables: false });
    const request = { ...jsonBody(rex), headers: { 'Content-Type': contentType } };
    expectError(await functions.create(request), 415, 'unsupported_media_type');
  },
);

test('415: no Content-Type', async () => {
  const functions = await petFunctions({ tables: false });
  expectError(await functions.create({ body: JSON.stringify(rex) }), 415, 'unsupported_media_type');
});

test.each([
  ['without', jsonBody(rex)],
  ['with', withKey('k1')],
])('503: the table does not answer, %s an Idempotency-Key', async (_, request) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const engine = await faultyEngine(always('no answer'));
  const { create } = await petFunctions({ tables: false, endpoint: engine.endpoint });
  let answer: ReadAnswer | undefined;
  const { tookMs } = await outcomeInFastTime(async () => {
    answer = await create(request);
  }, engine);
  vi.restoreAllMocks();
  expectError(answer as ReadAnswer, 503, 'unavailable');
  expect(answer?.headers['Retry-After']).toBe('1');
  expect(tookMs).toBeLessThan(5000);
});
