import type { Context } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { Unavailable } from '../../../shared/aws/retries.ts';
import { ApiError } from '../../../shared/errors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/response.ts';
import { loggedLines } from '../../functions/logged-lines.ts';
import { expectError, invoke, proxyEvent, REQUEST_ID } from '../../functions/proxy-event.ts';

const event = proxyEvent({ authorizer: null });

function failingWith(error: unknown) {
  return endpoint(() => ({ 'X-Own': 'yes' })).handler(async () => {
    throw error;
  });
}

describe('a response', () => {
  test('has the request id, nosniff, no-store and the operation’s own headers', async () => {
    const handler = endpoint(({ path }) => ({ 'X-Path': path })).handler(async () =>
      json(200, {}, { 'X-More': '1' }),
    );
    const response = await invoke(handler, event);
    expect(response.status).toBe(200);
    expect(response.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': REQUEST_ID,
      Vary: 'Accept-Encoding',
      'X-Path': '/v1/pets',
      'X-More': '1',
    });
  });

  test('is given without a timer of the time limit', async () => {
    const getRemainingTimeInMillis = vi.fn(() => 3000);
    await endpoint().handler(async () => json(200, {}))(event, {
      getRemainingTimeInMillis,
    } as unknown as Context);
    expect(getRemainingTimeInMillis).not.toHaveBeenCalled();
  });

  test('keeps a header of its own where the operation or the service has the same', async () => {
    const own = { Link: '<b>', 'Cache-Control': 'no-cache' };
    const handler = endpoint(() => ({ Link: '<a>' })).handler(async () => json(200, {}, own));
    expect((await invoke(handler, event)).headers).toMatchObject(own);
  });

  test('has the same headers but Vary when it is an error, which is never compressed', async () => {
    const response = await invoke(failingWith(new ApiError('not_found', 'Nothing.')), event);
    expectError(response, 404, 'not_found', 'Nothing.');
    expect(response.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': REQUEST_ID,
      'X-Own': 'yes',
    });
  });
});

describe('an error', () => {
  test.each([
    ['an Error', new Error('password hunter2', { cause: new TypeError('table Pets') })],
    ['a string', 'password hunter2'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { message: 'password hunter2', code: 'not_found', statusCode: 200 }],
  ])('500: %s thrown gives no details', async (_, thrown) => {
    loggedLines();
    const response = await invoke(failingWith(thrown), event);
    expectError(
      response,
      500,
      'internal_error',
      'Something went wrong on our side. Please quote the X-Request-Id.',
    );
    expect(JSON.stringify(response, (_key, part) => String(part))).not.toMatch(/hunter2|Pets|at /);
  });

  test('500: the log has the error, its cause and the request id', async () => {
    const error = new Error('outer', { cause: new TypeError('inner') });
    const lines = loggedLines();
    await invoke(failingWith(error), event);
    const [line] = lines() as [{ error: { stack: string } }];
    expect(line).toMatchObject({
      level: 'ERROR',
      requestId: REQUEST_ID,
      error: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
    });
    expect(line.error.stack).toContain('endpoint.test.ts');
  });

  test('500: an event that is not from API Gateway gets a response and is logged too', async () => {
    const lines = loggedLines();
    const { status, headers, body } = await invoke(failingWith(new Error('no context')), {});
    expect(status).toBe(500);
    expect(headers['X-Request-Id']).toBe('none');
    expect(body).toMatchObject({ code: 'internal_error', status: 500n });
    expect(lines()).toMatchObject([{ error: { message: 'no context' } }]);
  });

  test('503: Unavailable has Retry-After and is logged', async () => {
    const lines = loggedLines();
    const response = await invoke(failingWith(new Unavailable('table Pets')), event);
    expectError(response, 503, 'unavailable', 'The service is temporarily unavailable. Please try again.');
    expect(response.headers['Retry-After']).toBe('1');
    expect(lines()).toMatchObject([{ requestId: REQUEST_ID, error: { message: 'table Pets' } }]);
  });

  test('that is the client’s fault is logged in one line, without the error', async () => {
    const lines = loggedLines();
    await invoke(failingWith(new ApiError('invalid_request', 'name is required')), event);
    expect(lines()).toEqual([
      {
        timestamp: expect.any(String),
        level: 'INFO',
        message: 'name is required',
        requestId: REQUEST_ID,
        code: 'invalid_request',
      },
    ]);
  });
});
