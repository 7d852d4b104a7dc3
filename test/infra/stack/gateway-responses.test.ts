import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../infra/local/template.ts';
import { STATUS_BY_CODE } from '../../../shared/errors.ts';
import { STACKS, templateOf } from './templates.ts';

/** Those that have the status of the default, 400 or 500, and so its body. */
const AS_DEFAULT = [
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
];

/** Those that only an API with an authorizer and a usage plan has. */
const OF_KEYS = ['UNAUTHORIZED', 'ACCESS_DENIED', 'INVALID_API_KEY', 'AUTHORIZER_FAILURE', 'QUOTA_EXCEEDED'];

/** All others: without a definition, they would have the body of the default with another status. */
const TYPES = Object.values(ResponseType)
  .map(({ responseType }) => responseType)
  .filter(type => !AS_DEFAULT.includes(type));

const APIS = STACKS.flatMap(stack => [
  [stack, 'PublicApi', TYPES] as const,
  [stack, 'RedirectsApi', TYPES.filter(type => !OF_KEYS.includes(type))] as const,
]);

describe.each(APIS)('the gateway responses of %s, %s', (stack, api, types) => {
  const responses = new Map(
    partsOf(templateOf(stack), api, 'AWS::ApiGateway::GatewayResponse').map(({ Properties }) => [
      Properties.ResponseType,
      Properties,
    ]),
  );

  test('are those whose status is not the default’s, and the defaults', () => {
    expect([...responses.keys()].toSorted()).toEqual(types.toSorted());
  });

  test.each([...types])(
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
    ...(api === 'PublicApi'
      ? [['every fault of a key', '401', ['UNAUTHORIZED', 'ACCESS_DENIED', 'INVALID_API_KEY']] as const]
      : []),
    [
      'every fault of a request that no method takes',
      '404',
      ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'],
    ] as const,
  ])('%s gets the same %s', (_, status, same) => {
    const answers = same.map(type => {
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
