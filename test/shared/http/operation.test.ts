import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Scope } from '../../../shared/api-keys/scopes.ts';
import { operation } from '../../../shared/http/operation.ts';
import { json } from '../../../shared/http/response.ts';
import type { Deprecation, OperationDeclaration } from '../../../shared/operation-declaration.ts';
import { expectError, invoke, jsonBody, proxyEvent, TESTER } from '../../functions/proxy-event.ts';

const request = z.object({ body: z.object({ name: z.string('must be text') }) });
const valid = proxyEvent(jsonBody({ name: 'Rex' }));

function declared(scope: Scope = 'pets:read') {
  return {
    name: 'test',
    method: 'POST',
    path: '/pets',
    stability: 'stable',
    scope,
    request,
    success: 200,
    errors: [],
  } as const;
}

const DEPRECATION: Deprecation = {
  since: '2025-12-05',
  sunset: '2030-12-05',
  successor: { method: 'GET', path: '/animals' },
};

test('200: the handler gets the caller and the valid request', async () => {
  const handler = operation(declared()).handler(async ({ caller, request: { body } }) =>
    json(200, { caller, body }),
  );
  const response = await invoke(handler, valid);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ caller: { lineage: 'key_tester' }, body: { name: 'Rex' } });
});

test('400: the handler is not reached with a request that the schema rejects', async () => {
  const work = vi.fn();
  const response = await invoke(operation(declared()).handler(work), proxyEvent(jsonBody('{"name":1}')));
  expectError(response, 400, 'invalid_request', 'name must be text');
  expect(work).not.toHaveBeenCalled();
});

test.each([
  { Authorization: ['Bearer a', 'Bearer a'] },
  { Authorization: 'Bearer a', authorization: 'Bearer b' },
])('401: more than one Authorization header: %j', async headers => {
  const work = vi.fn();
  const event = proxyEvent({ ...jsonBody({ name: 'Rex' }), headers });
  const response = await invoke(operation(declared()).handler(work), event);
  expectError(response, 401, 'unauthorized', 'The API key is missing or invalid.');
  expect(response.headers['WWW-Authenticate']).toBe('Bearer realm="petstore"');
  expect(work).not.toHaveBeenCalled();
});

describe('a deprecated operation', () => {
  const deprecated: OperationDeclaration = {
    ...declared(),
    path: '/pets/{petId}/owners',
    stability: 'deprecated',
    deprecation: DEPRECATION,
    request: z.object({}),
  };
  const handler = operation(deprecated).handler(async () => json(200, {}));

  test.each(['/v1/pets/12/owners', '/v1/pets/owners/owners', '/v1/pets/%2Fpets/owners/'])(
    'says since when, until when and what replaces it, at %s',
    async path => {
      const { headers } = await invoke(handler, proxyEvent({ path }));
      expect(headers).toMatchObject({
        Deprecation: '@1764892800',
        Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        Link: '<https://api.example.com/staging/v1/animals>; rel="successor-version"',
      });
    },
  );
});

describe('the caller', () => {
  test.each([
    ['no authorizer was asked', null],
    ['the authorizer said nothing', {}],
    ['the key id is empty', { keyId: '' }],
    ['the key id is not a string', { keyId: 5 }],
    ['there is only a principal', { principalId: 'key_tester' }],
  ])('401: %s', async (_, authorizer) => {
    const work = vi.fn();
    const handler = operation(declared()).handler(work);
    const response = await invoke(handler, { ...proxyEvent({ ...jsonBody('{'), authorizer }) });
    expectError(response, 401, 'unauthorized', 'The API key is missing or invalid.');
    expect(work).not.toHaveBeenCalled();
  });

  const callerWith = (fields: object) =>
    invoke(
      operation(declared('pets:write')).handler(async ({ caller }) => json(200, caller)),
      proxyEvent({ ...jsonBody({ name: 'Rex' }), authorizer: { ...TESTER, ...fields } }),
    );

  test.each([
    ['no scope at all', ''],
    ['another scope', 'pets:read'],
    ['all other scopes', 'orders:read pets:read'],
    ['scopes that only look alike', 'pets:writes Pets:write pets:write:all xpets:write'],
    ['scopes separated by another character', 'pets:read,pets:write'],
    ['scopes are unknown', undefined],
    ['scopes are not a string', 5],
  ])('403: %s', async (_, scopes) => {
    expectError(
      await callerWith({ scopes }),
      403,
      'forbidden',
      'The API key does not have the scope pets:write.',
    );
  });

  test.each(['pets:write', 'pets:read pets:write', 'pets:write orders:read'])('200: %s', async scopes => {
    expect(await callerWith({ scopes })).toMatchObject({ status: 200, body: { lineage: 'key_tester' } });
  });

  test('200: a key that was rotated is the caller of its lineage', async () => {
    expect((await callerWith({ lineage: 'key_first' })).body).toEqual({ lineage: 'key_first' });
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
    const response = await callerWith({ scopes: '', expiresAt: '2020-01-01T00:00:00.000Z' });
    expectError(response, 401, 'unauthorized');
  });

  test('401: an event that is not from API Gateway, also of a deprecated operation', async () => {
    const deprecated = { ...declared(), stability: 'deprecated', deprecation: DEPRECATION } as const;
    const withoutHeaders = { ...proxyEvent({ authorizer: null }), headers: null, multiValueHeaders: null };
    for (const event of [withoutHeaders, {}, { body: '{"name":"Rex"}' }, { requestContext: null }]) {
      const response = await invoke(operation(deprecated).handler(vi.fn()), event);
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ code: 'unauthorized', message: expect.any(String), status: 401n });
    }
  });
});
