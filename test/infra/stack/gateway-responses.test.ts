import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../infra/local/template.ts';
import { STATUS_BY_CODE } from '../../../shared/errors.ts';
import { STACKS, templateOf } from './templates.ts';

/** Every response type of API Gateway. One without a definition would have API Gateway's own body. */
const TYPES = Object.values(ResponseType).map(({ responseType }) => responseType);

const APIS = STACKS.flatMap(stack => ['PublicApi', 'RedirectsApi'].map(api => [stack, api] as const));

describe.each(APIS)('the gateway responses of %s, %s', (stack, api) => {
  const responses = new Map(
    partsOf(templateOf(stack), api, 'AWS::ApiGateway::GatewayResponse').map(({ Properties }) => [
      Properties.ResponseType,
      Properties,
    ]),
  );

  test.each(TYPES)(
    '%s has an Error body whose status is the HTTP status, and the headers of its status',
    type => {
      const { StatusCode, ResponseTemplates, ResponseParameters } = responses.get(type) ?? {};
      const body = JSON.parse(ResponseTemplates['application/json']);
      expect(Object.keys(ResponseTemplates)).toEqual(['application/json']);
      expect(body).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        status: Number(StatusCode),
      });
      expect(STATUS_BY_CODE).toHaveProperty(body.code, body.status);
      // API Gateway substitutes variables without quoting them, which would break the JSON.
      expect(ResponseTemplates['application/json']).not.toContain('$');
      const headers = Object.entries(ResponseParameters)
        .map(([name, value]) => [name.replace('gatewayresponse.header.', ''), value])
        .filter(([name]) => !String(name).startsWith('Access-Control-'));
      expect(Object.fromEntries(headers)).toEqual({
        'X-Request-Id': 'context.extendedRequestId',
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'Strict-Transport-Security': "'max-age=86400'",
        ...(StatusCode === '401' && { 'WWW-Authenticate': `'Bearer realm="petstore"'` }),
        ...(['429', '503'].includes(StatusCode) && { 'Retry-After': expect.stringMatching(/^'[1-9]\d*'$/) }),
      });
    },
  );

  test.each([
    ['every fault of a key', '401', ['UNAUTHORIZED', 'ACCESS_DENIED', 'INVALID_API_KEY']],
    [
      'every fault of a request that no method takes',
      '404',
      ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'],
    ],
  ])('%s gets the same %s', (_, status, types) => {
    const answers = types.map(type => {
      const { ResponseType: _type, ...answer } = responses.get(type) ?? {};
      return answer;
    });
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ StatusCode: status });
  });

  test('a media type or a content coding that API Gateway does not take is 415', () => {
    expect(responses.get('UNSUPPORTED_MEDIA_TYPE')).toMatchObject({ StatusCode: '415' });
  });
});
