import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import type { ApiKey } from '../../../shared/api-keys/api-key-record.ts';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { AUTHORIZER_DEADLINE_MS } from '../../../shared/aws/retries.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { PREFIX, storedKey } from '../../shared/api-keys/stored-keys.ts';
import { outcomeInFastTime } from '../../shared/aws/fast-time.ts';
import { always, faultyEngine, stubEndpoint } from '../../shared/aws/faulty-engine.ts';
import { loggedLines } from '../logged-lines.ts';

const INVOCATION_ID = 'invocation-1';
const API = 'arn:aws:execute-api:us-east-1:000000000000:abcdefghij';

let table: string;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
});

async function authorizer(endpoint?: string, deadlineMs?: number) {
  vi.stubEnv('API_KEYS_TABLE', table);
  vi.stubEnv('API_KEY_PREFIX', PREFIX);
  if (endpoint) stubEndpoint(endpoint);
  if (deadlineMs) vi.stubEnv('DYNAMODB_DEADLINE_MS', String(deadlineMs));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/api-keys/authorize.ts');
  return (authorizationToken: string, methodArn = `${API}/staging/GET/v1/pets`) =>
    handler({ type: 'TOKEN', methodArn, authorizationToken } as APIGatewayTokenAuthorizerEvent, {
      awsRequestId: INVOCATION_ID,
    });
}

const newKey = (fields: Partial<ApiKey> = {}) => storedKey(table, fields);

/** Whether an IAM pattern covers a resource. */
function covers(pattern: string, resource: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(resource);
}

describe('a valid key', () => {
  test('is allowed while a transaction of an operator is changing its record', async () => {
    const { key, id } = await newKey();
    const { endpoint } = await faultyEngine([{ status: 400, type: 'TransactionConflictException' }]);
    const authorize = await authorizer(endpoint);
    expect(await authorize(`Bearer ${key}`)).toMatchObject({ principalId: id });
  });

  test('is allowed the whole stage, counts for its own usage plan, and passes its scopes to the functions', async () => {
    const { key, id } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(`Bearer ${key}`)).toEqual({
      principalId: id,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: `${API}/staging/*/*` }],
      },
      context: { keyId: id, lineage: id, scopes: 'pets:read pets:write orders:read' },
      usageIdentifierKey: id.replace('_', ''),
    });
  });

  test('is allowed until it expires: the cached policy contains the time', async () => {
    const expiresAt = '2099-01-01T00:00:00.750Z';
    const { key, id } = await newKey({ expiresAt, scopes: ['orders:read'] });
    const authorize = await authorizer();
    const { policyDocument, context } = await authorize(`Bearer ${key}`);
    expect(policyDocument.Statement).toMatchObject([
      { Effect: 'Allow', Condition: { DateLessThan: { 'aws:CurrentTime': '2099-01-01T00:00:00Z' } } },
    ]);
    expect(context).toEqual({ keyId: id, lineage: id, scopes: 'orders:read', expiresAt });
  });

  test('passes on the lineage of the key that it was rotated from', async () => {
    const { key, id } = await newKey({ lineage: 'key_first' });
    const authorize = await authorizer();
    expect((await authorize(`Bearer ${key}`)).context).toMatchObject({ keyId: id, lineage: 'key_first' });
  });

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   '])('is accepted after %j', async scheme => {
    const { key, id } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(`${scheme}${key}`)).toMatchObject({ principalId: id });
    expect(await authorize(`${scheme}${key} `)).toMatchObject({ principalId: id });
  });

  test.each(['GET/v1/pets', 'POST/v1/pets', 'GET/v1/pets/12', 'GET/', 'DELETE/v1/store/orders/a/b'])(
    'is allowed exactly this API and stage when first used at %s',
    async askedAt => {
      const { key } = await newKey();
      const authorize = await authorizer();
      const { policyDocument } = await authorize(`Bearer ${key}`, `${API}/staging/${askedAt}`);
      const [{ Resource: pattern }] = policyDocument.Statement as unknown as [{ Resource: string }];
      for (const path of ['GET/v1/pets', 'POST/v1/pets', 'GET/v1/pets/12', 'GET/v1/store/orders']) {
        expect(covers(pattern, `${API}/staging/${path}`)).toBe(true);
        expect(covers(pattern, `${API}/production/${path}`)).toBe(false);
        expect(covers(pattern, `${API}/staging2/${path}`)).toBe(false);
        expect(covers(pattern, `${API}x/staging/${path}`)).toBe(false);
        expect(covers(pattern, `arn:aws:execute-api:us-east-1:000000000000:other/staging/${path}`)).toBe(
          false,
        );
        expect(covers(pattern, `arn:aws:execute-api:eu-west-1:000000000000:abcdefghij/staging/${path}`)).toBe(
          false,
        );
        expect(covers(pattern, `arn:aws:execute-api:us-east-1:111111111111:abcdefghij/staging/${path}`)).toBe(
          false,
        );
      }
    },
  );
});

describe('the whole stage is denied, without a word about the key to clients, for', () => {
  const denied = (context: Record<string, unknown>) => ({
    principalId: 'refused',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: 'execute-api:Invoke', Resource: `${API}/staging/*/*` }],
    },
    // What the access log says of it.
    context,
  });
  const MALFORMED = denied({ refusal: 'malformed' });

  test.each([
    ['nothing', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['the key alone', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['two keys', (key: string) => `Bearer ${key} ${key}`],
    ['something in front', (key: string) => ` Bearer ${key}`],
    ['a line feed behind', (key: string) => `Bearer ${key}\n`],
    ['no space', (key: string) => `Bearer${key}`],
    ['a typo', (key: string) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['another case', (key: string) => `Bearer ${key.toUpperCase()}`],
    ['a key of production', () => `Bearer ${generateKey('pet_live_')}`],
    ['a lone surrogate', () => 'Bearer \ud800'],
    ['10,000 characters', () => `Bearer ${'x'.repeat(10_000)}`],
    ['10,000 spaces', () => `Bearer${' '.repeat(10_000)}`],
  ])('%s', async (_, token) => {
    const { key } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(token(key))).toEqual(MALFORMED);
  });

  test('an unknown key', async () => {
    const authorize = await authorizer();
    const keyId = expect.stringMatching(/^key_[0-9a-f]{24}$/);
    expect(await authorize(`Bearer ${generateKey(PREFIX)}`)).toEqual(denied({ refusal: 'unknown', keyId }));
  });

  test('an expired key', async () => {
    const { key, id } = await newKey({ expiresAt: '2026-01-01T00:00:00.000Z' });
    const authorize = await authorizer();
    expect(await authorize(`Bearer ${key}`)).toEqual(denied({ refusal: 'expired', keyId: id }));
  });

  test('a revoked key, from the moment of its revocation', async () => {
    const { key, id } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(`Bearer ${key}`)).toMatchObject({ principalId: id });
    await transact([apiKeyStore(table).revocation(id, new Date().toISOString())]);
    expect(await authorize(`Bearer ${key}`)).toEqual(denied({ refusal: 'revoked', keyId: id }));
  });

  test('no token at all', async () => {
    const authorize = await authorizer();
    expect(await authorize(undefined as never)).toEqual(MALFORMED);
  });
});

describe('the log of a refused key has the reason and the id of the invocation, and not the key', () => {
  test.each([
    ['malformed', async () => ({ key: 'pet_test_guess', id: undefined })],
    ['revoked', () => newKey({ revokedAt: '2026-01-01T00:00:00.000Z' })],
    ['expired', () => newKey({ expiresAt: '2026-01-01T00:00:00.000Z' })],
  ])('%s', async (reason, refusedKey) => {
    const { key, id } = await refusedKey();
    const authorize = await authorizer();
    const lines = loggedLines();
    await authorize(`Bearer ${key}`);
    const [line] = lines();
    expect(line).toEqual({
      timestamp: expect.any(String),
      level: 'INFO',
      message: 'API key refused',
      requestId: INVOCATION_ID,
      reason,
      ...(id && { keyId: id }),
    });
    expect(JSON.stringify(line)).not.toContain(key);
  });

  test('unknown', async () => {
    const authorize = await authorizer();
    const lines = loggedLines();
    await authorize(`Bearer ${generateKey(PREFIX)}`);
    expect(lines()).toMatchObject([{ reason: 'unknown', keyId: expect.stringMatching(/^key_/) }]);
  });
});

test('an outage is an error and no Deny, because the key may be valid', async () => {
  const engine = await faultyEngine(always('request lost'));
  const authorize = await authorizer(engine.endpoint, AUTHORIZER_DEADLINE_MS);
  const { error, tookMs } = await outcomeInFastTime(() => authorize(`Bearer ${generateKey(PREFIX)}`), engine);
  expect(error).toMatchObject({ name: 'Unavailable' });
  expect(tookMs).toBeLessThan(1800);
});

test('a token that cannot be a key is denied without a request to DynamoDB', async () => {
  const engine = await faultyEngine();
  const authorize = await authorizer(engine.endpoint);
  expect(await authorize('Bearer pet_test_guess')).toMatchObject({ principalId: 'refused' });
  expect(engine.requests).toEqual([]);
});

test('a key costs one request to DynamoDB, whether or not its last use is recorded again', async () => {
  const { key, id } = await newKey();
  const engine = await faultyEngine();
  const authorize = await authorizer(engine.endpoint);
  for (let use = 0; use < 3; use += 1) await authorize(`Bearer ${key}`);
  expect(engine.requests.map(({ operation }) => operation)).toEqual(Array(3).fill('UpdateItem'));
  expect(await apiKeyStore(table).find(id)).toMatchObject({ lastUsedAt: expect.any(String) });
});
