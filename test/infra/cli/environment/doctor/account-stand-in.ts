import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { acmService } from '../../../../../infra/local/acm/acm-service.ts';
import { Certificates } from '../../../../../infra/local/acm/certificates.ts';
import type { Issuance } from '../../../../../infra/local/acm/issuance.ts';
import { apiGatewayService } from '../../../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../../../infra/local/apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../../../../infra/local/apigateway-control/rest-api-operations.ts';
import { awsEndpoint } from '../../../../../infra/local/aws-api/endpoint.ts';
import { sendJson } from '../../../../../infra/local/aws-api/http-messages.ts';
import type { AwsService } from '../../../../../infra/local/aws-api/service-api.ts';
import { close, listen, originOf } from '../../../../../infra/local/host/http-servers.ts';
import {
  TEST_KEY,
  testCaller,
  unexpectedReport,
} from '../../../../../infra/local/test/aws-api/served-endpoint.ts';
import { sourceVersion } from '../../../../../infra/tools/build-cache.ts';
import type { DomainSummary, EnvironmentState } from '../../../../../shared/operator/contract.ts';

interface Account {
  state: EnvironmentState;
  /** Whether there is a function for checks. */
  hasFunction: boolean;
  stack: { status: string; isProtected: boolean; tableStatus?: string } | undefined;
  /** The resources that CloudFormation finds to differ from the template. */
  drifts: string[];
  tables: Record<string, { recovery: 'ENABLED' | 'DISABLED'; isProtected: boolean }>;
  domains: Partial<DomainSummary>[];
  /** The topics of the stack by their ARNs: the ARNs of their subscriptions by address. */
  topics: Record<string, Record<string, string>>;
  logRole: string | undefined;
  /** The roles of the domains' functions, by logical id. */
  roles: Record<string, string>;
  /** How IAM decides about an action of a role on what an environment has tagged. */
  decide(action: string, tag: string | undefined): string;
  alarms: { AlarmName: string; StateValue: string; ActionsEnabled: boolean; AlarmActions: string[] }[];
  alarmAction: 'Succeeded' | 'Failed';
  /** What was asked of IAM, and the alarms that were set off. */
  readonly simulatedRoles: (string | null)[];
  readonly raisedAlarms: string[];
  concurrency: number;
  domainNameQuota: number;
  readonly denied: Set<string>;
}

export const ALARM_TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
export const DOMAIN_TOPIC =
  'arn:aws:sns:eu-central-1:123456789012:Petstore-Staging-DomainMailTopic3FC9503A-x';

/** Of the stack, which sets it for the account. */
const LOG_ROLE = 'Petstore-Staging-PublicApiCloudWatchRole';

const newAccount = (): Account => ({
  state: {
    version: sourceVersion(),
    platformDomain: 'apps.zoo.dev',
    delegation: { isInPlace: true },
    tables: ['Petstore-Pets'],
    keys: { valid: 1, missing: [], disabled: [], orphans: [], recent: 0 },
    claims: ['claim1'],
  },
  hasFunction: true,
  stack: { status: 'UPDATE_COMPLETE', isProtected: true },
  drifts: [],
  tables: { 'Petstore-Pets': { recovery: 'ENABLED', isProtected: true } },
  domains: [{ domain: 'www.zoo.dev', project: 'petstore', status: 'live', reason: null }],
  topics: { [ALARM_TOPIC]: { 'ops@zoo.dev': `${ALARM_TOPIC}:0c8a` } },
  logRole: `arn:aws:iam::123456789012:role/${LOG_ROLE}`,
  roles: { DomainFlowTendDomainRole1F: 'Petstore-Staging-DomainFlowTendDomainRole-1A2B' },
  decide: (action, tag = 'nobody') =>
    ['apigateway:PATCH staging', 'apigateway:PUT staging', 'apigateway:PUT nobody'].includes(
      `${action} ${tag}`,
    )
      ? 'allowed'
      : 'implicitDeny',
  alarms: ['ALARM', 'OK'].map(StateValue => ({
    AlarmName: `petstore-staging-${StateValue === 'OK' ? 'b' : 'a'}`,
    StateValue,
    ActionsEnabled: true,
    AlarmActions: ['t'],
  })),
  alarmAction: 'Succeeded',
  simulatedRoles: [],
  raisedAlarms: [],
  concurrency: 1000,
  domainNameQuota: 120,
  denied: new Set(),
});

/**
 * An account in which all is well, with a function for checks. API Gateway and ACM are those of the local AWS, the
 * other services respond in AWS's protocols with what the test sets.
 */
export async function startAccount() {
  const account = newAccount();
  const certificates = new Certificates();
  const domainNames = new DomainNames();
  const apiGateway = apiGatewayService({
    restApis: () => undefined,
    restApiSettings: new RestApiSettings(),
    apiKeys: new ApiKeys(),
    domainNames,
    findCertificate: () => undefined,
  });
  const services: Record<string, AwsService> = {
    acm: acmService({ certificates, issuance: {} as Issuance, inUseBy: () => [], now: Date.now }),
    apigateway: async call => {
      if (call.request.url !== '/account') return apiGateway(call);
      sendJson(call.response, 200, { cloudwatchRoleArn: account.logRole });
    },
    cloudformation: queryService({
      DescribeStacks: response => {
        if (account.stack === undefined)
          return answerXmlError(response, 'ValidationError', 'It does not exist');
        const { status, isProtected } = account.stack;
        const stack = `<StackName>s</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><EnableTerminationProtection>${isProtected}</EnableTerminationProtection>`;
        answerXml(response, 'DescribeStacks', `<Stacks><member>${stack}</member></Stacks>`);
      },
      DetectStackDrift: response =>
        answerXml(response, 'DetectStackDrift', '<StackDriftDetectionId>1</StackDriftDetectionId>'),
      DescribeStackDriftDetectionStatus: response => {
        const status = account.drifts.length > 0 ? 'DRIFTED' : 'IN_SYNC';
        const detection = `<StackId>s</StackId><StackDriftDetectionId>1</StackDriftDetectionId><StackDriftStatus>${status}</StackDriftStatus><DetectionStatus>DETECTION_COMPLETE</DetectionStatus><Timestamp>2026-01-01T00:00:00Z</Timestamp>`;
        answerXml(response, 'DescribeStackDriftDetectionStatus', detection);
      },
      DescribeStackResourceDrifts: response => {
        const difference =
          '<member><PropertyPath>/TracingEnabled</PropertyPath><ExpectedValue>false</ExpectedValue><ActualValue>true</ActualValue><DifferenceType>NOT_EQUAL</DifferenceType></member>';
        const drifts = account.drifts.map(
          id =>
            `<member><StackId>s</StackId><LogicalResourceId>${id}</LogicalResourceId><ResourceType>AWS::ApiGateway::Stage</ResourceType><StackResourceDriftStatus>MODIFIED</StackResourceDriftStatus><Timestamp>2026-01-01T00:00:00Z</Timestamp><PropertyDifferences>${difference}</PropertyDifferences></member>`,
        );
        answerXml(
          response,
          'DescribeStackResourceDrifts',
          `<StackResourceDrifts>${drifts.join('')}</StackResourceDrifts>`,
        );
      },
      ListStackResources: response => {
        const resources = [
          ['AWS::DynamoDB::Table', 'Petstore-Pets', account.stack?.tableStatus ?? 'CREATE_COMPLETE'],
          ['AWS::DynamoDB::Table', 'Petstore-Former', 'DELETE_COMPLETE'],
          ...Object.keys(account.topics).map(topic => ['AWS::SNS::Topic', topic, 'CREATE_COMPLETE']),
          ['AWS::IAM::Role', LOG_ROLE, 'CREATE_COMPLETE'],
          ...Object.entries(account.roles).map(([id, role]) => [
            'AWS::IAM::Role',
            role,
            'CREATE_COMPLETE',
            id,
          ]),
        ].map(
          ([type, id, status, logicalId = '']) =>
            `<member><LogicalResourceId>${logicalId}</LogicalResourceId><ResourceType>${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus></member>`,
        );
        const summaries = `<StackResourceSummaries>${resources.join('')}</StackResourceSummaries>`;
        answerXml(response, 'ListStackResources', summaries);
      },
    }),
    iam: queryService({
      SimulatePrincipalPolicy: (response, form) => {
        account.simulatedRoles.push(form.get('PolicySourceArn'));
        const value = (name: string) => form.get(`${name}.member.1`) ?? '';
        const tags = [1, 2].map(n => [
          form.get(`ContextEntries.member.${n}.ContextKeyName`),
          form.get(`ContextEntries.member.${n}.ContextKeyValues.member.1`),
        ]);
        const [, tag] = tags.find(([name]) => name?.startsWith('aws:ResourceTag/')) ?? [];
        const decision = account.decide(value('ActionNames'), tag ?? undefined);
        answerXml(
          response,
          'SimulatePrincipalPolicy',
          `<EvaluationResults><member><EvalActionName>a</EvalActionName><EvalDecision>${decision}</EvalDecision></member></EvaluationResults>`,
        );
      },
    }),
    monitoring: async ({ request, response, body }) => {
      const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
      const { AlarmName } = JSON.parse(String(body));
      if (operation === 'SetAlarmState') account.raisedAlarms.push(AlarmName);
      const results: Record<string, object> = {
        DescribeAlarms: { MetricAlarms: account.alarms },
        SetAlarmState: {},
        DescribeAlarmHistory: {
          AlarmHistoryItems: account.raisedAlarms.map(() => ({
            HistorySummary: `${account.alarmAction === 'Succeeded' ? 'Successfully executed' : 'Failed to execute'} action t`,
            HistoryData: JSON.stringify({ actionState: account.alarmAction, notificationResource: 't' }),
          })),
        },
      };
      sendJson(response, 200, results[operation] ?? {});
    },
    sns: queryService({
      ListSubscriptionsByTopic: (response, form) => {
        const members = Object.entries(account.topics[form.get('TopicArn') ?? ''] ?? {}).map(
          ([address, arn]) =>
            `<member><Endpoint>${address}</Endpoint><SubscriptionArn>${arn}</SubscriptionArn></member>`,
        );
        answerXml(response, 'ListSubscriptionsByTopic', `<Subscriptions>${members.join('')}</Subscriptions>`);
      },
    }),
    sts: queryService({
      GetCallerIdentity: response =>
        answerXml(response, 'GetCallerIdentity', '<Arn>arn:aws:iam::123456789012:user/jane</Arn>'),
    }),
    dynamodb: async ({ body, response }) => {
      const { TableName } = JSON.parse(String(body));
      const table = account.tables[TableName];
      if (table === undefined) {
        const __type = 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException';
        return sendJson(response, 400, { __type, message: 'Requested resource not found' });
      }
      const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: table.recovery };
      sendJson(response, 200, {
        Table: { DeletionProtectionEnabled: table.isProtected },
        ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription },
      });
    },
    servicequotas: async ({ body, response }) => {
      const { QuotaCode } = JSON.parse(String(body));
      const Value = QuotaCode === 'L-A93447B8' ? account.domainNameQuota : 2500;
      sendJson(response, 200, { Quota: { Value } });
    },
    lambda: async ({ request, response, body }) => {
      if (request.url?.includes('account-settings')) {
        const { concurrency: ConcurrentExecutions } = account;
        const AccountLimit = { ConcurrentExecutions, UnreservedConcurrentExecutions: ConcurrentExecutions };
        return sendJson(response, 200, { AccountLimit });
      }
      if (!account.hasFunction) {
        const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' };
        return sendJson(response, 404, { Type: 'User', Message: 'Function not found' }, headers);
      }
      const { command } = JSON.parse(String(body));
      const result = command === 'domains.summary' ? { domains: account.domains, next: null } : account.state;
      sendJson(response, 200, { ok: true, result, version: sourceVersion() });
    },
  };
  const guarded = Object.fromEntries(
    Object.entries(services).map(([name, service]): [string, AwsService] => [
      name,
      async call => {
        if (!account.denied.has(name)) return service(call);
        if (name === 'sns' || name === 'iam') {
          return answerXmlError(call.response, 'AuthorizationError', 'You may not.');
        }
        const headers = { 'x-amzn-errortype': 'AccessDeniedException' };
        sendJson(call.response, 400, { __type: 'AccessDeniedException', message: 'You may not.' }, headers);
      },
    ]),
  );
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const options = { caller: testCaller(), region: 'eu-central-1', report: unexpectedReport };
  server.on('request', awsEndpoint({ services: guarded, ...options }));
  return Object.assign(account, {
    certificates,
    domainNames,
    environment: {
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: TEST_KEY.secretAccessKey,
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: originOf(server),
      // The test run sets it for its own tables.
      AWS_ENDPOINT_URL_DYNAMODB: originOf(server),
    },
  });
}

/** A service of AWS's query protocol: `Action=…` in a form, XML out. */
function queryService(
  operations: Readonly<Record<string, (response: ServerResponse, form: URLSearchParams) => void>>,
): AwsService {
  return async ({ body, response }) => {
    const form = new URLSearchParams(String(body));
    const operation = operations[form.get('Action') ?? ''];
    if (operation === undefined) throw new Error(`The test has no ${form.get('Action')}.`);
    operation(response, form);
  };
}

function answerXml(response: ServerResponse, operation: string, result: string): void {
  response
    .writeHead(200, { 'content-type': 'text/xml' })
    .end(`<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`);
}

function answerXmlError(response: ServerResponse, code: string, message: string): void {
  response
    .writeHead(400, { 'content-type': 'text/xml' })
    .end(
      `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    );
}
