import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../../infra/local/cloudformation/resource.ts';
import {
  API_ID,
  answers,
  api,
  authorizer,
  FUNCTION_ARN,
  gatewayResponse,
  method,
  onePet,
  path,
  proxyTo,
  resource,
  serve,
} from './served-api.ts';

describe('two APIs on one port', () => {
  const production = { stack: 'Petstore-Production' };
  const other = [
    ...api({ StageName: 'production' }, 'bbbbbbbbbb'),
    resource('Method', 'ProductionRoot', {
      RestApiId: 'bbbbbbbbbb',
      ResourceId: 'bbbbbbbbbb-root',
      HttpMethod: 'GET',
      AuthorizationType: 'NONE',
      Integration: proxyTo(`${FUNCTION_ARN}-Production`),
    }),
  ].map(declared => ({ ...declared, ...production }));

  test('200: the stage name tells them apart', async () => {
    const served = await serve([...api(), method('root', 'GET'), ...other], ({ functionArn }) =>
      answers({ statusCode: 200, body: functionArn }),
    );
    expect(served.apis.stages.get('test')?.apiId).toBe(API_ID);
    expect(served.apis.stages.get('production')?.apiId).toBe('bbbbbbbbbb');
    expect((await served.send('/test')).body).toBe(FUNCTION_ARN);
    expect((await served.send('/production/')).body).toBe(`${FUNCTION_ARN}-Production`);
  });

  test('403: a stage that is not there, or none', async () => {
    const served = await serve(api());
    for (const target of ['/', '/staging/v1/pets', '//test']) {
      expect(await served.send(target)).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
    }
  });

  test('refuses one stage name twice', async () => {
    await expect(serve([...api(), ...api({}, 'bbbbbbbbbb')])).rejects.toThrow(
      'Petstore-Test/Stagebbbbbbbbbb (AWS::ApiGateway::Stage): another API already has a stage test',
    );
  });
});

describe('a request that no method serves', () => {
  test.each([
    ['an unknown path', '/test/nowhere', 'GET'],
    ['a path too long', '/test/pets/7/toys', 'GET'],
    ['a path without methods', '/test/pets', 'GET'],
    ['another method', '/test/pets/7', 'DELETE'],
  ])('403: %s', async (_, target, httpMethod) => {
    const served = await serve([...api(), ...onePet()]);
    expect(await served.send(target, { method: httpMethod })).toMatchObject({
      status: 403,
      body: '{"message":"Missing Authentication Token"}',
    });
  });

  test('200: the trailing slash does not matter', async () => {
    const served = await serve([...api(), ...onePet()]);
    expect((await served.send('/test/pets/7/')).status).toBe(200);
  });

  test.each(['/test/pets/%', '/test/nowhere%zz', '/test/pets/7?a=%f'])('400: malformed %s', async target => {
    const custom = gatewayResponse('DEFAULT_4XX', {
      StatusCode: '400',
      ResponseTemplates: { 'application/json': '{"code":"invalid_request","status":400}' },
    });
    const served = await serve([...api(), ...onePet(), custom]);
    expect(await served.send(target)).toMatchObject({
      status: 400,
      body: '{"code":"invalid_request","status":400}',
    });
    expect(served.invocations).toEqual([]);
  });
});

describe('refuses by name', () => {
  const mock = (integration: object, more = {}) =>
    method('root', 'GET', { Integration: { Type: 'MOCK', ...integration }, ...more });
  const logFormat = (Format: string) => api({ AccessLogSetting: { DestinationArn: 'arn', Format } });

  const cases: [what: string, resources: Resource[], message: string][] = [
    [
      'a type',
      [resource('ApiKey', 'Key', {})],
      'Petstore-Test/Key (AWS::ApiGateway::ApiKey): the local runtime does not know this resource type',
    ],
    [
      'a type that puts a key into a plan',
      [resource('UsagePlanKey', 'Key', {})],
      'Petstore-Test/Key (AWS::ApiGateway::UsagePlanKey): the local runtime does not know this resource type',
    ],
    [
      'API keys from the header',
      [resource('RestApi', 'Other', { ApiKeySourceType: 'HEADER' })],
      'Petstore-Test/Other (AWS::ApiGateway::RestApi): ' +
        'the local runtime does not know the value "HEADER" of the property ApiKeySourceType',
    ],
    [
      'a required key of an API that does not say where from',
      [method('root', 'GET', { ApiKeyRequired: true })],
      'ApiKeyRequired is known only with the ApiKeySourceType AUTHORIZER of its API',
    ],
    [
      'a quota',
      [resource('UsagePlan', 'Plan', { Quota: { Limit: 10, Period: 'DAY' } })],
      'Petstore-Test/Plan (AWS::ApiGateway::UsagePlan): the local runtime does not know the property Quota',
    ],
    [
      'a throttle of single methods in a plan',
      [
        resource('UsagePlan', 'Plan', {
          ApiStages: [{ ApiId: API_ID, Stage: 'test', Throttle: { '/pets/GET': {} } }],
        }),
      ],
      'does not know the property ApiStages.0.Throttle',
    ],
    [
      'a plan for a stage that is not there',
      [resource('UsagePlan', 'Plan', { ApiStages: [{ ApiId: API_ID, Stage: 'production' }] })],
      `there is no stage production of the API ${API_ID}`,
    ],
    [
      'a property',
      [method('root', 'GET', { MethodThing: 1 })],
      'Petstore-Test/rootGET (AWS::ApiGateway::Method): the local runtime does not know the property MethodThing',
    ],
    [
      'a property further in',
      [method('root', 'GET', { Integration: proxyTo(FUNCTION_ARN, { Credentials: 'arn' }) })],
      'does not know the property Integration.Credentials',
    ],
    [
      'an integration type',
      [method('root', 'GET', { Integration: { Type: 'HTTP' } })],
      'does not know the value "HTTP" of the property Integration.Type',
    ],
    [
      'an authorization type',
      [method('root', 'GET', { AuthorizationType: 'AWS_IAM' })],
      'does not know the value "AWS_IAM" of the property AuthorizationType',
    ],
    [
      'a missing property',
      [authorizer({ AuthorizerUri: undefined })],
      'the property AuthorizerUri is missing',
    ],
    ['an authorizer type', [authorizer({ Type: 'REQUEST' })], 'the value "REQUEST" of the property Type'],
    [
      'a missing authorizer',
      [method('root', 'GET', { AuthorizationType: 'CUSTOM', AuthorizerId: 'none' })],
      'its authorizer is not in the same API',
    ],
    ['a missing resource', [method('none', 'GET')], 'its resource is not in the same API'],
    [
      'a missing API',
      [resource('GatewayResponse', 'X', { RestApiId: 'none', ResponseType: 'THROTTLED' })],
      'no API',
    ],
    [
      'a gateway response type',
      [gatewayResponse('TEAPOT')],
      'the value "TEAPOT" of the property ResponseType',
    ],
    [
      'an EDGE endpoint',
      [resource('RestApi', 'Edge', { EndpointConfiguration: { Types: ['EDGE'] } })],
      'the value "EDGE" of the property EndpointConfiguration.Types.0',
    ],
    ['a path part', [path('x', 'root', '{a}b')], 'the value "{a}b" of the property PathPart'],
    [
      'a variable in a gateway response',
      [gatewayResponse('THROTTLED', { ResponseTemplates: { 'application/json': '$context.status' } })],
      'does not know the variable $context.status in a gateway response',
    ],
    [
      'a media type of a gateway response',
      [gatewayResponse('THROTTLED', { ResponseTemplates: { 'text/html': '' } })],
      'does not know the property ResponseTemplates.text/html',
    ],
    [
      'an expression of a header',
      [gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.header.Retry-After': '1' } })],
      'does not know the expression 1 of the header Retry-After',
    ],
    [
      'a response parameter',
      [gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.body.x': "'1'" } })],
      'does not know the response parameter gatewayresponse.body.x',
    ],
    [
      'VTL directives',
      [mock({ RequestTemplates: { 'application/json': '#set($x = 1){"statusCode": 200}' } })],
      'does not know the template construct #set in a mapping template',
    ],
    [
      'VTL variables',
      [mock({ RequestTemplates: { 'application/json': "$input.json('$')" } })],
      'does not know the template construct $input in a mapping template',
    ],
    [
      'a status without method response',
      [mock({ IntegrationResponses: [{ StatusCode: '404' }] })],
      'no MethodResponse announces the status 404',
    ],
    [
      'a header without method response',
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
      'the MethodResponse 404 does not announce method.response.header.A',
    ],
    [
      'a selection pattern',
      [
        mock(
          { IntegrationResponses: [{ StatusCode: '404', SelectionPattern: '(' }] },
          { MethodResponses: [{ StatusCode: '404' }] },
        ),
      ],
      'does not know the regular expression (',
    ],
  ];

  test.each(cases)('%s', async (_, resources, message) => {
    await expect(serve([...api(), ...resources])).rejects.toThrow(message);
  });

  test('a variable in the access log', async () => {
    await expect(serve(logFormat('$context.requestId $context.moonPhase'))).rejects.toThrow(
      'Petstore-Test/Stageabcdefghij (AWS::ApiGateway::Stage): ' +
        'the local runtime does not know the variable $context.moonPhase in the access log format',
    );
  });

  test('nothing of other services, and nothing that has no effect here', async () => {
    const foreign = { ...resource('RestApi', 'Table', { Anything: 1 }), type: 'AWS::DynamoDB::Table' };
    const deployment = resource('Deployment', 'D', { RestApiId: API_ID, Description: 'x' });
    const account = resource('Account', 'A', { CloudWatchRoleArn: 'arn' });
    await expect(serve([foreign, deployment, account, ...api()])).resolves.toBeDefined();
  });
});

test('200: an access log that cannot be written does not take the answer with it', async () => {
  const warned = new Promise(resolve => process.once('warning', resolve));
  const setting = { AccessLogSetting: { DestinationArn: 'arn', Format: '$context.requestId' } };
  const served = await serve([...api(setting), ...onePet()]);
  served.logLines.push = () => {
    throw new Error('disk full');
  };
  expect((await served.send('/test/pets/7')).status).toBe(200);
  expect(await warned).toMatchObject({ message: 'disk full' });
});
