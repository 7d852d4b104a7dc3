import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import type { ApiKey } from '../../../shared/api-keys/api-key-record.ts';
import { AUTHORIZER_DEADLINE_MS } from '../../../shared/aws/retries.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { PREFIX, storedKey, newKey as unstoredKey } from '../../shared/api-keys/stored-keys.ts';
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
  return (authorizationToken: string, methodArn = `${API}/staging/GET/v1/pets/12`) =>
    handler({ type: 'TOKEN', methodArn, authorizationToken } as APIGatewayTokenAuthorizerEvent, {
      awsRequestId: INVOCATION_ID,
    });
}

const newKey = (fields: Partial<ApiKey> = {}) => storedKey(table, fields);

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

  test('is allowed until it expires, which the cached policy contains, and keeps its lineage', async () => {
    const expiresAt = '2099-01-01T00:00:00.750Z';
    const { key, id } = await newKey({ expiresAt, scopes: ['orders:read'], lineage: 'key_first' });
    const authorize = await authorizer();
    const { policyDocument, context } = await authorize(`Bearer ${key}`);
    expect(policyDocument.Statement).toMatchObject([
      { Effect: 'Allow', Condition: { DateLessThan: { 'aws:CurrentTime': '2099-01-01T00:00:00Z' } } },
    ]);
    expect(context).toEqual({ keyId: id, lineage: 'key_first', scopes: 'orders:read', expiresAt });
  });

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   '])('is accepted after %j', async scheme => {
    const { key, id } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(`${scheme}${key}`)).toMatchObject({ principalId: id });
    expect(await authorize(`${scheme}${key} `)).toMatchObject({ principalId: id });
  });
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
    ['a lone surrogate', () => 'Bearer \ud800'],
    ['10,000 characters', () => `Bearer ${'x'.repeat(10_000)}`],
    ['10,000 spaces', () => `Bearer${' '.repeat(10_000)}`],
  ])('%s', async (_, token) => {
    const { key } = await newKey();
    const authorize = await authorizer();
    expect(await authorize(token(key))).toEqual(MALFORMED);
  });

  test('no token at all', async () => {
    const authorize = await authorizer();
    expect(await authorize(undefined as never)).toEqual(MALFORMED);
  });

  const PAST = '2026-01-01T00:00:00.000Z';

  test.each([
    ['malformed', async () => ({ key: 'pet_test_guess' })],
    ['unknown', async () => unstoredKey()],
    ['revoked', () => newKey({ revokedAt: PAST })],
    ['expired', () => newKey({ expiresAt: PAST })],
  ])('a key that is %s, which the log says, without the key', async (reason, refused) => {
    const { key, id: keyId }: { key: string; id?: string } = await refused();
    const authorize = await authorizer();
    const lines = loggedLines();
    expect(await authorize(`Bearer ${key}`)).toEqual(denied({ refusal: reason, ...(keyId && { keyId }) }));
    const logged = { level: 'INFO', message: 'API key refused', requestId: INVOCATION_ID, reason };
    expect(lines()).toEqual([{ timestamp: expect.any(String), ...logged, ...(keyId && { keyId }) }]);
  });
});

test('an outage is an error, not a Deny, because the key may be valid', async () => {
  const engine = await faultyEngine(always('request lost'));
  const authorize = await authorizer(engine.endpoint, AUTHORIZER_DEADLINE_MS);
  const { error, tookMs } = await outcomeInFastTime(() => authorize(`Bearer ${generateKey(PREFIX)}`), engine);
  expect(error).toMatchObject({ name: 'Unavailable' });
  expect(tookMs).toBeLessThan(1800);
});
