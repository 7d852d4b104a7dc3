import {
  type Change,
  type Data,
  type Resource,
  type Rules,
  type Template,
  without,
  withValue,
} from '../template-mutant.ts';

/** The methods that a function serves. */
function operationChanges({ Properties }: Resource, template: Template): Change[] {
  const uriOfAnother = Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::ApiGateway::Method')
    .map(method => method.Properties.Integration.Uri)
    .find(uri => uri !== undefined && JSON.stringify(uri) !== JSON.stringify(Properties.Integration.Uri));
  return [
    {
      what: 'no authorizer',
      edits: [
        { path: ['Properties', 'AuthorizationType'], value: 'NONE' },
        { path: ['Properties', 'AuthorizerId'] },
      ],
    },
    withValue('authorized by IAM', 'AWS_IAM', 'Properties', 'AuthorizationType'),
    withValue('no API key required', false, 'Properties', 'ApiKeyRequired'),
    withValue('another method', 'PATCH', 'Properties', 'HttpMethod'),
    withValue('another function', uriOfAnother, 'Properties', 'Integration', 'Uri'),
    withValue('not a proxy', 'AWS', 'Properties', 'Integration', 'Type'),
    withValue('a time-out of a second', 1000, 'Properties', 'Integration', 'TimeoutInMillis'),
  ];
}

/** Of some dozens that a mock method has a template for. */
const SOME_MEDIA_TYPES = ['application/json', 'text/plain', 'multipart/form-data'];

/** The methods that the gateway serves itself: 204, 404 and 405. */
function refusalChanges({ Properties }: Resource): Change[] {
  const { Integration } = Properties;
  const [response] = Integration.IntegrationResponses;
  const path = ['Properties', 'Integration'];
  const responsePath = [...path, 'IntegrationResponses', 0];
  return [
    withValue('passes other media types through', 'WHEN_NO_MATCH', ...path, 'PassthroughBehavior'),
    without('binary response', ...responsePath, 'ContentHandling'),
    without('binary request', ...path, 'ContentHandling'),
    withValue('another status', '200', ...responsePath, 'StatusCode'),
    withValue('another body', '{}', ...responsePath, 'ResponseTemplates', 'application/json'),
    ...Object.keys(response.ResponseParameters).flatMap(header => [
      without(`no header (${header.split('.').at(-1)})`, ...responsePath, 'ResponseParameters', header),
      without(
        `undeclared header (${header.split('.').at(-1)})`,
        ...['Properties', 'MethodResponses', 0, 'ResponseParameters', header],
      ),
    ]),
    ...SOME_MEDIA_TYPES.map(type =>
      without(`no request of a media type (${type})`, ...path, 'RequestTemplates', type),
    ),
  ];
}

/** The settings of a stage for all methods, or for one. */
function methodSettingChanges(setting: Data, index: number): Change[] {
  const of = `${setting.HttpMethod} ${setting.ResourcePath.replace(/scalar-\w+/, 'scalar')}`;
  const path = ['Properties', 'MethodSettings', index];
  return [
    without(`no settings (${of})`, ...path),
    withValue(`10 times the rate (${of})`, setting.ThrottlingRateLimit * 10, ...path, 'ThrottlingRateLimit'),
    without(`no limit of rate (${of})`, ...path, 'ThrottlingRateLimit'),
    without(`no limit of burst (${of})`, ...path, 'ThrottlingBurstLimit'),
    withValue(`bodies logged (${of})`, true, ...path, 'DataTraceEnabled'),
    withValue(`every step logged (${of})`, 'INFO', ...path, 'LoggingLevel'),
    withValue(`errors not logged (${of})`, 'OFF', ...path, 'LoggingLevel'),
    withValue(`no metrics (${of})`, false, ...path, 'MetricsEnabled'),
  ];
}

/** APIs, their stages, methods, authorizer and usage plan. */
export const apiChanges: Rules = {
  'AWS::ApiGateway::RestApi': () => [
    withValue('API keys from a header', 'HEADER', 'Properties', 'ApiKeySourceType'),
    without('no key source', 'Properties', 'ApiKeySourceType'),
    without('no binary media types', 'Properties', 'BinaryMediaTypes'),
    withValue('at the edge', { Types: ['EDGE'] }, 'Properties', 'EndpointConfiguration'),
    withValue('without its own address', true, 'Properties', 'DisableExecuteApiEndpoint'),
    withValue('compresses', 0, 'Properties', 'MinimumCompressionSize'),
    withValue(
      'a policy for everybody',
      { Statement: [{ Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: '*' }] },
      ...['Properties', 'Policy'],
    ),
  ],
  'AWS::ApiGateway::Account': () => [
    without('no role for logs', 'Properties', 'CloudWatchRoleArn'),
    withValue('deleted with the stack', 'Delete', 'DeletionPolicy'),
  ],
  'AWS::ApiGateway::Deployment': ({ DependsOn = [] }) =>
    DependsOn.filter(id => /GET|POST|Authorizer|UNAUTHORIZED/.test(id)).map((id): Change => {
      const name = id.replace(/[0-9A-F]{8}$/, '').replace(/scalar[0-9a-f]{12}js/, 'scalarjs');
      return without(`deployed before a part (${name})`, 'DependsOn', DependsOn.indexOf(id));
    }),
  'AWS::ApiGateway::Stage': ({ Properties, DependsOn = [] }) => {
    const format = JSON.parse(Properties.AccessLogSetting.Format);
    return [
      ...Properties.MethodSettings.flatMap(methodSettingChanges),
      without('no access log', 'Properties', 'AccessLogSetting'),
      ...Object.keys(format).map(field => {
        const { [field]: _, ...others } = format;
        const text = JSON.stringify(others);
        return withValue(
          `not in the access log (${field})`,
          text,
          'Properties',
          'AccessLogSetting',
          'Format',
        );
      }),
      withValue(
        'the whole path logged',
        JSON.stringify({ ...format, path: '$context.path' }),
        ...['Properties', 'AccessLogSetting', 'Format'],
      ),
      withValue('responses cached', true, 'Properties', 'CacheClusterEnabled'),
      withValue('another name', 'other', 'Properties', 'StageName'),
      ...DependsOn.map((_, index) => without(`a dependency less (${index})`, 'DependsOn', index)),
    ];
  },
  'AWS::ApiGateway::Resource': () => [withValue('another path', 'other', 'Properties', 'PathPart')],
  'AWS::ApiGateway::Method': (resource, template) =>
    resource.Properties.Integration.Type === 'MOCK'
      ? refusalChanges(resource)
      : operationChanges(resource, template),
  'AWS::ApiGateway::UsagePlan': ({ Properties: { Throttle } }) => [
    without('no throttle', 'Properties', 'Throttle'),
    withValue('no limit of rate', { BurstLimit: Throttle.BurstLimit }, 'Properties', 'Throttle'),
    withValue('10 times the rate', Throttle.RateLimit * 10, 'Properties', 'Throttle', 'RateLimit'),
    withValue('10 times the burst', Throttle.BurstLimit * 10, 'Properties', 'Throttle', 'BurstLimit'),
    withValue('a quota', { Limit: 1000, Period: 'DAY' }, 'Properties', 'Quota'),
    without('no stage', 'Properties', 'ApiStages'),
  ],
  'AWS::ApiGateway::Authorizer': () => [
    withValue('results not cached', 0, 'Properties', 'AuthorizerResultTtlInSeconds'),
    withValue('results cached for an hour', 3600, 'Properties', 'AuthorizerResultTtlInSeconds'),
    without('asked for every text', 'Properties', 'IdentityValidationExpression'),
    withValue('asked for every key', '^Bearer .+$', 'Properties', 'IdentityValidationExpression'),
    withValue('asked for no key', '^never$', 'Properties', 'IdentityValidationExpression'),
    withValue('reads another header', 'method.request.header.X-Api-Key', ...['Properties', 'IdentitySource']),
    withValue('reads the whole request', 'REQUEST', 'Properties', 'Type'),
  ],

  'AWS::ApiGateway::GatewayResponse': ({ Properties }) => [
    { what: 'removed', edits: [{ path: [] }] },
    withValue('another status', '418', 'Properties', 'StatusCode'),
    without('the status of AWS', 'Properties', 'StatusCode'),
    withValue(
      'another body',
      '{"message":$context.error.messageString}',
      ...['Properties', 'ResponseTemplates', 'application/json'],
    ),
    without('the body of AWS', 'Properties', 'ResponseTemplates'),
    ...Object.keys(Properties.ResponseParameters).map(header =>
      without(`no header (${header.split('.').at(-1)})`, 'Properties', 'ResponseParameters', header),
    ),
  ],
};
