import { describe, expect, test } from 'vitest';
import type { Resource } from '../../cloudformation/resource-type.ts';
import {
  API_ID,
  api,
  authorizer,
  FUNCTION_ARN,
  gatewayResponse,
  method,
  path,
  proxyTo,
  resource,
  serve,
} from '../../testing/served-api.ts';

describe('the declared resources', () => {
  const mock = (integration: object, more = {}) =>
    method('root', 'GET', {
      Integration: { Type: 'MOCK', PassthroughBehavior: 'NEVER', ...integration },
      ...more,
    });
  const logFormat = (Format: string) => api({ AccessLogSetting: { DestinationArn: 'arn', Format } });

  const cases: [what: string, resources: Resource[], message: string][] = [
    [
      'API keys from a header',
      [resource('RestApi', 'Other', { ApiKeySourceType: 'HEADER' })],
      'Petstore-Test, Other (AWS::ApiGateway::RestApi): ' +
        'the property ApiKeySourceType is not supported by the local AWS',
    ],
    [
      'a required API key of an API without a source for it',
      [method('root', 'GET', { ApiKeyRequired: true })],
      'ApiKeyRequired is supported only with the ApiKeySourceType AUTHORIZER of its API',
    ],
    [
      'a quota',
      [resource('UsagePlan', 'Plan', { Quota: { Limit: 10, Period: 'DAY' } })],
      'Petstore-Test, Plan (AWS::ApiGateway::UsagePlan): the property Quota is not supported by the local AWS',
    ],
    [
      'a throttle for single methods of a usage plan',
      [
        resource('UsagePlan', 'Plan', {
          ApiStages: [{ ApiId: API_ID, Stage: 'test', Throttle: { '/pets/GET': {} } }],
        }),
      ],
      'the property ApiStages.0.Throttle./pets/GET is not supported by the local AWS',
    ],
    [
      'a usage plan for a stage that does not exist',
      [resource('UsagePlan', 'Plan', { ApiStages: [{ ApiId: API_ID, Stage: 'production' }] })],
      `there is no stage production of the API ${API_ID}`,
    ],
    [
      'a property that is not supported',
      [method('root', 'GET', { MethodThing: 1 })],
      'Petstore-Test, rootGET (AWS::ApiGateway::Method): the property MethodThing is not supported by the local AWS',
    ],
    [
      'a nested property that is not supported',
      [method('root', 'GET', { Integration: proxyTo(FUNCTION_ARN, { Credentials: 'arn' }) })],
      'the property Integration.Credentials is not supported by the local AWS',
    ],
    [
      'an integration type that is not supported',
      [method('root', 'GET', { Integration: { Type: 'HTTP' } })],
      'the property Integration.Type is not supported by the local AWS',
    ],
    [
      'an authorization type that is not supported',
      [method('root', 'GET', { AuthorizationType: 'AWS_IAM' })],
      'the property AuthorizationType is not supported by the local AWS',
    ],
    [
      'a missing property',
      [authorizer({ AuthorizerUri: undefined })],
      'the property AuthorizerUri is not supported by the local AWS (Invalid input: expected string',
    ],
    [
      'an authorizer type that is not supported',
      [authorizer({ Type: 'REQUEST' })],
      'the property Type is not supported by the local AWS',
    ],
    [
      'an authorizer that does not exist',
      [method('root', 'GET', { AuthorizationType: 'CUSTOM', AuthorizerId: 'none' })],
      'its authorizer is not in the same API',
    ],
    ['a resource that does not exist', [method('none', 'GET')], 'its resource is not in the same API'],
    [
      'an API that does not exist',
      [resource('GatewayResponse', 'X', { RestApiId: 'none', ResponseType: 'THROTTLED' })],
      'no API',
    ],
    [
      'a gateway response type that does not exist',
      [gatewayResponse('TEAPOT')],
      'the property ResponseType is not supported by the local AWS',
    ],
    [
      'an API without endpoint types, which is EDGE',
      [resource('RestApi', 'Edge', {})],
      'the property EndpointConfiguration is not supported by the local AWS (an API without endpoint types is EDGE',
    ],
    [
      'two endpoint types',
      [resource('RestApi', 'Edge', { EndpointConfiguration: { Types: ['REGIONAL', 'REGIONAL'] } })],
      'the property EndpointConfiguration.Types is not supported by the local AWS',
    ],
    [
      'an EDGE endpoint',
      [resource('RestApi', 'Edge', { EndpointConfiguration: { Types: ['EDGE'] } })],
      'the property EndpointConfiguration.Types.0 is not supported by the local AWS',
    ],
    [
      'a malformed path part',
      [path('x', 'root', '{a}b')],
      'the property PathPart is not supported by the local AWS',
    ],
    [
      'a variable that a gateway response does not have',
      [gatewayResponse('THROTTLED', { ResponseTemplates: { 'application/json': '$context.status' } })],
      'the variable $context.status in a gateway response is not supported by the local AWS',
    ],
    [
      'a gateway response of another media type than JSON',
      [gatewayResponse('THROTTLED', { ResponseTemplates: { 'text/html': '' } })],
      'the property ResponseTemplates.text/html is not supported by the local AWS',
    ],
    [
      'a malformed expression of a header',
      [gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.header.Retry-After': '1' } })],
      'the expression 1 of the header Retry-After is not supported by the local AWS',
    ],
    [
      'a response parameter that is not a header',
      [gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.body.x': "'1'" } })],
      'the response parameter gatewayresponse.body.x is not supported by the local AWS',
    ],
    [
      'a status without a method response',
      [mock({ IntegrationResponses: [{ StatusCode: '404' }] })],
      'no MethodResponse declares the status 404',
    ],
    [
      'a header that the method response does not declare',
      [
        mock(
          {
            IntegrationResponses: [
              { StatusCode: '404', ResponseParameters: { 'method.response.header.A': "'1'" } },
            ],
          },
          { MethodResponses: [{ StatusCode: '404' }] },
        ),
      ],
      'the MethodResponse 404 does not declare method.response.header.A',
    ],
    [
      'a malformed selection pattern',
      [
        mock(
          { IntegrationResponses: [{ StatusCode: '404', SelectionPattern: '(' }] },
          { MethodResponses: [{ StatusCode: '404' }] },
        ),
      ],
      'the regular expression ( is not supported by the local AWS',
    ],
  ];

  test.each(cases)('rejects %s', async (_, resources, message) => {
    await expect(serve([...api(), ...resources])).rejects.toThrow(message);
  });

  test('rejects a variable that the access log does not have', async () => {
    await expect(serve(logFormat('$context.requestId $context.moonPhase'))).rejects.toThrow(
      'Petstore-Test, Stageabcdefghij (AWS::ApiGateway::Stage): ' +
        'the variable $context.moonPhase in the access log format is not supported by the local AWS',
    );
  });

  test.each([
    { AccessLogSetting: { DestinationArn: 'arn', Format: '$context.requestId' } },
    { MethodSettings: [{ ResourcePath: '/*', HttpMethod: '*', LoggingLevel: 'ERROR' }] },
  ])('rejects logs of a stage in an account without a role for them: %j', async stage => {
    const withoutAccount = api(stage).filter(({ type }) => type !== 'AWS::ApiGateway::Account');
    await expect(serve(withoutAccount)).rejects.toThrow(
      'CloudWatch Logs role ARN must be set in account settings to enable logging',
    );
  });

  test('accepts resources of other services, and those without an effect', async () => {
    const foreign = { ...resource('RestApi', 'Table', { Anything: 1 }), type: 'AWS::DynamoDB::Table' };
    const deployment = resource('Deployment', 'D', { RestApiId: API_ID, Description: 'x' });
    await expect(serve([foreign, deployment, ...api()])).resolves.toBeDefined();
  });
});
