import { describe, expect, test } from 'vitest';
import { API_ARN, API_ID, answers, throws } from './served-api.ts';
import { allow, policy, serveAuthorized } from './served-authorizer.ts';

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
      answers({ principalId: 'p', policyDocument: policy('Deny') }),
    );
    expect([(await call('a')).status, (await call('a')).status]).toEqual([403, 403]);
    expect(asked()).toHaveLength(1);
  });

  test('evaluates the cached policy for each method', async () => {
    const policyDocument = policy('Allow', `${API_ARN}/test/GET/pets/7`);
    const { call, served } = await serveAuthorized(() => answers({ principalId: 'p', policyDocument }));
    expect((await call('a')).status).toBe(200);
    expect((await served.send('/test/pets/8', { headers: ['Authorization', 'a'] })).status).toBe(403);
  });

  test('evaluates the conditions of the cached policy for each request', async () => {
    const { call, asked, served } = await serveAuthorized(() =>
      answers({ principalId: 'p', policyDocument }),
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

  test('does not keep errors', async () => {
    const { call, asked } = await serveAuthorized(() => throws('Unauthorized'));
    await call('a');
    await call('a');
    expect(asked()).toHaveLength(2);
  });

  test('is disabled by a TTL of 0 seconds', async () => {
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

  test('does not keep an answer to an invocation that began before the flush', async () => {
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
