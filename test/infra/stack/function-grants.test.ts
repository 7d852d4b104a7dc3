import { describe, expect, test } from 'vitest';
import { detailTypeOf } from '../../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../../shared/domains/life/domain-status.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import {
  grantsOf,
  nameOf,
  operationFunctions,
  placeOf,
  resourcesOf,
  STACKS,
  type Template,
  type TemplateResource,
  templateOf,
} from './templates.ts';

/** The API Gateway API, with the parts of its ARN that differ from place to place. */
const GATEWAY = 'arn:<AWS::Partition>:apigateway:<AWS::Region>::';

const KEY_TAGS = `${GATEWAY}/tags/arn%3A<AWS::Partition>%3Aapigateway%3A<AWS::Region>%3A%3A%2Fapikeys%2F*`;
const DOMAIN_TAGS = KEY_TAGS.replace('apikeys', 'domainnames');
const DOMAIN_NAMES = `${GATEWAY}/domainnames`;
const CERTIFICATES = 'arn:<AWS::Partition>:acm:<AWS::Region>:<AWS::AccountId>:certificate/*';
const NEW_CERTIFICATE = CERTIFICATES.replace('*', '?');
const ZONE = 'route53:ChangeResourceRecordSets on arn:<AWS::Partition>:route53:::hostedzone/DomainsZone';
const LISTS_RECORDS = ZONE.replace('Change', 'List');
const EXECUTIONS = 'arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:DomainFlow';

const onTable = (table: string, ...actions: string[]) =>
  actions.map(action => `dynamodb:${action} on ${table}`);
const onDomains = (...actions: string[]) => onTable('DomainsTable', ...actions);
const onProjects = (...actions: string[]) => onTable('ProjectsTable', ...actions);
const onKeys = (...actions: string[]) => onTable('ApiKeysTable', ...actions);

/** What every function may do that checks domains. */
const STEP = [`acm:DescribeCertificate on ${CERTIFICATES}`, ...onDomains('GetItem', 'PutItem')];
const FINDS_CERTIFICATES = [
  'acm:ListCertificates on *',
  `acm:ListTagsForCertificate on ${CERTIFICATES}`,
  `acm:DeleteCertificate on ${CERTIFICATES}`,
];
const REQUESTS_CERTIFICATES = [
  ...FINDS_CERTIFICATES,
  'acm:RequestCertificate on *',
  `acm:AddTagsToCertificate on ${NEW_CERTIFICATE}`,
];
const READS_NAMES = `apigateway:GET on ${DOMAIN_NAMES}/*`;
const ROUTES_DOMAINS = [
  READS_NAMES,
  `apigateway:DELETE on ${DOMAIN_NAMES}/*/basepathmappings/*`,
  `apigateway:PATCH on ${DOMAIN_NAMES}/*/basepathmappings/*`,
  `apigateway:POST on ${DOMAIN_NAMES}/*/basepathmappings`,
];

const CREATES_LINKED_ROLE =
  'iam:CreateServiceLinkedRole on arn:<AWS::Partition>:iam::<AWS::AccountId>:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';
const CREATES_NAMES = [
  `apigateway:POST on ${DOMAIN_NAMES}`,
  `apigateway:PATCH on ${DOMAIN_NAMES}/*`,
  `apigateway:PUT on ${DOMAIN_TAGS}`,
  CREATES_LINKED_ROLE,
];

const PUTS_EVENTS =
  'events:PutEvents on arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/default';

const STARTS_FLOWS = [
  'states:StartExecution on DomainFlowRemove',
  'states:StartExecution on DomainFlowVerify',
  `states:StopExecution on ${EXECUTIONS}Verify:*`,
  `states:DescribeExecution on ${EXECUTIONS}Remove:*`,
];

const CLOSES_ENDPOINT = ['GET', 'PATCH'].flatMap(method => [
  `apigateway:${method} on ${GATEWAY}/restapis/PublicApi`,
  `apigateway:${method} on ${GATEWAY}/restapis/PublicApi/stages/<stage>`,
]);

const CREATES_KEYS = [
  `apigateway:GET on ${GATEWAY}/apikeys`,
  `apigateway:POST on ${GATEWAY}/apikeys`,
  `apigateway:PUT on ${KEY_TAGS}`,
  `apigateway:GET on ${GATEWAY}/usageplans/PublicApiUsagePlan/keys`,
  `apigateway:POST on ${GATEWAY}/usageplans/PublicApiUsagePlan/keys`,
];

/** What `petstore doctor` and `petstore smoke` need. */
const CHECK = [
  ...STEP,
  ...REQUESTS_CERTIFICATES,
  ...ROUTES_DOMAINS,
  'dynamodb:Query on DomainsTable/index/byProject',
  ...onDomains('Scan', 'UpdateItem', 'ConditionCheckItem', 'Query', 'DeleteItem'),
  ...onProjects('ConditionCheckItem', 'GetItem', 'PutItem', 'Scan', 'UpdateItem'),
  ZONE,
  LISTS_RECORDS,
  ZONE.replace('ChangeResourceRecordSets', 'GetHostedZone'),
  ...STARTS_FLOWS,
  `apigateway:DELETE on ${GATEWAY}/apikeys/*`,
  `apigateway:DELETE on ${GATEWAY}/restapis/PublicApi/stages/<stage>/cache/authorizers`,
  ...CREATES_KEYS,
  ...onKeys('DeleteItem', 'GetItem', 'PutItem', 'Scan', 'UpdateItem'),
  ...onTable('OperatorAudit', 'GetItem', 'PutItem'),
];

/** What each function other than the operations may do besides writing its own log, and where. All else is forbidden. */
const GRANTS: Record<string, string[]> = {
  DocsGetOpenapi: [],
  DocsGetReference: [],
  ProjectsRecordDeploy: onProjects('UpdateItem'),
  ProjectsReconcileEndpoint: [
    ...onProjects('Scan', 'GetItem', 'UpdateItem'),
    'cloudformation:DescribeStacks on <AWS::StackId>',
    ...CLOSES_ENDPOINT,
    ...STEP,
    ...onDomains('Query', 'UpdateItem'),
    ...REQUESTS_CERTIFICATES,
    ...CREATES_NAMES,
    ...ROUTES_DOMAINS,
    ZONE,
    ZONE,
    LISTS_RECORDS,
  ],
  DomainFlowCheckDns: [...STEP, ...onDomains('UpdateItem'), ...onProjects('GetItem', 'UpdateItem')],
  DomainFlowCheckCertificate: [...STEP, ...REQUESTS_CERTIFICATES],
  DomainFlowRecordFailure: onDomains('GetItem', 'PutItem'),
  DomainFlowAttachDomain: [
    ...STEP,
    ...ROUTES_DOMAINS,
    ...CREATES_NAMES,
    ...onDomains('UpdateItem'),
    ...onProjects('GetItem', 'UpdateItem'),
    ZONE,
  ],
  DomainFlowTakeDown: [
    ...onDomains('GetItem', 'PutItem', 'UpdateItem'),
    ...FINDS_CERTIFICATES,
    READS_NAMES,
    `apigateway:DELETE on ${DOMAIN_NAMES}/*`,
    ZONE,
    LISTS_RECORDS,
  ],
  DomainFlowForgetDomain: onDomains('GetItem', 'PutItem', 'DeleteItem', 'UpdateItem'),
  DomainEventsPublishEvents: [...onDomains('Query', 'DeleteItem'), PUTS_EVENTS],
  DomainChecksRecheckDomains: [
    `acm:DescribeCertificate on ${CERTIFICATES}`,
    ...onDomains('PutItem', 'Scan'),
    ...onProjects('GetItem', 'UpdateItem'),
    READS_NAMES,
    LISTS_RECORDS,
  ],
  DomainChecksReconcileDomains: [
    ...STEP,
    ...REQUESTS_CERTIFICATES,
    ...STARTS_FLOWS,
    `states:DescribeExecution on ${EXECUTIONS}Verify:*`,
    ...ROUTES_DOMAINS,
    ...onDomains('Scan'),
    ...onProjects('GetItem', 'Scan', 'UpdateItem'),
    ZONE,
    LISTS_RECORDS,
  ],
  RedirectsRedirect: [...onDomains('GetItem'), ...onProjects('GetItem')],
  ApiKeysAuthorize: onKeys('UpdateItem'),
  ApiKeysReconcileKeys: [
    ...onKeys('Scan'),
    `apigateway:GET on ${GATEWAY}/apikeys`,
    `apigateway:DELETE on ${GATEWAY}/apikeys/*`,
  ],
  MonitoringCanaryCallApi: [
    'secretsmanager:GetSecretValue on MonitoringCanarySecret',
    ...onProjects('Scan'),
    ...onKeys('GetItem', 'PutItem'),
    ...CREATES_KEYS,
  ],
  OperatorCheck: CHECK,
  OperatorOperate: [
    ...CHECK,
    ZONE,
    `apigateway:DELETE on ${DOMAIN_NAMES}/*`,
    `apigateway:GET on ${GATEWAY}/restapis/*/stages/*`,
    ...CLOSES_ENDPOINT,
    ...onTable('OrdersTable', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    ...onTable('PetsTable', 'UpdateItem'),
    'dynamodb:Query on OperatorAudit/index/byTime',
    'dynamodb:Query on OrdersTable/index/byStatus',
  ],
};

function isTable({ Resources }: Template, value: unknown): boolean {
  const { Ref = '' } = value as { Ref?: string };
  return Resources[Ref]?.Type === 'AWS::DynamoDB::Table';
}

describe.each(STACKS)('the grants of the functions of %s', stack => {
  const template = templateOf(stack);
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const grantsTo = ({ Properties: { Role } }: TemplateResource) =>
    grantsOf(template)
      .filter(({ role }) => role === nameOf(Role['Fn::GetAtt'][0]))
      .map(({ grant }) => grant)
      .toSorted();

  test.each(Object.entries(GRANTS))('%s may do what it needs and nothing else', (name, grants) => {
    const lambda = functions.get(`${name}Function`) as TemplateResource;
    const ownLog = [`logs:CreateLogStream on ${name}Logs`, `logs:PutLogEvents on ${name}Logs`];
    const here = grants.map(grant => grant.replace('<stage>', stack.replace('Petstore-', '').toLowerCase()));
    expect(grantsTo(lambda)).toEqual([...here, ...ownLog].toSorted());
  });

  const operations = operationFunctions(template);

  // Which grants an operation needs is declared beside its route. The service tests fail if it has too few, and the run
  // of all tests if it has one that it never uses.
  test.each(OPERATIONS.map(({ name, scope }, index) => [name, scope, String(operations[index])] as const))(
    '%s, with the scope %s, may use its own tables by their keys and nothing else',
    (_, scope, functionName) => {
      const lambda = functions.get(functionName) as TemplateResource;
      const logs = functionName.replace(/Function$/, 'Logs');
      const ownLog = [`logs:CreateLogStream on ${logs}`, `logs:PutLogEvents on ${logs}`];
      const grants = grantsTo(lambda);
      expect(grants).toEqual(expect.arrayContaining(ownLog));
      const variables = Object.values<object>(lambda.Properties.Environment.Variables);
      const tables = variables.filter(value => isTable(template, value)).map(placeOf);
      const used = grants.filter(grant => !ownLog.includes(grant)).map(grant => grant.split(' on '));
      const actions = scope.endsWith(':read')
        ? ['GetItem', 'Query']
        : ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'];
      for (const [action = '', place = ''] of used) {
        expect(actions.map(name => `dynamodb:${name}`)).toContain(action);
        expect(tables).toContain(place.replace(/\/index\/\w+$/, ''));
      }
      for (const table of tables) expect(used.map(([, place]) => place)).toContain(table);
    },
  );

  test('no other function has a role without its grants being listed here', () => {
    const listed = Object.keys(GRANTS).map(name => `${name}Function`);
    expect([...functions.keys()].toSorted()).toEqual([...listed, ...operations].toSorted());
  });
});

describe.each(STACKS)('the conditions of the grants of %s', stack => {
  const template = templateOf(stack);
  const stage = stack.replace('Petstore-', '').toLowerCase();
  const [zone] = [...resourcesOf(template, 'AWS::Route53::HostedZone').values()];
  const platformDomain = String(zone?.Properties.Name).replace(/\.$/, '');
  const grants = grantsOf(template);

  const isCreatedAsOwn = { StringEquals: { 'aws:RequestTag/petstore:environment': stage } };
  const isOwn = { StringEquals: { 'aws:ResourceTag/petstore:environment': stage } };
  const isNotForeign = { StringEqualsIfExists: isOwn.StringEquals };
  const types = 'route53:ChangeResourceRecordSetsRecordTypes';
  const names = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';

  /** Every grant that depends on the request or on the tags of the resource, and on what. */
  const CONDITIONS: Record<string, unknown> = {
    [`apigateway:POST on ${GATEWAY}/apikeys`]: isCreatedAsOwn,
    [`apigateway:PUT on ${KEY_TAGS}`]: isNotForeign,
    [`apigateway:DELETE on ${GATEWAY}/apikeys/*`]: isOwn,
    [`apigateway:POST on ${GATEWAY}/domainnames`]: isCreatedAsOwn,
    [`apigateway:PUT on ${DOMAIN_TAGS}`]: isNotForeign,
    [`apigateway:PATCH on ${GATEWAY}/domainnames/*`]: isOwn,
    [`apigateway:DELETE on ${GATEWAY}/domainnames/*`]: isOwn,
    [`apigateway:PATCH on ${GATEWAY}/domainnames/*/basepathmappings/*`]: isOwn,
    [`apigateway:DELETE on ${GATEWAY}/domainnames/*/basepathmappings/*`]: isOwn,
    [`acm:DeleteCertificate on ${CERTIFICATES}`]: isOwn,
    [`acm:AddTagsToCertificate on ${NEW_CERTIFICATE}`]: isCreatedAsOwn,
    'acm:RequestCertificate on *': {
      StringEquals: { ...isCreatedAsOwn.StringEquals, 'acm:ValidationMethod': 'DNS' },
    },
    [PUTS_EVENTS]: {
      'ForAllValues:StringEquals': {
        'events:source': [`petstore.${stage}`],
        'events:detail-type': EVENT_TYPES.map(detailTypeOf),
      },
      Null: { 'events:source': 'false', 'events:detail-type': 'false' },
    },
    [CREATES_LINKED_ROLE]: {
      StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' },
    },
    // The hosts of custom domains, and those of default URLs.
    [ZONE]: [['CNAME'], ['A', 'AAAA']].map(permitted => ({
      'ForAllValues:StringEquals': { [types]: permitted },
      'ForAllValues:StringLike': { [names]: [`*.${platformDomain}`] },
      Null: { [types]: 'false', [names]: 'false' },
    })),
  };

  test.each(Object.keys(CONDITIONS))('%s has its condition in every role', listed => {
    const found = grants.filter(({ grant }) => grant === listed);
    expect(found.length).toBeGreaterThan(0);
    for (const { condition } of found) expect([CONDITIONS[listed]].flat()).toContainEqual(condition);
  });

  test('no other grant has a condition', () => {
    const conditional = grants.filter(({ condition }) => condition !== undefined).map(({ grant }) => grant);
    expect(new Set(conditional)).toEqual(new Set(Object.keys(CONDITIONS)));
  });
});
