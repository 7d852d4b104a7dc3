import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import { STATUS_BY_CODE } from '../../../shared/errors.ts';
import { partsOf, STACKS, templateOf } from './templates.ts';

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

  test.each(TYPES)('%s has an Error body whose status is the HTTP status', type => {
    const { StatusCode, ResponseTemplates } = responses.get(type) ?? {};
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
  });

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

  test.each(TYPES)('%s has the headers of its status', type => {
    const { StatusCode, ResponseParameters } = responses.get(type) ?? {};
    const header = (name: string) => ResponseParameters[`gatewayresponse.header.${name}`];
    expect(header('X-Request-Id')).toBe('context.extendedRequestId');
    expect(header('Cache-Control')).toBe("'no-store'");
    expect(header('X-Content-Type-Options')).toBe("'nosniff'");
    expect(header('Strict-Transport-Security')).toBe("'max-age=86400'");
    expect(header('WWW-Authenticate')).toBe(StatusCode === '401' ? `'Bearer realm="petstore"'` : undefined);
    if (StatusCode === '429' || StatusCode === '503') expect(header('Retry-After')).toMatch(/^'[1-9]\d*'$/);
    else expect(header('Retry-After')).toBeUndefined();
  });
});
