import {
  type Change,
  type Data,
  REMOVED,
  type Resource,
  type Rules,
  type Template,
  withAttribute,
  without,
  withoutAttribute,
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
    withValue('authorized by IAM', 'AWS_IAM', 'AuthorizationType'),
    withValue('no API key required', false, 'ApiKeyRequired'),
    withValue('another method', 'PATCH', 'HttpMethod'),
    withValue('another function', uriOfAnother, 'Integration', 'Uri'),
    withValue('not a proxy', 'AWS', 'Integration', 'Type'),
    withValue('a time-out of a second', 1000, 'Integration', 'TimeoutInMillis'),
  ];
}

/** Of some dozens that a mock method has a template for. */
const SOME_MEDIA_TYPES = ['application/json', 'text/plain', 'multipart/form-data'];

/** The methods that the gateway serves itself: 204, 404 and 405. */
function refusalChanges({ Properties }: Resource): Change[] {
  const { Integration } = Properties;
  const [response] = Integration.IntegrationResponses;
  const path = ['Integration'];
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
        'MethodResponses',
        0,
        'ResponseParameters',
        header,
      ),
    ]),
    ...SOME_MEDIA_TYPES.map(type =>
      without(`no request of a media type (${type})`, ...path, 'RequestTemplates', type),
    ),
  ];
}

/** The settings of a stage for all methods, or for one. */
function methodSettingChanges(setting: Data, index: number): Change[] {
  const of = `${setting.HttpMethod} ${setting.ResourcePath}`;
  const path = ['MethodSettings', index];
  return [
    without(`no settings (${of})`, ...path),
    withValue(`another rate (${of})`, 50_000, ...path, 'ThrottlingRateLimit'),
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
  'AWS::ApiGateway::RestApi': ({ Properties: { DisableExecuteApiEndpoint: isClosed = false } }) => [
    withValue('API keys from a header', 'HEADER', 'ApiKeySourceType'),
    without('no key source', 'ApiKeySourceType'),
    without('no binary media types', 'BinaryMediaTypes'),
    withValue('at the edge', { Types: ['EDGE'] }, 'EndpointConfiguration'),
    without('no IPv6 addresses', 'EndpointConfiguration', 'IpAddressType'),
    without('TLS 1.0', 'SecurityPolicy'),
    withValue(`its own URL ${isClosed ? 'open' : 'closed'}`, !isClosed, 'DisableExecuteApiEndpoint'),
    withValue('compresses', 0, 'MinimumCompressionSize'),
    withValue(
      'a policy for everybody',
      { Statement: [{ Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: '*' }] },
      'Policy',
    ),
  ],
  'AWS::ApiGateway::Account': () => [
    without('no role for logs', 'CloudWatchRoleArn'),
    withAttribute('deleted with the stack', 'Delete', 'DeletionPolicy'),
  ],
  'AWS::ApiGateway::Deployment': ({ DependsOn = [] }) =>
    DependsOn.filter(id => /GET|POST|Authorizer|UNAUTHORIZED/.test(id)).map((id): Change => {
      const name = id.replace(/[0-9A-F]{8}$/, '');
      return withoutAttribute(`deployed before a part (${name})`, 'DependsOn', DependsOn.indexOf(id));
    }),
  'AWS::ApiGateway::Stage': ({ Properties, DependsOn = [] }) => {
    const format = JSON.parse(Properties.AccessLogSetting.Format);
    return [
      ...Properties.MethodSettings.flatMap(methodSettingChanges),
      without('no access log', 'AccessLogSetting'),
      ...Object.keys(format).map(field => {
        const { [field]: _, ...others } = format;
        const text = JSON.stringify(others);
        return withValue(`not in the access log (${field})`, text, 'AccessLogSetting', 'Format');
      }),
      withValue(
        'the whole path logged',
        JSON.stringify({ ...format, path: '$context.path' }),
        'AccessLogSetting',
        'Format',
      ),
      withValue('responses cached', true, 'CacheClusterEnabled'),
      withValue('another name', 'other', 'StageName'),
      ...DependsOn.map((_, index) => withoutAttribute(`a dependency less (${index})`, 'DependsOn', index)),
    ];
  },
  'AWS::ApiGateway::Resource': () => [withValue('another path', 'other', 'PathPart')],
  'AWS::ApiGateway::Method': (resource, template) =>
    resource.Properties.Integration.Type === 'MOCK'
      ? refusalChanges(resource)
      : operationChanges(resource, template),
  'AWS::ApiGateway::UsagePlan': ({ Properties: { Throttle } }) => [
    without('no throttle', 'Throttle'),
    withValue('no limit of rate', { BurstLimit: Throttle.BurstLimit }, 'Throttle'),
    withValue('10 times the rate', Throttle.RateLimit * 10, 'Throttle', 'RateLimit'),
    withValue('10 times the burst', Throttle.BurstLimit * 10, 'Throttle', 'BurstLimit'),
    withValue('a quota', { Limit: 1000, Period: 'DAY' }, 'Quota'),
    without('no stage', 'ApiStages'),
  ],
  'AWS::ApiGateway::Authorizer': () => [
    withValue('results not cached', 0, 'AuthorizerResultTtlInSeconds'),
    withValue('results cached for an hour', 3600, 'AuthorizerResultTtlInSeconds'),
    without('asked for every text', 'IdentityValidationExpression'),
    withValue('asked for every key', '^Bearer .+$', 'IdentityValidationExpression'),
    withValue('asked for no key', '^never$', 'IdentityValidationExpression'),
    withValue('reads another header', 'method.request.header.X-Api-Key', 'IdentitySource'),
    withValue('reads the whole request', 'REQUEST', 'Type'),
  ],

  'AWS::ApiGateway::GatewayResponse': ({ Properties }) => [
    REMOVED,
    withValue('another status', '418', 'StatusCode'),
    without('the status of AWS', 'StatusCode'),
    withValue(
      'another body',
      '{"message":$context.error.messageString}',
      'ResponseTemplates',
      'application/json',
    ),
    without('the body of AWS', 'ResponseTemplates'),
    ...Object.keys(Properties.ResponseParameters).map(header =>
      without(`no header (${header.split('.').at(-1)})`, 'ResponseParameters', header),
    ),
    withoutAttribute('created at once with all others', 'DependsOn'),
  ],
};
