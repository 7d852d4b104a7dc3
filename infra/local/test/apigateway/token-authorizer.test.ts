import { describe, expect, test } from 'vitest';
import { evaluatePolicy, PolicyDocument } from '../../apigateway/token-authorizer.ts';
import type { InvocationResult } from '../../lambda/invocation.ts';
import {
  API_ARN,
  API_ID,
  AUTHORIZER_ARN,
  api,
  authorizer,
  gatewayResponse,
  type Invocation,
  onePet,
  returns,
  serve,
  throws,
} from '../../testing/served-api.ts';

const policy = (Effect: string, Resource = `${API_ARN}/test/*/*`) => ({
  Version: '2012-10-17',
  Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
});

const allow = (context?: unknown) =>
  returns({
    principalId: 'key-1',
    policyDocument: policy('Allow'),
    ...(context !== undefined && { context }),
  });

type Authorize = (invocation: Invocation) => InvocationResult | Promise<InvocationResult>;

/** Serves an API whose method has an authorizer; `call` sends a request, `asked` are the authorizer's invocations. */
async function serveAuthorized(
  authorize: Authorize,
  properties = {},
  more: Parameters<typeof serve>[0] = [],
) {
  const methodProperties = { AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1' };
  const served = await serve(
    [...api(), authorizer(properties), ...onePet(methodProperties), ...more],
    invocation =>
      invocation.functionArn === AUTHORIZER_ARN
        ? authorize(invocation)
        : returns({ statusCode: 200, body: 'pet' }),
  );
  const call = (token?: string) =>
    served.send('/test/pets/7', { headers: token === undefined ? [] : ['authorization', token] });
  const asked = () => served.invocations.filter(({ functionArn }) => functionArn === AUTHORIZER_ARN);
  return { served, call, asked };
}

describe('an allowed request', () => {
  test('200: passes the authorizer’s response to the function, all values as strings', async () => {
    const { call, served, asked } = await serveAuthorized(() =>
      allow({ name: 'shop', level: 3, admin: true }),
    );
    expect(await call('Bearer x')).toMatchObject({ status: 200, body: 'pet' });
    expect(asked()).toEqual([
      {
        functionArn: AUTHORIZER_ARN,
        event: {
          type: 'TOKEN',
          authorizationToken: 'Bearer x',
          methodArn: `${API_ARN}/test/GET/pets/7`,
        },
        caller: {
          principal: 'apigateway.amazonaws.com',
          sourceArn: `${API_ARN}/authorizers/authorizer1`,
        },
      },
    ]);
    expect(served.invocations.at(-1)?.event.requestContext.authorizer).toEqual({
      principalId: 'key-1',
      integrationLatency: 0,
      name: 'shop',
      level: '3',
      admin: 'true',
    });
  });
});

describe('a token for which the authorizer is not invoked', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['not of the expected form', 'Basic x'],
    ['only partly of the expected form', 'Bearer x y'],
  ])('401: %s', async (_, token) => {
    const { call, served } = await serveAuthorized(() => allow(), {
      IdentityValidationExpression: 'Bearer [^ ]+',
    });
    expect(await call(token)).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}' });
    expect(served.invocations).toEqual([]);
  });
});

describe('a rejected request', () => {
  test('401: the authorizer throws Unauthorized', async () => {
    const { call } = await serveAuthorized(() => throws('Unauthorized'));
    expect((await call('x')).status).toBe(401);
  });

  test('403: the policy denies', async () => {
    const response = returns({ principalId: 'p', policyDocument: policy('Deny') });
    const { call } = await serveAuthorized(() => response);
    expect(await call('x')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource with an explicit deny"}',
    });
  });

  test('403: the policy is for another stage', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/production/*/*`);
    const { call } = await serveAuthorized(() => returns({ principalId: 'p', policyDocument }));
    expect(await call('x')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource"}',
    });
  });

  test('401: ACCESS_DENIED can be customised with the context of the authorizer', async () => {
    const custom = gatewayResponse('ACCESS_DENIED', {
      StatusCode: '401',
      ResponseParameters: { 'gatewayresponse.header.X-Reason': 'context.authorizer.reason' },
      ResponseTemplates: { 'application/json': '{"who":"$context.authorizer.principalId"}' },
    });
    const response = returns({
      principalId: 'p',
      policyDocument: policy('Deny'),
      context: { reason: 'revoked' },
    });
    const { call } = await serveAuthorized(() => response, {}, [custom]);
    const reply = await call('x');
    expect(reply).toMatchObject({ status: 401, body: '{"who":"p"}' });
    expect(reply.headers['x-reason']).toBe('revoked');
  });
});

describe('an authorizer that fails', () => {
  test.each([
    ['throws', throws('unauthorized'), 'AUTHORIZER_FAILURE'],
    ['returns nothing', returns(null), 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['returns no JSON', { payload: '' }, 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['returns no principal', returns({ policyDocument: policy('Allow') }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['returns no policy', returns({ principalId: 'p' }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    [
      'returns a policy with a condition that is not supported',
      returns({
        principalId: 'p',
        policyDocument: {
          Statement: [
            { ...policy('Allow').Statement[0], Condition: { IpAddress: { 'aws:SourceIp': '127.0.0.1' } } },
          ],
        },
      }),
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
    [
      'returns a usage identifier that is not text',
      returns({ principalId: 'p', policyDocument: policy('Allow'), usageIdentifierKey: 1 }),
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
    ['returns a context with a list', allow({ list: [] }), 'AUTHORIZER_CONFIGURATION_ERROR'],
  ])('500: it %s', async (_, response, type) => {
    const custom = gatewayResponse(type, {
      ResponseTemplates: { 'application/json': '$context.error.responseType $context.error.messageString' },
    });
    const { call } = await serveAuthorized(() => response, {}, [custom]);
    expect(await call('x')).toMatchObject({ status: 500, body: `${type} null` });
  });

  test('500: it cannot be invoked', async () => {
    const { call } = await serveAuthorized(() => {
      throw new Error('TooManyRequestsException');
    });
    expect(await call('x')).toMatchObject({ status: 500, body: '{"message":null}' });
  });
});

describe('the cache of an authorizer', () => {
  test('keeps an Allow for 300 seconds per token', async () => {
    const { call, asked, served } = await serveAuthorized(() => allow());
    await call('a');
    served.nowMs += 299_999;
    await call('a');
    expect(asked()).toHaveLength(1);
    await call('b');
    expect(asked()).toHaveLength(2);
    served.nowMs += 1;
    await call('a');
    expect(asked()).toHaveLength(3);
  });

  test('keeps a Deny', async () => {
    const { call, asked } = await serveAuthorized(() =>
      returns({ principalId: 'p', policyDocument: policy('Deny') }),
    );
    expect([(await call('a')).status, (await call('a')).status]).toEqual([403, 403]);
    expect(asked()).toHaveLength(1);
  });

  test('evaluates the cached policy for each method', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/test/GET/pets/7`);
    const { call, served } = await serveAuthorized(() => returns({ principalId: 'p', policyDocument }));
    expect((await call('a')).status).toBe(200);
    expect((await served.send('/test/pets/8', { headers: ['Authorization', 'a'] })).status).toBe(403);
  });

  test('evaluates the conditions of the cached policy for each request', async () => {
    const { call, asked, served } = await serveAuthorized(() =>
      returns({ principalId: 'p', policyDocument }),
    );
    served.nowMs = Date.UTC(2025, 5, 1, 12);
    const inOneMinute = '2025-06-01T12:01:00Z';
    const [statement] = policy('Allow').Statement;
    const Condition = { DateLessThan: { 'aws:CurrentTime': inOneMinute } };
    const policyDocument = { Statement: [{ ...statement, Condition }] };
    expect((await call('a')).status).toBe(200);
    served.nowMs += 59_999;
    expect((await call('a')).status).toBe(200);
    served.nowMs += 1;
    expect(await call('a')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource"}',
    });
    expect(asked()).toHaveLength(1);
  });

  test.each([
    ['a policy', allow(), 200],
    ['an error', throws('Unauthorized'), 401],
  ])('shares an invocation between simultaneous requests with a token: %s', async (_, result, status) => {
    const slow = Promise.withResolvers<InvocationResult>();
    const { call, asked } = await serveAuthorized(() => (asked().length === 1 ? slow.promise : allow()));
    const simultaneous = Array.from({ length: 20 }, () => call('a'));
    // When a later request has its response, the earlier ones are waiting.
    await call('b');
    slow.resolve(result);
    const statuses = (await Promise.all(simultaneous)).map(reply => reply.status);
    expect(statuses).toEqual(statuses.map(() => status));
    expect(asked()).toHaveLength(2);
  });

  test('shares no invocation that began before a flush', async () => {
    const slow = Promise.withResolvers<InvocationResult>();
    const { call, asked, served } = await serveAuthorized(() =>
      asked().length === 1 ? slow.promise : allow(),
    );
    const before = call('a');
    await expect.poll(asked).toHaveLength(1);
    served.apis.flushAuthorizersCache(API_ID, 'test');
    expect((await call('a')).status).toBe(200);
    slow.resolve(returns({ principalId: 'p', policyDocument: policy('Deny') }));
    expect((await before).status).toBe(403);
    expect((await call('a')).status).toBe(200);
  });

  test('does not keep errors', async () => {
    const { call, asked } = await serveAuthorized(() => throws('Unauthorized'));
    await call('a');
    await call('a');
    expect(asked()).toHaveLength(2);
  });

  test('is disabled by a TTL of 0 seconds', async () => {
    const { call, asked } = await serveAuthorized(() => allow(), { AuthorizerResultTtlInSeconds: 0 });
    await Promise.all([call('a'), call('a')]);
    expect(asked()).toHaveLength(2);
  });

  test('is emptied by FlushStageAuthorizersCache of that API and stage only', async () => {
    const { call, asked, served } = await serveAuthorized(() => allow());
    await call('a');
    served.apis.flushAuthorizersCache('bbbbbbbbbb', 'test');
    served.apis.flushAuthorizersCache(API_ID, 'production');
    await call('a');
    expect(asked()).toHaveLength(1);
    served.apis.flushAuthorizersCache(API_ID, 'test');
    await call('a');
    expect(asked()).toHaveLength(2);
  });

  test('does not keep a response to an invocation that began before the flush', async () => {
    const flush = { now: () => {} };
    const { call, asked, served } = await serveAuthorized(() => {
      flush.now();
      return allow();
    });
    flush.now = () => served.apis.flushAuthorizersCache(API_ID, 'test');
    await call('a');
    flush.now = () => {};
    await call('a');
    expect(asked()).toHaveLength(2);
  });
});

const ARN = 'arn:aws:execute-api:eu-central-1:000000000000:abcdefghij/test/GET/v1/pets';

const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Action,
  Resource,
});

const NOON = '2025-06-01T12:00:00Z';
const NOON_MS = Date.UTC(2025, 5, 1, 12);

const decide = (...Statement: unknown[]) => evaluatePolicy(PolicyDocument.parse({ Statement }), ARN, NOON_MS);

const conditional = (Condition: unknown, Effect = 'Allow') => ({ ...statement(Effect, '*'), Condition });
const until = (time: unknown) => ({ DateLessThan: { 'aws:CurrentTime': time } });

describe('a policy', () => {
  test.each([
    ['the method itself', statement('Allow', ARN), 'allow'],
    ['the whole stage', statement('Allow', ARN.replace('GET/v1/pets', '*/*')), 'allow'],
    ['one of several', statement('Allow', ['arn:other', ARN]), 'allow'],
    ['one character', statement('Allow', ARN.replace('GET', 'G?T')), 'allow'],
    ['all actions', statement('Allow', '*', ['*']), 'allow'],
    ['the action in another case', statement('Allow', '*', 'Execute-API:invoke'), 'allow'],
    ['another action', statement('Allow', '*', 'execute-api:ManageConnections'), 'implicit deny'],
    ['another stage', statement('Allow', ARN.replace('/test/', '/production/')), 'implicit deny'],
    ['another API', statement('Allow', ARN.replace('abcdefghij', 'bbbbbbbbbb')), 'implicit deny'],
    ['a Deny', statement('Deny', '*'), 'explicit deny'],
  ])('with a statement for %s decides on it', (_, only, expected) => {
    expect(decide(only)).toBe(expected);
  });

  test('denies when one statement allows and another denies', () => {
    expect(decide(statement('Allow', '*'), statement('Deny', ARN))).toBe('explicit deny');
  });

  test('denies without a statement', () => {
    expect(decide()).toBe('implicit deny');
  });

  test('accepts a single statement without a list', () => {
    expect(evaluatePolicy(PolicyDocument.parse({ Statement: statement('Allow', '*') }), ARN, NOON_MS)).toBe(
      'allow',
    );
  });

  test.each([
    ['an empty Condition', { ...statement('Allow', '*'), Condition: {} }],
    ['another operator', conditional({ StringEquals: { 'aws:CurrentTime': NOON } })],
    ['another key', conditional({ DateLessThan: { 'aws:EpochTime': NOON } })],
    ['another key beside the time', conditional({ DateLessThan: { 'aws:CurrentTime': NOON, 'aws:x': 'y' } })],
    ['another operator beside a date', conditional({ ...until(NOON), IpAddress: { 'aws:SourceIp': '::1' } })],
    ['no key', conditional({ DateLessThan: {} })],
    ['no time', conditional({ DateLessThan: { 'aws:CurrentTime': [] } })],
    ['a malformed time', conditional({ DateLessThan: { 'aws:CurrentTime': 'noon' } })],
    ['a day that does not exist', conditional(until('2025-02-30T00:00:00Z'))],
    ['a time without a zone', conditional(until('2025-06-01T12:00:00'))],
    ['NotResource', { Effect: 'Allow', Action: '*', NotResource: 'x' }],
  ])('with %s is rejected', (_, unknown) => {
    expect(PolicyDocument.safeParse({ Statement: [unknown] }).success).toBe(false);
  });
});

describe('a condition on the current time', () => {
  const BEFORE = '2025-06-01T11:59:59Z';
  const AFTER = '2025-06-01T12:00:01Z';

  test('is met before its time', () => {
    expect([BEFORE, NOON, AFTER].map(time => decide(conditional(until(time))))).toEqual([
      'implicit deny',
      'implicit deny',
      'allow',
    ]);
  });

  test('is met when one of several times is', () => {
    expect(decide(conditional(until([BEFORE, AFTER])))).toBe('allow');
  });

  test('respects the zone of a time', () => {
    expect(decide(conditional(until('2025-06-01T14:00:01+02:00')))).toBe('allow');
    expect(decide(conditional(until('2025-06-01T14:00:00+02:00')))).toBe('implicit deny');
  });

  test('with fractions of a second is never met', () => {
    expect(decide(conditional(until('2025-06-01T12:00:00.001Z')))).toBe('implicit deny');
  });

  test('applies to a Deny, too', () => {
    const allowed = statement('Allow', '*');
    expect(decide(allowed, conditional(until(BEFORE), 'Deny'))).toBe('allow');
    expect(decide(allowed, conditional(until(AFTER), 'Deny'))).toBe('explicit deny');
  });
});
