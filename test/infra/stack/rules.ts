import { isDeepStrictEqual as isSame } from 'node:util';
import type { Template } from '../../../infra/local/template.ts';
import {
  grantsOf,
  machinesOf,
  ofType,
  partsOf,
  placeOf,
  routesOf,
  type Statement,
  type TemplateResource,
  type TemplateRoute,
} from '../../../infra/local/template.ts';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import { DYNAMODB_DEADLINE } from '../../../shared/aws/retries.ts';
import { detailTypeOf } from '../../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../../shared/domains/life/domain-status.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { mostAtOnce, prerequisites } from './creation-order.ts';

export interface Synthesized {
  readonly template: Template;
  /** The words in the code of a function. */
  readonly wordsOf: (fn: TemplateResource) => ReadonlySet<string>;
}

/** What breaks a rule, a line each. */
type Faults = (synthesized: Synthesized) => readonly string[];

type Data = TemplateResource['Properties'];

/** The resources of a type for which something doesn't hold. */
function each(
  type: string,
  holds: (properties: Data, name: string, template: Template, resource: TemplateResource) => unknown,
): Faults {
  return ({ template }) =>
    [...ofType(template, type)].flatMap(([name, resource]) =>
      holds(resource.Properties, name, template, resource) ? [] : name,
    );
}

const all =
  (...parts: Faults[]): Faults =>
  synthesized =>
    parts.flatMap(part => part(synthesized));

/** What is there and shouldn't be, and what should be and isn't. */
function differences(what: string, found: Iterable<string>, expected: Iterable<string>): string[] {
  const [is, must] = [new Set(found), new Set(expected)];
  return [
    ...[...is.difference(must)].map(each => `${what}: ${each}`),
    ...[...must.difference(is)].map(each => `${what} lacks ${each}`),
  ];
}

const stageOf = (template: Template): string =>
  partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage')[0]?.Properties.StageName;
const isProduction = (template: Template) => stageOf(template) === 'production';
const functionsOf = (template: Template) => ofType(template, 'AWS::Lambda::Function');
const variablesOf = ({ Properties }: TemplateResource): [string, unknown][] =>
  Object.entries(Properties.Environment?.Variables ?? {});
const operationOf = (fn: string) =>
  OPERATIONS.find(({ name }) => fn.endsWith(`${name.charAt(0).toUpperCase()}${name.slice(1)}Function`));
const idsOf = ({ Resources }: Template, type: RegExp) =>
  Object.keys(Resources).filter(id => type.test(Resources[id]?.Type ?? ''));

/** The service that assumes the role of a resource. */
const ASSUMED_BY: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Account': 'apigateway',
  'AWS::Events::Rule': 'events',
  'AWS::Lambda::Function': 'lambda',
  'AWS::StepFunctions::StateMachine': 'states',
};
const usesRole = (
  { Properties: { Role, RoleArn, CloudWatchRoleArn, Targets = [] } }: TemplateResource,
  name: string,
) =>
  [Role, RoleArn, CloudWatchRoleArn, ...Targets.map((each: Data) => each.RoleArn)].some(
    each => each && placeOf(each) === name,
  );

/** What each role may call, as `DomainFlowTendDomain: acm:DeleteCertificate on acm:certificate/*`. */
const callsOf = (template: Template) =>
  grantsOf(template).map(({ role, action, place, condition }) => {
    const withoutRegion = place
      .replaceAll(/<AWS::(\w+)>/g, '$1')
      .replace(/^arn:[^:]*:([^:]*):[^:]*:[^:]*:/, '$1:');
    const call = `${action} on ${withoutRegion}`;
    const user = role.replace(/Role$/, '');
    return { user, action, place, condition, call, text: `${user}: ${call}` };
  });

const READS = /^dynamodb:(GetItem|Query|Scan|ConditionCheckItem)$/;
const WRITES = /^dynamodb:(PutItem|UpdateItem|DeleteItem)$/;

/** Who may read a table, and who may also write it, besides operations. */
const TABLE_USERS: Readonly<Record<string, { readonly reads?: RegExp; readonly writes: RegExp }>> = {
  ApiKeysTable: {
    reads: /^ApiKeysReconcileKeys$/,
    writes: /^(ApiKeysAuthorize|MonitoringCanaryCallApi|Operator\w+)$/,
  },
  PetsTable: { writes: /^OperatorOperate$/ },
  PetsCreations: { writes: /^Operator\w+$/ },
  OrdersTable: { writes: /^OperatorOperate$/ },
  ProjectsTable: {
    reads: /^(RedirectsRedirect|Setup\w+|MonitoringCanaryCallApi)$/,
    writes: /^(Projects\w+|DomainFlowTendDomain|DomainChecks\w+|Operator\w+)$/,
  },
  DomainsTable: {
    reads: /^(RedirectsRedirect|SetupShowSetup)$/,
    writes:
      /^(ProjectsReconcileEndpoint|SetupAskForLook|DomainFlow\w+|DomainEvents\w+|DomainChecks\w+|Operator\w+)$/,
  },
  OperatorAudit: { writes: /^Operator\w+$/ },
};

const OF_DOMAINS = /^(ProjectsReconcileEndpoint|DomainFlowTendDomain|DomainChecks\w+|Operator\w+)$/;
const OF_KEYS = /^(ApiKeysReconcileKeys|MonitoringCanaryCallApi|Operator\w+)$/;
const MAKES_NAMES = /^(ProjectsReconcileEndpoint|DomainFlowTendDomain)$/;
const OF_ENDPOINT = /^(ProjectsReconcileEndpoint|OperatorOperate)$/;
const STARTS_FLOWS = /^(DomainChecksReconcileDomains|SetupAskForLook|Operator\w+)$/;

/** Who may call what else. A function's own log is its own. */
const CALLERS: readonly (readonly [call: RegExp, users: RegExp])[] = [
  [/^xray:Put(TelemetryRecords|TraceSegments) on \*$/, /./],
  [/^acm:((List|Request)Certificates? on \*|\w+ on acm:certificate\/[*?])$/, OF_DOMAINS],
  [/^route53:\w+ on route53:hostedzone\/\w+$/, OF_DOMAINS],
  [/^apigateway:(GET on apigateway:\/domainnames\/\*|\w+ on \S+\/basepathmappings(\/\*)?)$/, OF_DOMAINS],
  [/^apigateway:(POST|PATCH) on apigateway:\/domainnames(\/\*)?$/, MAKES_NAMES],
  [/^apigateway:PUT on apigateway:\/tags\/arn\S+domainnames%2F\*$/, MAKES_NAMES],
  [/^iam:CreateServiceLinkedRole on iam:role\/aws-service-role\/ops\.apigateway\.\S+$/, MAKES_NAMES],
  [/^apigateway:DELETE on apigateway:\/domainnames\/\*$/, /^(DomainFlowTendDomain|OperatorOperate)$/],
  [
    /^apigateway:\w+ on apigateway:\/(apikeys|usageplans\/\w+\/keys|tags\/arn\S+apikeys%2F)(\/?\*)?$/,
    OF_KEYS,
  ],
  [/^apigateway:(GET|PATCH) on apigateway:\/restapis\/PublicApi(\/stages\/\w+)?$/, OF_ENDPOINT],
  [/^apigateway:GET on apigateway:\/restapis\/\*\/stages\/\*$/, /^OperatorOperate$/],
  [/^apigateway:DELETE on \S+\/PublicApi\/stages\/\w+\/cache\/authorizers$/, /^Operator\w+$/],
  [/^states:StartExecution on DomainFlowTend$/, STARTS_FLOWS],
  [/^states:(Stop|Describe)Execution on states:execution:DomainFlow(Verify|Remove):\*$/, STARTS_FLOWS],
  [/^states:StartExecution on (DomainMail|Protection)$/, /^(DomainMail|Protection)Events$/],
  [/^cloudformation:DescribeStacks on StackId$/, /^(ProjectsReconcileEndpoint|Protection)$/],
  [/^(cloudformation:Update\w+ on StackId|dynamodb:(Describe|Update)Table on \w+)$/, /^Protection$/],
  [/^lambda:InvokeFunction on DomainFlow\w+Function(:\*)?$/, /^DomainFlowTend$/],
  [/^sns:Publish on DomainMailTopic$/, /^DomainMail$/],
  [/^events:PutEvents on events:event-bus\/default$/, /^DomainEventsPublishEvents$/],
  [/^secretsmanager:GetSecretValue on MonitoringCanarySecret$/, /^MonitoringCanaryCallApi$/],
];

/** Wildcards without a condition, and why. */
const WILDCARDS: readonly (readonly [call: RegExp, reason: string])[] = [
  [/^acm:ListCertificates on \*$/, 'a list has no resource'],
  [
    /^acm:(Describe|ListTagsFor)Certificate on acm:certificate\/\*$/,
    'AWS chooses the names; this only reads',
  ],
  [/^apigateway:GET on apigateway:\/domainnames\/\*$/, 'owners choose the names; this only reads'],
  [/^apigateway:GET on apigateway:\/restapis\/\*\/stages\/\*$/, 'a project may be at any API of the account'],
  [/^apigateway:POST on \S+\/domainnames\/\*\/basepathmappings$/, 'a mapping has no tags before it is there'],
  [/^xray:Put\w+ on \*$/, 'traces have no resource'],
  [/^lambda:InvokeFunction on \w+:\*$/, 'the versions of one function'],
  [/^states:\w+ on states:execution:DomainFlow\w+:\*$/, 'the executions of one state machine'],
];

const named = (prefix: string, keys: object, value = (is: unknown) => is) =>
  Object.fromEntries(Object.entries(keys).map(([key, is]) => [`${prefix}${key}`, value(is)]));
/** That a key has these values only, which it also does when it isn't there; and that it is. */
const allOf = (operator: string, prefix: string, keys: object) =>
  Object.keys(keys).length === 0 ? {} : { [`ForAllValues:${operator}`]: named(prefix, keys) };
const absent = (prefix: string, keys: object) => named(prefix, keys, () => 'false');

/** What the grants must depend on that create, change or delete what isn't of the stack. */
function conditionsIn(template: Template): readonly (readonly [call: RegExp, ...conditions: unknown[]])[] {
  const stage = stageOf(template);
  const [zone] = ofType(template, 'AWS::Route53::HostedZone').values();
  const isCreatedAsOwn = { 'aws:RequestTag/petstore:environment': stage };
  const isOwn = { 'aws:ResourceTag/petstore:environment': stage };
  const events = { source: [`petstore.${stage}`], 'detail-type': EVENT_TYPES.map(detailTypeOf) };
  const records = (equal: object, like: object = {}) => ({
    ...allOf('StringEquals', 'route53:ChangeResourceRecordSets', equal),
    ...allOf('StringLike', 'route53:ChangeResourceRecordSets', like),
    Null: absent('route53:ChangeResourceRecordSets', { ...equal, ...like }),
  });
  const below = { NormalizedRecordNames: [`*.${String(zone?.Properties.Name).replace(/\.$/, '')}`] };
  return [
    [/^apigateway:POST on apigateway:\/(apikeys|domainnames)$/, { StringEquals: isCreatedAsOwn }],
    [/^acm:AddTagsToCertificate /, { StringEquals: isCreatedAsOwn }],
    [/^acm:RequestCertificate /, { StringEquals: { ...isCreatedAsOwn, 'acm:ValidationMethod': 'DNS' } }],
    [/^apigateway:PUT on apigateway:\/tags\//, { StringEqualsIfExists: isOwn }],
    [/^apigateway:DELETE on apigateway:\/apikeys\//, { StringEquals: isOwn }],
    [/^apigateway:(PATCH|DELETE) on apigateway:\/domainnames\//, { StringEquals: isOwn }],
    [/^acm:DeleteCertificate /, { StringEquals: isOwn }],
    [/^events:/, { ...allOf('StringEquals', 'events:', events), Null: absent('events:', events) }],
    [/^iam:/, { StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' } }],
    // The hosts of custom domains, and those of default URLs.
    [
      /^route53:Change\w+ on \S+\/DomainsZone$/,
      records({ RecordTypes: ['CNAME'] }, below),
      records({ RecordTypes: ['A', 'AAAA'] }, below),
    ],
    [
      /^route53:Change/,
      records({ RecordTypes: ['A', 'AAAA', 'CNAME', 'TXT'], Actions: ['CREATE', 'DELETE'] }),
    ],
  ];
}

/** The resource that a variable refers to. A name means the same everywhere. */
const REFERENCES: Readonly<Record<string, string>> = {
  API_KEYS_TABLE: 'ApiKeysTable',
  PETS_TABLE: 'PetsTable',
  IDEMPOTENCY_KEYS_TABLE: 'PetsCreations',
  ORDERS_TABLE: 'OrdersTable',
  PROJECTS_TABLE: 'ProjectsTable',
  DOMAINS_TABLE: 'DomainsTable',
  AUDIT_TABLE: 'OperatorAudit',
  REST_API_ID: 'PublicApi',
  REDIRECT_API_ID: 'RedirectsApi',
  CANARY_SECRET_ARN: 'MonitoringCanarySecret',
  USAGE_PLAN_ID: 'PublicApiUsagePlan',
  PLATFORM_ZONE_ID: 'DomainsZone',
  TEND_MACHINE_ARN: 'DomainFlowTend',
};

/** Keys with their types, and projections. DynamoDB can't change them: CONTRIBUTING, *Change an index*, says what to do. */
const DEPLOYED_KEYS: Readonly<Record<string, readonly string[]>> = {
  ApiKeysTable: ['id S'],
  PetsTable: ['shard N, id N', 'byStatus: statusShard S, id N: ALL'],
  PetsCreations: ['request S'],
  OrdersTable: ['list S, id N', 'byStatus: status S, id N: ALL'],
  ProjectsTable: ['id S'],
  DomainsTable: ['domain S, project S', 'byProject: project S, domain S: ALL'],
  OperatorAudit: ['requestId S', 'byTime: log S, at S: ALL'],
};

function keysOf({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] }: Data): string[] {
  const types = new Map(AttributeDefinitions.map((each: Data) => [each.AttributeName, each.AttributeType]));
  const text = (keys: Data[]) =>
    keys.map(({ AttributeName }) => `${AttributeName} ${types.get(AttributeName)}`).join(', ');
  const indexes = GlobalSecondaryIndexes.map((index: Data) => {
    const { NonKeyAttributes, ProjectionType } = index.Projection;
    return `${index.IndexName}: ${text(index.KeySchema)}: ${NonKeyAttributes?.join(', ') ?? ProjectionType}`;
  });
  return [text(KeySchema), ...indexes];
}

const APIS = ['PublicApi', 'RedirectsApi'];
/** The documentation, the proof that a domain leads here, and pages whose link is the key; redirects are for visitors. */
const SETUP_PATH = '/v1/setup/{domain}/{key}';
const OPEN_PATHS = ['/v1/docs', '/v1/openapi.json', '/v1/domain-proof', SETUP_PATH];
const OPEN = [...OPEN_PATHS.flatMap(path => [`GET ${path}`, `HEAD ${path}`]), `POST ${SETUP_PATH}`];
const routeText = ({ method, path }: TemplateRoute) => `${method} ${path}`;

/** Who waits for a function gives up after this time, or starts it again. */
function secondsBeforeEnd(template: Template, name: string): number {
  const periods = [...ofType(template, 'AWS::Events::Rule').values()].flatMap(({ Properties }) => {
    const [, count, unit = ''] = /^rate\((\d+) (minute|day)/.exec(Properties.ScheduleExpression ?? '') ?? [];
    const isTarget = Properties.Targets.some(({ Arn }: Data) => placeOf(Arn) === name);
    return isTarget && count ? Number(count) * (unit === 'day' ? 24 * 60 : 1) * 60 : [];
  });
  // Lambda makes the canary's second attempt after a minute, and ends every function after 15.
  if (name.startsWith('MonitoringCanary')) return 60;
  if (periods.length > 0) return Math.min(...periods, 901);
  // A removal waits for 90 s until the steps before it have ended, the petstore command for 60.
  if (name.startsWith('DomainFlow')) return 90;
  if (name.startsWith('Operator')) return 60;
  // The gateway waits for 29 s, for the authorizer and the operation together.
  return name.startsWith('Projects') ? 29 : 15;
}

/** Statements that refuse what doesn't come by TLS, and for the rest allow only these principals. */
function refusesAllBut(statements: readonly Statement[], isExpected: (statement: Statement) => unknown) {
  const [refused, allowed] = ['Deny', 'Allow'].map(effect =>
    statements.filter(({ Effect }) => Effect === effect),
  );
  const isTlsOnly = refused?.some(
    ({ Principal, Condition }) =>
      /^("\*"|\{"AWS":"\*"\})$/.test(JSON.stringify(Principal)) &&
      isSame(Condition, { Bool: { 'aws:SecureTransport': 'false' } }),
  );
  return isTlsOnly && allowed?.every(isExpected);
}

const isFromAlarms = ({ Principal, Condition }: Statement) => {
  const { ArnLike, StringEquals } = (Condition ?? {}) as Data;
  return (
    isSame(Principal, { Service: 'cloudwatch.amazonaws.com' }) &&
    /:alarm:\*$/.test(placeOf(ArnLike?.['aws:SourceArn'])) &&
    placeOf(StringEquals?.['aws:SourceAccount']) === '<AWS::AccountId>'
  );
};

const REVEALING = /header|query|body|token|override|userAgent|apiKey$|context\.path$|messageString|caller/i;
/** A limit that depends on the region is in the mapping of the stack. */
interface Limit {
  readonly method: string;
  readonly rate: number;
  readonly burst: number;
}

/** The methods that API Gateway counts one by one where a resource has ANY. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What each method of an API may take: its own limit, or that of all others; in us-east-1, if that depends on the region. */
function methodLimits(template: Template, api: string): Limit[] {
  const [stage] = partsOf(template, api, 'AWS::ApiGateway::Stage');
  const numberOf = (value: Data): number => {
    if (typeof value === 'number') return value;
    const [mapping, , key] = value['Fn::FindInMap'];
    return Number((template as Data).Mappings[mapping]['us-east-1'][key]);
  };
  const limits = (stage?.Properties.MethodSettings ?? []).map((each: Data) => ({
    method: `${each.HttpMethod} ${each.ResourcePath.replace(/^\//, '').replaceAll('~1', '/')}`,
    rate: numberOf(each.ThrottlingRateLimit),
    burst: numberOf(each.ThrottlingBurstLimit),
  }));
  const paths = new Set(
    partsOf(template, api, 'AWS::ApiGateway::Method').map(({ Properties }) =>
      JSON.stringify(Properties.ResourceId),
    ),
  );
  const [common, ...own]: Limit[] = limits;
  const others = paths.size * METHODS.length - own.length;
  return [
    ...own,
    ...Array.from({ length: others }, () => common ?? { method: 'none', rate: Infinity, burst: 0 }),
  ];
}

const MOST_RESOURCES = 400;

/**
 * What holds of every template, whatever the snapshot says. What is written out above can't be accepted by a command: who
 * widens it changes this file.
 */
export const RULES: Readonly<Record<string, Faults>> = {
  'an operation uses its own tables by their keys, and writes only with a scope for that': ({ template }) =>
    callsOf(template).flatMap(({ user, action, place, text }) => {
      const operation = operationOf(`${user}Function`);
      if (!operation || !action.startsWith('dynamodb:')) return [];
      const fn = functionsOf(template).get(`${user}Function`);
      const tables = fn ? variablesOf(fn).map(([, value]) => placeOf(value)) : [];
      const isByKey = /:(GetItem|Query)$/.test(action);
      const isPermitted = isByKey || (WRITES.test(action) && !operation.scope.endsWith(':read'));
      return isPermitted && tables.includes(place.replace(/\/index\/\w+$/, '')) ? [] : text;
    }),
  'a table is read and written by those who are named': ({ template }) =>
    callsOf(template).flatMap(({ user, action, place, text }) => {
      if (!READS.test(action) && !WRITES.test(action)) return [];
      const { reads, writes } = TABLE_USERS[place.replace(/\/index\/\w+$/, '')] ?? {};
      const isUser = writes?.test(user) || (READS.test(action) && reads?.test(user));
      return isUser || operationOf(`${user}Function`) ? [] : text;
    }),
  'what isn’t of a table is called by those who are named': ({ template }) =>
    callsOf(template).flatMap(({ user, action, call, text }) => {
      if (READS.test(action) || WRITES.test(action)) return [];
      const isOwnLog = new RegExp(`^logs:(CreateLogStream|PutLogEvents) on ${user}Logs$`).test(call);
      return isOwnLog || CALLERS.some(([of, users]) => of.test(call) && users.test(user)) ? [] : text;
    }),
  'a wildcard has a condition or a reason': ({ template }) =>
    callsOf(template).flatMap(({ condition, call, text }) =>
      !call.includes('*') || condition !== undefined || WILDCARDS.some(([of]) => of.test(call)) ? [] : text,
    ),
  'what isn’t of the stack is created, changed and deleted under its condition only': ({ template }) => {
    const conditions = conditionsIn(template);
    return callsOf(template).flatMap(({ condition, call, text }) => {
      const [, ...permitted] = conditions.find(([of]) => of.test(call)) ?? [];
      return permitted.length === 0 || permitted.some(each => isSame(each, condition)) ? [] : text;
    });
  },
  'a role is assumed by the one service that uses it, and has no policies of others': each(
    'AWS::IAM::Role',
    ({ AssumeRolePolicyDocument, ManagedPolicyArns = [], Policies }, name, { Resources }) => {
      const users = Object.values(Resources).filter(each => ASSUMED_BY[each.Type] && usesRole(each, name));
      const [service, ...otherServices] = new Set(users.map(({ Type }) => ASSUMED_BY[Type]));
      const [{ Condition, ...trust }, ...otherTrust] = AssumeRolePolicyDocument.Statement;
      const Principal = { Service: `${service}.amazonaws.com` };
      const isOwnMachine =
        placeOf(Condition?.StringEquals?.['aws:SourceAccount']) === '<AWS::AccountId>' &&
        /^arn:\S+:states:\S+:stateMachine:\S+$/.test(placeOf(Condition.ArnLike?.['aws:SourceArn']));
      const policies = ManagedPolicyArns.map(placeOf).map((arn: string) => arn.replace(/^.*\//, ''));
      return (
        isSame(trust, { Action: 'sts:AssumeRole', Effect: 'Allow', Principal }) &&
        (service !== 'states' || isOwnMachine) &&
        isSame(policies, service === 'apigateway' ? ['AmazonAPIGatewayPushToCloudWatchLogs'] : []) &&
        isSame([otherServices, otherTrust, Policies], [[], [], undefined])
      );
    },
  ),
  'a function is invoked by its routes, rules and authorizer, and by nothing else': ({ template }) => {
    const ofApi = (api: string) =>
      routesOf(template, api).flatMap(({ fn, method, path }) => {
        const call = `${method === 'ANY' ? '*' : method}${path.replaceAll(/\{[^}]+\}/g, '*') || '/'}`;
        return `${fn} by apigateway at ${api}/${api}DeploymentStage\\w+/${call}`;
      });
    const ofRules = [...ofType(template, 'AWS::Events::Rule')].flatMap(([rule, { Properties }]) =>
      Properties.Targets.map(({ Arn }: Data) => `${placeOf(Arn)} by events at ${rule}`),
    );
    const expected = [
      ...APIS.flatMap(ofApi),
      ...ofRules.filter(line => /^\w+Function /.test(line)),
      'ApiKeysAuthorizeFunction by apigateway at PublicApi/authorizers/PublicApiAuthorizer',
    ];
    const found = [...ofType(template, 'AWS::Lambda::Permission').values()].map(({ Properties }) => {
      const { FunctionName, Principal, SourceArn } = Properties;
      const source = placeOf(SourceArn).replace(/^arn:.*:(?=\w+Api\/)/, '');
      const stage = source.replace(/^(\w+)\/\1DeploymentStage\w+/, '$1/$1DeploymentStage\\w+');
      return `${placeOf(FunctionName)} by ${String(Principal).replace('.amazonaws.com', '')} at ${stage}`;
    });
    return differences('permissions', found, expected);
  },
  'a rule for events takes those of one source and kind, and of CloudFormation those of this stack': each(
    'AWS::Events::Rule',
    ({ EventPattern }) => {
      if (EventPattern === undefined) return true;
      const { source, 'detail-type': kinds, detail } = EventPattern;
      const isOfStack =
        isSame(detail?.['stack-id'], [{ Ref: 'AWS::StackId' }]) &&
        detail['status-details']?.status.length > 0;
      return source?.length === 1 && kinds?.length > 0 && (source[0] !== 'aws.cloudformation' || isOfStack);
    },
  ),
  'a state machine may invoke the functions of its own steps only': ({ template }) =>
    [...machinesOf(template)].flatMap(([name, { States }]) => {
      const steps = Object.values(States).flatMap(({ Parameters }) => Parameters?.FunctionName ?? []);
      const invoked = callsOf(template).filter(
        ({ user, action }) => user === name && action === 'lambda:InvokeFunction',
      );
      return differences(
        name,
        invoked.map(({ place }) => place.replace(/:\*$/, '')),
        steps,
      );
    }),
  'every route is behind the authorizer, by API key, but for the documentation, the proof and redirects': all(
    ({ template }) => {
      const open = APIS.flatMap(api => routesOf(template, api).filter(({ isOpen }) => isOpen));
      const expected = [...OPEN, 'ANY ', 'ANY /{proxy+}'];
      return differences('open', open.map(routeText), expected);
    },
    each('AWS::ApiGateway::Method', ({ AuthorizationType, AuthorizerId, ApiKeyRequired, Integration }) => {
      if (Integration.Type === 'MOCK') return true;
      const isGuarded =
        AuthorizationType === 'CUSTOM' && placeOf(AuthorizerId) === 'PublicApiAuthorizer' && ApiKeyRequired;
      const isProxy = Integration.Type === 'AWS_PROXY' && Integration.TimeoutInMillis === undefined;
      return (isGuarded || AuthorizationType === 'NONE') && isProxy;
    }),
  ),
  'the authorizer is asked for every key of this environment and nothing else, and again after five minutes':
    each('AWS::ApiGateway::Authorizer', (properties, _, template) => {
      const {
        Type,
        IdentitySource,
        IdentityValidationExpression = '',
        AuthorizerResultTtlInSeconds,
      } = properties;
      const isAsked = (token: string) => new RegExp(IdentityValidationExpression).test(`Bearer ${token}`);
      return (
        isSame([Type, IdentitySource], ['TOKEN', 'method.request.header.Authorization']) &&
        isAsked(generateKey('pet_live_')) === isProduction(template) &&
        isAsked(generateKey('pet_test_')) !== isProduction(template) &&
        !isAsked('of news') &&
        AuthorizerResultTtlInSeconds === 300
      );
    }),
  'all methods together take no more than half of an account’s quota, and no open route more than a little':
    all(
      ({ template }) => {
        const limits = APIS.flatMap(api => methodLimits(template, api));
        const sum = (limit: 'rate' | 'burst') => limits.reduce((total, each) => total + each[limit], 0);
        const isOpen = ({ method }: Limit) => OPEN.includes(method);
        return [
          ...(sum('rate') <= 5000 && sum('burst') <= 2500
            ? []
            : [`${sum('rate')}/s, ${sum('burst')} at once`]),
          ...limits
            .filter(each => isOpen(each) && (each.rate > 10 || each.burst > 20))
            .map(({ method }) => method),
          ...differences(
            'open routes',
            limits.filter(isOpen).map(({ method }) => method),
            OPEN,
          ),
        ];
      },
      each('AWS::ApiGateway::UsagePlan', ({ ApiStages, Throttle: { RateLimit, BurstLimit } = {} }) => {
        return ApiStages?.length === 1 && RateLimit <= 200 && BurstLimit <= 1000;
      }),
      // Operators create them.
      each('AWS::ApiGateway::ApiKey', () => false),
    ),
  'an API takes TLS 1.2 and later, has no policy, and redirects at custom domains only': each(
    'AWS::ApiGateway::RestApi',
    ({ SecurityPolicy, Policy, DisableExecuteApiEndpoint = false, EndpointConfiguration }, name) =>
      SecurityPolicy === 'SecurityPolicy_TLS13_1_2_2021_06' &&
      Policy === undefined &&
      DisableExecuteApiEndpoint === (name === 'RedirectsApi') &&
      isSame(EndpointConfiguration.Types, ['REGIONAL']),
  ),
  'a stage logs errors, and for each request a line without what clients send, and caches nothing': each(
    'AWS::ApiGateway::Stage',
    (properties, _, template, { DependsOn = [] }) => {
      const { AccessLogSetting, MethodSettings, RestApiId, StageName, CacheClusterEnabled } = properties;
      const logged: string[] = AccessLogSetting?.Format.match(/\$[\w.]+/g) ?? ['$nothing'];
      // API Gateway logs its errors to a group of this name. One that it creates itself never expires.
      const errorLog = `API-Gateway-Execution-Logs_${placeOf(RestApiId)}/${StageName}`;
      return (
        logged.every(variable => /^\$context\.\w/.test(variable) && !REVEALING.test(variable)) &&
        MethodSettings.every(
          (each: Data) => !each.DataTraceEnabled && each.LoggingLevel === 'ERROR' && each.MetricsEnabled,
        ) &&
        DependsOn.some(id => placeOf(template.Resources[id]?.Properties.LogGroupName) === errorLog) &&
        !CacheClusterEnabled
      );
    },
  ),
  'every stage that logs waits for the account’s role for logs': ({ template }) => {
    const accounts = new Set(idsOf(template, /^AWS::ApiGateway::Account$/));
    const before = prerequisites(template);
    return idsOf(template, /^AWS::ApiGateway::Stage$/).filter(id => before(id).isDisjointFrom(accounts));
  },
  'the variables of a function are those that its code reads': ({ template, wordsOf }) => {
    const functions = [...functionsOf(template)];
    // Optional, and for those alone that a client waits for.
    const deadlines = new Set(['ApiKeysAuthorizeFunction']);
    for (const { isOpen, fn } of routesOf(template, 'PublicApi')) if (!isOpen) deadlines.add(fn);
    const names = new Set(functions.flatMap(([, fn]) => variablesOf(fn).map(([name]) => name)));
    for (const name of Object.keys(REFERENCES)) names.add(name);
    names.delete(DYNAMODB_DEADLINE);
    return functions.flatMap(([name, fn]) => {
      const read = [...names].filter(variable => wordsOf(fn).has(variable));
      if (deadlines.has(name)) read.push(DYNAMODB_DEADLINE);
      return differences(
        name,
        variablesOf(fn).map(([variable]) => variable),
        read,
      );
    });
  },
  'a variable refers to what its name says, and a function knows what its role may use': ({ template }) => {
    const calls = callsOf(template);
    const knowable = new Set(Object.values(REFERENCES));
    return [...functionsOf(template)].flatMap(([name, fn]) => {
      const known = new Map(variablesOf(fn).map(([variable, value]) => [variable, placeOf(value)]));
      const used = calls
        .filter(({ user }) => `${user}Function` === name)
        .flatMap(({ place }) => place.match(/\w+/g) ?? []);
      const unknown = knowable.intersection(new Set(used)).difference(new Set(known.values()));
      const wrong = [...known].filter(([variable, place]) => (REFERENCES[variable] ?? place) !== place);
      return [
        ...wrong.map(([variable]) => `${name}: ${variable}`),
        ...[...unknown].map(place => `${name} lacks ${place}`),
      ];
    });
  },
  'no variable has a secret but that of cursors and proofs, which gives no access, and AWS draws secrets':
    all(
      ({ template }) =>
        [...functionsOf(template)].flatMap(([name, fn]) =>
          variablesOf(fn).flatMap(([variable, value]) => {
            // Who may read the configuration of a function sees the value that a reference was resolved to.
            const isResolved = JSON.stringify(value).includes('{{resolve:');
            const isLiteral = /SECRET|PASSWORD|TOKEN/.test(variable) && typeof value === 'string';
            const isFault = isResolved ? !/^(CURSOR|PROOF)_SECRET$/.test(variable) : isLiteral;
            return isFault ? `${name}: ${variable}` : [];
          }),
        ),
      // Letters of both cases and digits: 43 of them have 256 bits.
      each(
        'AWS::SecretsManager::Secret',
        ({ SecretString, GenerateSecretString: { PasswordLength } = {} }) =>
          SecretString === undefined && PasswordLength >= 43,
      ),
    ),
  'a function ends before who waits for it gives up, and a second after a call that was repeated': each(
    'AWS::Lambda::Function',
    // A call of DynamoDB takes up to five seconds (shared/aws/retries.ts).
    ({ Timeout }, name, template) => Timeout >= 6 && Timeout < secondsBeforeEnd(template, name),
  ),
  'a function has a role, a log group and code of its own': each(
    'AWS::Lambda::Function',
    ({ Role, Code, LoggingConfig, ReservedConcurrentExecutions }, name, template) => {
      const construct = name.replace(/Function$/, '');
      const users = [...functionsOf(template).values()].filter(each => isSame(each.Properties.Code, Code));
      return isSame(
        [placeOf(Role), placeOf(LoggingConfig?.LogGroup), users.length, ReservedConcurrentExecutions],
        [`${construct}Role`, `${construct}Logs`, 1, undefined],
      );
    },
  ),
  'data outlives the stack in production, and everywhere the role by which API Gateway logs': all(
    ...['AWS::DynamoDB::Table', 'AWS::Route53::HostedZone', 'AWS::SecretsManager::Secret'].map(type =>
      each(type, (_, name, template, { DeletionPolicy, UpdateReplacePolicy }) => {
        // The canary would have another key.
        const isKept = isProduction(template) && name !== 'MonitoringCanarySecret';
        const policies = isKept ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
        return isSame([DeletionPolicy, UpdateReplacePolicy], policies);
      }),
    ),
    ...['AWS::ApiGateway::Account', 'AWS::IAM::Role'].map(type =>
      each(type, (_, name, _template, { DeletionPolicy, UpdateReplacePolicy }) =>
        isSame(
          [DeletionPolicy, UpdateReplacePolicy],
          /^PublicApi/.test(name) ? ['Retain', 'Retain'] : [undefined, undefined],
        ),
      ),
    ),
  ),
  'tables and indexes have the keys and projections that are deployed': ({ template }) =>
    [...ofType(template, 'AWS::DynamoDB::Table')].flatMap(([name, { Properties }]) =>
      differences(name, keysOf(Properties), DEPLOYED_KEYS[name] ?? []),
    ),
  'a table can be taken back to any second, is paid by request, and rolls back with a first deploy': each(
    'AWS::DynamoDB::Table',
    (properties, name) => {
      const { PointInTimeRecoverySpecification: recovery, BillingMode, TimeToLiveSpecification } = properties;
      const forgets = ['PetsCreations', 'DomainsTable'].includes(name);
      return (
        recovery?.PointInTimeRecoveryEnabled &&
        BillingMode === 'PAY_PER_REQUEST' &&
        properties.DeletionProtectionEnabled === undefined &&
        isSame(TimeToLiveSpecification, forgets ? { AttributeName: 'expiresAt', Enabled: true } : undefined)
      );
    },
  ),
  'every target has the dead-letter queue, which is encrypted, and keeps events of the rules for two weeks':
    all(
      each(
        'AWS::Events::Rule',
        ({ Targets }, _, template) =>
          Targets.length > 0 &&
          Targets.every(({ DeadLetterConfig }: Data) =>
            ofType(template, 'AWS::SQS::Queue').has(placeOf(DeadLetterConfig?.Arn)),
          ),
      ),
      each(
        'AWS::SQS::Queue',
        ({ SqsManagedSseEnabled, MessageRetentionPeriod }) =>
          SqsManagedSseEnabled && MessageRetentionPeriod === 14 * 86_400,
      ),
      each('AWS::SQS::QueuePolicy', ({ PolicyDocument }, _, template) => {
        const sources = idsOf(template, /^AWS::Events::Rule$/).map(id => ({ 'Fn::GetAtt': [id, 'Arn'] }));
        const isFromRules = ({ Principal, Condition }: Statement) =>
          isSame(Principal, { Service: 'events.amazonaws.com' }) &&
          isSame(Condition, { ArnEquals: { 'aws:SourceArn': sources } });
        return refusesAllBut(PolicyDocument.Statement, isFromRules) && PolicyDocument.Statement.length === 2;
      }),
    ),
  'topics are encrypted, and take messages by TLS, of the account’s alarms only': all(
    each('AWS::SNS::Topic', ({ KmsMasterKeyId }) => KmsMasterKeyId !== undefined),
    each('AWS::SNS::TopicPolicy', ({ PolicyDocument }) =>
      refusesAllBut(PolicyDocument.Statement, isFromAlarms),
    ),
    each(
      'AWS::KMS::Key',
      ({ KeyPolicy: { Statement }, EnableKeyRotation }) =>
        EnableKeyRotation &&
        // By the account's statement its IAM policies apply. Without it nobody could manage the key.
        Statement.some(({ Principal }: Data) => /:root$/.test(placeOf(Principal.AWS))) &&
        Statement.every(
          (each: Statement) => isFromAlarms(each) || /:root$/.test(placeOf((each.Principal as Data).AWS)),
        ),
    ),
  ),
  'logs are kept for 90 days in production, for a week at least elsewhere, and not for ever': each(
    'AWS::Logs::LogGroup',
    ({ RetentionInDays }, _, template) => RetentionInDays >= (isProduction(template) ? 90 : 7),
  ),
  'a deployment waits for every part of its API': each(
    'AWS::ApiGateway::Deployment',
    ({ RestApiId }, _, template, { DependsOn = [] }) => {
      const parts = idsOf(template, /^AWS::ApiGateway::(Authorizer|GatewayResponse|Method|Resource)$/);
      return parts.every(
        id => DependsOn.includes(id) || !isSame(template.Resources[id]?.Properties.RestApiId, RestApiId),
      );
    },
  ),
  'API Gateway’s control plane, which takes 40 calls at once, gets at most 25': all(
    ({ template }) => {
      const most = mostAtOnce(idsOf(template, /^AWS::ApiGateway::/), prerequisites(template));
      return most <= 25 ? [] : [`${most} at once`];
    },
    each(
      'AWS::ApiGateway::GatewayResponse',
      (_, _name, _template, { DependsOn = [] }) => DependsOn.length === 1,
    ),
  ),
  [`a stack has at most ${MOST_RESOURCES} resources`]: ({ template }) => {
    const count = Object.keys(template.Resources).length;
    return count <= MOST_RESOURCES
      ? []
      : [
          `${count}, and CloudFormation refuses 501: serve operations of a noun by one function, or move monitoring to a stack of its own`,
        ];
  },
};
