import { describe, expect, test } from 'vitest';
import { API_ARN, AUTHORIZER_ARN, answers, gatewayResponse, throws } from './served-api.ts';
import { allow, policy, serveAuthorized } from './served-authorizer.ts';

describe('an allowed request', () => {
  test('200: passes the authorizer’s answer to the function, all values as strings', async () => {
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
    const answer = answers({ principalId: 'p', policyDocument: policy('Deny') });
    const { call } = await serveAuthorized(() => answer);
    expect(await call('x')).toMatchObject({
      status: 403,
      body: '{"message":"User is not authorized to access this resource with an explicit deny"}',
    });
  });

  test('403: the policy is for another stage', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/production/*/*`);
    const { call } = await serveAuthorized(() => answers({ principalId: 'p', policyDocument }));
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
    ['does not answer with JSON', { payload: '' }, 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['returns no principal', answers({ policyDocument: policy('Allow') }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['returns no policy', answers({ principalId: 'p' }), 'AUTHORIZER_CONFIGURATION_ERROR'],
    [
      'returns a policy with a condition that is not supported',
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
      'returns a usage identifier that is not text',
      answers({ principalId: 'p', policyDocument: policy('Allow'), usageIdentifierKey: 1 }),
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
    ['returns a context with a list', allow({ list: [] }), 'AUTHORIZER_CONFIGURATION_ERROR'],
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
