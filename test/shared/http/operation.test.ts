import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Unavailable } from '../../../shared/aws/unavailable.ts';
import { json } from '../../../shared/http/answer.ts';
import { ApiError, STATUS_BY_CODE } from '../../../shared/http/errors.ts';
import { operation } from '../../../shared/http/operation.ts';
import {
  expectError,
  invoke,
  jsonBody,
  proxyEvent,
  REQUEST_ID,
  TESTER,
} from '../../functions/proxy-event.ts';

const request = z.object({ body: z.object({ name: z.string() }) });
const valid = proxyEvent(jsonBody({ name: 'Rex' }));

function failingWith(error: unknown) {
  return operation(request, 'pets:read', () => ({ 'X-Own': 'yes' })).handler(async () => {
    throw error;
  });
}

/** What is written to standard output meanwhile. */
async function logged(work: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([text]) => text).join('');
  } finally {
    write.mockRestore();
  }
}

describe('an answer', () => {
  test('has the id of the request and the headers of the operation', async () => {
    const handler = operation(request, 'pets:read', event => ({ 'X-Path': event.path })).handler(
      async ({ caller, request: { body } }) => json(200, { caller, body }, { 'X-More': '1' }),
    );
    const answer = await invoke(handler, valid);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': REQUEST_ID,
      'X-Path': '/v1/pets',
      'X-More': '1',
    });
    expect(answer.body).toEqual({ caller: { keyId: 'key_tester' }, body: { name: 'Rex' } });
  });

  test('that is an error has them too', async () => {
    const answer = await invoke(failingWith(new ApiError('not_found', 'Nothing.')), valid);
    expectError(answer, 404, 'not_found', 'Nothing.');
    expect(answer.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': REQUEST_ID,
      'X-Own': 'yes',
    });
  });
});

describe('errors', () => {
  test.each(Object.entries(STATUS_BY_CODE))('%s is %i', async (code, status) => {
    const error = new ApiError(code as keyof typeof STATUS_BY_CODE, 'Because.');
    await logged(async () => expectError(await invoke(failingWith(error), valid), status, code, 'Because.'));
  });

  test.each([
    ['an Error', new Error('password hunter2', { cause: new TypeError('table Pets') })],
    ['a string', 'password hunter2'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { message: 'password hunter2', code: 'not_found', statusCode: 200 }],
  ])('500: %s thrown is told without details', async (_, thrown) => {
    await logged(async () => {
      const answer = await invoke(failingWith(thrown), valid);
      expectError(
        answer,
        500,
        'internal_error',
        'Something went wrong on our side. Please quote the X-Request-Id.',
      );
      expect(JSON.stringify(answer, (_key, part) => String(part))).not.toMatch(/hunter2|Pets|at /);
    });
  });

  test('500: the reason is in the log, with its cause and the id of the request', async () => {
    const error = new Error('outer', { cause: new TypeError('inner') });
    const line = JSON.parse(await logged(() => invoke(failingWith(error), valid)));
    expect(line).toMatchObject({
      level: 'ERROR',
      requestId: REQUEST_ID,
      error: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
    });
    expect(line.error.stack).toContain('operation.test.ts');
  });

  test('503: Unavailable says when to come again', async () => {
    const line = await logged(async () => {
      const answer = await invoke(failingWith(new Unavailable('table Pets')), valid);
      expectError(answer, 503, 'unavailable', 'The service cannot answer at the moment. Please try again.');
      expect(answer.headers['Retry-After']).toBe('1');
    });
    expect(JSON.parse(line)).toMatchObject({ requestId: REQUEST_ID, error: { message: 'table Pets' } });
  });

  test('what is the client’s fault is not logged', async () => {
    const invalid = proxyEvent(jsonBody('{}'));
    expect(await logged(() => invoke(failingWith(new Error('never reached')), invalid))).toBe('');
  });
});

describe('the caller', () => {
  test.each([
    ['no authorizer was asked', null],
    ['the authorizer said nothing', {}],
    ['the key id is empty', { keyId: '' }],
    ['the key id is no text', { keyId: 5 }],
    ['there is only a principal', { principalId: 'key_tester' }],
  ])('401: %s', async (_, authorizer) => {
    const work = vi.fn();
    const handler = operation(request, 'pets:read').handler(work);
    const answer = await invoke(handler, { ...proxyEvent({ ...jsonBody('{'), authorizer }) });
    expectError(answer, 401, 'unauthorized', 'The API key is missing or invalid.');
    expect(work).not.toHaveBeenCalled();
  });

  const callerWith = (fields: object) =>
    invoke(
      operation(request, 'pets:write').handler(async ({ caller }) => json(200, caller)),
      proxyEvent({ ...jsonBody({ name: 'Rex' }), authorizer: { ...TESTER, ...fields } }),
    );

  test.each([
    ['no scope at all', ''],
    ['another scope', 'pets:read'],
    ['all others', 'orders:read pets:read'],
    ['scopes that only look alike', 'pets:writes Pets:write pets:write:all xpets:write'],
    ['scopes parted by another character', 'pets:read,pets:write'],
    ['nothing known of scopes', undefined],
    ['scopes that are no text', 5],
  ])('403: %s', async (_, scopes) => {
    expectError(
      await callerWith({ scopes }),
      403,
      'forbidden',
      'The API key does not have the scope pets:write.',
    );
  });

  test('403: before anything is said about the request', async () => {
    const work = vi.fn();
    const invalid = proxyEvent({ ...jsonBody('{'), authorizer: { ...TESTER, scopes: 'pets:read' } });
    expectError(
      await invoke(operation(request, 'pets:write').handler(work), invalid),
      403,
      'forbidden',
      'The API key does not have the scope pets:write.',
    );
    expect(work).not.toHaveBeenCalled();
  });

  test.each(['pets:write', 'pets:read pets:write', 'pets:write orders:read'])('200: %s', async scopes => {
    expect(await callerWith({ scopes })).toMatchObject({ status: 200, body: { keyId: 'key_tester' } });
  });

  test('401: a key that has expired since the authorizer was asked, to the millisecond', async () => {
    const nowMs = Date.UTC(2026, 0, 31, 12);
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const statusAt = async (expiresAt: string) => (await callerWith({ expiresAt })).status;
    expect(await statusAt('2026-01-31T12:00:00.001Z')).toBe(200);
    for (const past of ['2026-01-31T12:00:00.000Z', '2020-01-01T00:00:00.000Z', 'no time', '']) {
      expectError(
        await callerWith({ expiresAt: past }),
        401,
        'unauthorized',
        'The API key is missing or invalid.',
      );
    }
  });

  test('401, not 403: an expired key without the scope', async () => {
    const answer = await callerWith({ scopes: '', expiresAt: '2020-01-01T00:00:00.000Z' });
    expectError(answer, 401, 'unauthorized');
  });

  test('401: an event that is not from API Gateway at all', async () => {
    const handler = operation(request, 'pets:read', ({ requestContext }) => ({
      'X-Path': requestContext.path,
    })).handler(vi.fn());
    for (const event of [{}, { body: '{"name":"Rex"}' }, { requestContext: null }]) {
      const answer = await invoke(handler, event);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ code: 'unauthorized', message: expect.any(String), status: 401n });
    }
  });
});

test('400: a request that the schema refuses does not reach the operation', async () => {
  const work = vi.fn();
  const answer = await invoke(
    operation(request, 'pets:read').handler(work),
    proxyEvent(jsonBody('{"name":1}')),
  );
  expectError(answer, 400, 'invalid_request');
  expect(work).not.toHaveBeenCalled();
});
