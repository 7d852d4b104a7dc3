import { describe, expect, test } from 'vitest';
import type { InvocationResult } from '../../../../infra/local/lambda/invoker.ts';
import {
  API_ARN,
  API_ID,
  AUTHORIZER_ARN,
  answers,
  api,
  authorizer,
  gatewayResponse,
  type Invocation,
  onePet,
  serve,
  throws,
} from './served-api.ts';

const policy = (Effect: string, Resource = `${API_ARN}/test/*/*`) => ({
  Version: '2012-10-17',
  Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
});

const allow = (context?: unknown) =>
  answers({
    principalId: 'key-1',
    policyDocument: policy('Allow'),
    ...(context !== undefined && { context }),
  });

type Authorize = (invocation: Invocation) => InvocationResult | Promise<InvocationResult>;

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
        : answers({ statusCode: 200, body: 'pet' }),
  );
  const call = (token?: string) =>
    served.send('/test/pets/7', { headers: token === undefined ? [] : ['authorization', token] });
  const asked = () => served.invocations.filter(({ functionArn }) => functionArn === AUTHORIZER_ARN);
  return { served, call, asked };
}

describe('an allowed request', () => {
  test('200: the function learns who the client is, in strings', async () => {
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

describe('a token that the function is not asked about', () => {
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

describe('a refused request', () => {
  test('401: the function throws exactly Unauthorized', async () => {
    const { call } = await serveAuthorized(() => throws('Unauthorized'));
    expect((await call('x')).status).toBe(401);
  });

  test('403: the policy denies', async () => {
    const answer = answers({ principalId: 'p', policyDocument: policy('Deny') });
    const { call } = await serveAuthorized(() => answer);
    expect(await call('x')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource with an explicit deny"}',
    });
  });

  test('403: the policy is about another stage', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/production/*/*`);
    const { call } = await serveAuthorized(() => answers({ principalId: 'p', policyDocument }));
    expect(await call('x')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource"}',
    });
  });

  test('401: ACCESS_DENIED may be customised, and may use the context of the authorizer', async () => {
    const custom = gatewayResponse('ACCESS_DENIED', {
      StatusCode: '401',
      ResponseParameters: { 'gatewayresponse.header.X-Reason': 'context.authorizer.reason' },
      ResponseTemplates: { 'application/json': '{"who":"$context.authorizer.principalId"}' },
    });
    const answer = answers({
      principalId: 'p',
      policyDocument: policy('Deny'),
      context: { reason: 'revoked' },
    });
    const { call } = await serveAuthorized(() => answer, {}, [custom]);
    const reply = await call('x');
    expect(reply).toMatchObject({ status: 401, body: '{"who":"p"}' });
    expect(reply.headers['x-reason']).toBe('revoked');
  });
});

describe('an authorizer that fails', () => {
  test.each([
    ['throws', throws('unauthorized'), 'AUTHORIZER_FAILURE'],
    ['answers nothing', answers(null), 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['answers no JSON', { payload: '' }, 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['names no principal', answers({ policyDocument: policy('Allow') }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['gives no policy', answers({ principalId: 'p' }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    [
      'gives a policy with a condition that is not known',
      answers({
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
      'names a usage identifier that is no text',
      answers({ principalId: 'p', policyDocument: policy('Allow'), usageIdentifierKey: 1 }),
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
    ['gives context that is no text', allow({ list: [] }), 'AUTHORIZER_CONFIGURATION_ERROR'],
  ])('500: it %s', async (_, answer, type) => {
    const custom = gatewayResponse(type, {
      ResponseTemplates: { 'application/json': '$context.error.responseType $context.error.messageString' },
    });
    const { call } = await serveAuthorized(() => answer, {}, [custom]);
    expect(await call('x')).toMatchObject({ status: 500, body: `${type} null` });
  });

  test('500: it cannot be invoked', async () => {
    const { call } = await serveAuthorized(() => {
      throw new Error('TooManyRequestsException');
    });
    expect(await call('x')).toMatchObject({ status: 500, body: '{"message":null}' });
  });
});

describe('the cache', () => {
  test('keeps an Allow for 300 seconds, by token', async () => {
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
      answers({ principalId: 'p', policyDocument: policy('Deny') }),
    );
    expect([(await call('a')).status, (await call('a')).status]).toEqual([403, 403]);
    expect(asked()).toHaveLength(1);
  });

  test('applies the cached policy to each method anew', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/test/GET/pets/7`);
    const { call, served } = await serveAuthorized(() => answers({ principalId: 'p', policyDocument }));
    expect((await call('a')).status).toBe(200);
    expect((await served.send('/test/pets/8', { headers: ['Authorization', 'a'] })).status).toBe(403);
  });

  test('applies the conditions of the cached policy to each request anew', async () => {
    const { call, asked, served } = await serveAuthorized(() =>
      answers({ principalId: 'p', policyDocument }),
    );
    const inOneMinute = new Date(served.nowMs + 60_000).toISOString();
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

  test('keeps no error', async () => {
    const { call, asked } = await serveAuthorized(() => throws('Unauthorized'));
    await call('a');
    await call('a');
    expect(asked()).toHaveLength(2);
  });

  test('is off with 0 seconds', async () => {
    const { call, asked } = await serveAuthorized(() => allow(), { AuthorizerResultTtlInSeconds: 0 });
    await call('a');
    await call('a');
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

  test('does not keep an answer that was under way when it was emptied', async () => {
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
