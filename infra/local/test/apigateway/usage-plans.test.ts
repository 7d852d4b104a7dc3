import { describe, expect, test } from 'vitest';
import type { IssuedApiKey } from '../../apigateway/gateway-services.ts';
import {
  API_ID,
  AUTHORIZER_ARN,
  api,
  authorizer,
  gatewayResponse,
  LOG_GROUP_ARN,
  onePet,
  resource,
  returns,
  serve,
} from '../../testing/served-api.ts';

const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };

const plan = (id: string, more = {}) =>
  resource('UsagePlan', id, {
    UsagePlanName: id,
    Description: 'x',
    Tags: [],
    ApiStages: [{ ApiId: API_ID, Stage: 'test' }],
    Throttle: { RateLimit: 1, BurstLimit: 2 },
    ...more,
  });

const key = (id: string, more: Partial<IssuedApiKey> = {}): IssuedApiKey => ({
  id,
  value: `value-of-${id}`,
  enabled: true,
  usagePlanIds: ['plan1'],
  ...more,
});

interface Keyed {
  readonly keys?: readonly IssuedApiKey[];
  readonly more?: Parameters<typeof serve>[0];
  readonly method?: Record<string, unknown>;
  readonly stage?: Record<string, unknown>;
}

/** An API whose authorizer returns the token as the value of the API key. */
async function serveKeyed({ keys = [], more = [plan('plan1')], method = {}, stage = {} }: Keyed) {
  const methodProperties = { AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1', ApiKeyRequired: true };
  const served = await serve(
    [
      ...api(stage, API_ID, { ApiKeySourceType: 'AUTHORIZER' }),
      authorizer(),
      ...onePet({ ...methodProperties, ...method }),
      ...more,
    ],
    ({ functionArn, event }) =>
      functionArn === AUTHORIZER_ARN
        ? returns({
            principalId: 'p',
            policyDocument,
            usageIdentifierKey: Reflect.get(event, 'authorizationToken'),
          })
        : returns({ statusCode: 200, body: 'pet' }),
    value => keys.find(candidate => candidate.value === value),
  );
  const call = (value: string) => served.send('/test/pets/7', { headers: ['Authorization', value] });
  const statuses = async (value: string, requests: number) => {
    const seen: number[] = [];
    for (let request = 0; request < requests; request++) seen.push((await call(value)).status);
    return seen;
  };
  return { served, call, statuses };
}

describe('a method that requires an API key', () => {
  test('200: passes the API key to the function and the access log', async () => {
    const setting = {
      AccessLogSetting: {
        DestinationArn: LOG_GROUP_ARN,
        Format: '$context.identity.apiKeyId $context.identity.apiKey',
      },
    };
    const { call, served } = await serveKeyed({ keys: [key('key1')], stage: setting });
    expect((await call('value-of-key1')).status).toBe(200);
    expect(served.invocations.at(-1)?.event.requestContext.identity).toMatchObject({
      apiKey: 'value-of-key1',
      apiKeyId: 'key1',
    });
    expect(served.logLines).toEqual([`${LOG_GROUP_ARN} key1 value-of-key1`]);
  });

  test.each([
    ['of no such value', key('key2')],
    ['that is not enabled', key('key1', { enabled: false })],
    ['that belongs to no usage plan', key('key1', { usagePlanIds: [] })],
    ['of a usage plan for another stage', key('key1', { usagePlanIds: ['plan2'] })],
  ])('403: an API key %s', async (_, issued) => {
    const more = [plan('plan1'), plan('plan2', { ApiStages: [] })];
    const { call, served } = await serveKeyed({ keys: [issued], more });
    expect(await call('value-of-key1')).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
    expect(served.invocations.map(({ functionArn }) => functionArn)).toEqual([AUTHORIZER_ARN]);
  });

  test('403: has no authorizer to return one', async () => {
    const { call } = await serveKeyed({ keys: [key('key1')], method: { AuthorizationType: 'NONE' } });
    expect((await call('value-of-key1')).status).toBe(403);
  });

  test('401: has a customisable response to an invalid one', async () => {
    const custom = gatewayResponse('INVALID_API_KEY', { StatusCode: '401' });
    const { call } = await serveKeyed({ more: [custom] });
    expect((await call('value-of-key1')).status).toBe(401);
  });
});

test('200: a method that requires no API key is not throttled by usage plans, and its event has none', async () => {
  const { served, statuses } = await serveKeyed({ keys: [key('key1')], method: { ApiKeyRequired: false } });
  expect(await statuses('value-of-key1', 4)).toEqual([200, 200, 200, 200]);
  expect(served.invocations.at(-1)?.event.requestContext.identity).not.toHaveProperty('apiKey');
});

describe('the throttle of a usage plan', () => {
  const keys = [key('key1'), key('key2')];

  test('429: counts each API key by itself and refills with time', async () => {
    const custom = gatewayResponse('THROTTLED', {
      ResponseTemplates: { 'application/json': '{"code":"rate_limited","status":429}' },
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
    });
    const { call, served, statuses } = await serveKeyed({ keys, more: [plan('plan1'), custom] });
    expect(await statuses('value-of-key1', 3)).toEqual([200, 200, 429]);
    const refused = await call('value-of-key1');
    expect(refused).toMatchObject({ status: 429, body: '{"code":"rate_limited","status":429}' });
    expect(refused.headers['retry-after']).toBe('1');
    expect(await statuses('value-of-key2', 2)).toEqual([200, 200]);
    served.nowMs += 999;
    expect(await statuses('value-of-key1', 1)).toEqual([429]);
    served.nowMs += 1;
    expect(await statuses('value-of-key1', 2)).toEqual([200, 429]);
  });

  test('429: is that of the plan that the API key belongs to', async () => {
    const more = [plan('plan1'), plan('plan2', { Throttle: { RateLimit: 1, BurstLimit: 1 } })];
    const { statuses } = await serveKeyed({ keys: [key('key1', { usagePlanIds: ['plan2'] })], more });
    expect(await statuses('value-of-key1', 2)).toEqual([200, 429]);
  });

  test('429: counts a key once for all stages of the plan', async () => {
    const other = resource('Stage', 'Other', { RestApiId: API_ID, StageName: 'other' });
    const ApiStages = ['test', 'other'].map(Stage => ({ ApiId: API_ID, Stage }));
    const { served, statuses } = await serveKeyed({ keys, more: [plan('plan1', { ApiStages }), other] });
    expect(await statuses('value-of-key1', 2)).toEqual([200, 200]);
    const headers = ['Authorization', 'value-of-key1'];
    expect((await served.send('/other/pets/7', { headers })).status).toBe(429);
  });

  test('200: is absent in a plan without limits', async () => {
    const { statuses } = await serveKeyed({ keys, more: [plan('plan1', { Throttle: undefined })] });
    expect(await statuses('value-of-key1', 4)).toEqual([200, 200, 200, 200]);
  });

  test('429: comes after that of the stage and is not charged for it', async () => {
    const settings = [
      { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
    ];
    const slow = plan('plan1', { Throttle: { RateLimit: 0.001, BurstLimit: 2 } });
    const { served, statuses } = await serveKeyed({
      keys,
      more: [slow],
      stage: { MethodSettings: settings },
    });
    expect(await statuses('value-of-key1', 4)).toEqual([200, 429, 429, 429]);
    served.nowMs += 1000;
    expect(await statuses('value-of-key1', 1)).toEqual([200]);
  });
});
