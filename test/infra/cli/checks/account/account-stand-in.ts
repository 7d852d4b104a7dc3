import type { ContextEntry } from '@aws-sdk/client-iam';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { acmApi } from '../../../../../infra/local/acm/acm-service.ts';
import { Certificates } from '../../../../../infra/local/acm/certificates.ts';
import type { Issuance } from '../../../../../infra/local/acm/issuance.ts';
import { apiGatewayApi } from '../../../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../../../infra/local/apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../../../../infra/local/apigateway-control/rest-api-operations.ts';
import { AwsApiError } from '../../../../../infra/local/aws-api/aws-api-error.ts';
import { awsService } from '../../../../../infra/local/aws-api/aws-service.ts';
import { awsEndpoint } from '../../../../../infra/local/aws-api/endpoint.ts';
import type { Operation } from '../../../../../infra/local/aws-api/operation.ts';
import type { AwsService, ServiceApi } from '../../../../../infra/local/aws-api/service-api.ts';
import { close, listen, originOf } from '../../../../../infra/local/host/http-servers.ts';
import type { Principal } from '../../../../../infra/local/iam/principal.ts';
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
  domains: [{ domain: 'www.zoo.dev', project: 'petstore', status: 'live', reason: null, records: [] }],
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

/** The services that return what the test sets. */
const SDKS = {
  cloudformation: () => import('@aws-sdk/client-cloudformation').then(sdk => [sdk, sdk.CloudFormationClient]),
  iam: () => import('@aws-sdk/client-iam').then(sdk => [sdk, sdk.IAMClient]),
  monitoring: () => import('@aws-sdk/client-cloudwatch').then(sdk => [sdk, sdk.CloudWatchClient]),
  sns: () => import('@aws-sdk/client-sns').then(sdk => [sdk, sdk.SNSClient]),
  sts: () => import('@aws-sdk/client-sts').then(sdk => [sdk, sdk.STSClient]),
  dynamodb: () => import('@aws-sdk/client-dynamodb').then(sdk => [sdk, sdk.DynamoDBClient]),
  servicequotas: () => import('@aws-sdk/client-service-quotas').then(sdk => [sdk, sdk.ServiceQuotasClient]),
  lambda: () => import('@aws-sdk/client-lambda').then(sdk => [sdk, sdk.LambdaClient]),
} satisfies Record<string, ServiceApi['sdk']>;

/** What operations return, by their names, from their inputs. */
type Responses = Readonly<Record<string, Operation<z.ZodAny>['perform']>>;

function tableOf(responses: Responses): Operation[] {
  return Object.entries(responses).map(([name, perform]) => ({ name, input: z.any(), perform }));
}

function responding(name: string, sdk: ServiceApi['sdk'], responses: Responses): AwsService {
  const accessDenied = ['iam', 'sns'].includes(name) ? 'AuthorizationError' : 'AccessDeniedException';
  const operations = tableOf(responses);
  return awsService({ title: name, actionPrefix: name, sdk, operations, errorNames: { accessDenied } });
}

/**
 * An account in which all is well, with a function for checks. The operations of API Gateway and ACM are those of the local
 * AWS, others return what the test sets.
 */
export async function startAccount() {
  const account = newAccount();
  const certificates = new Certificates();
  const domainNames = new DomainNames();
  const apiGateway = apiGatewayApi({
    restApis: () => undefined,
    restApiSettings: new RestApiSettings(),
    apiKeys: new ApiKeys(),
    domainNames,
    findCertificate: () => undefined,
  });
  const getAccount = tableOf({ GetAccount: () => ({ cloudwatchRoleArn: account.logRole }) });
  const tableNamed = (name: string) => {
    const table = account.tables[name];
    if (table === undefined) {
      throw new AwsApiError('ResourceNotFoundException', 'Requested resource not found');
    }
    return table;
  };
  const Timestamp = new Date('2026-01-01');
  const responses: Readonly<Record<keyof typeof SDKS, Responses>> = {
    cloudformation: {
      DescribeStacks() {
        if (account.stack === undefined) throw new AwsApiError('ValidationError', 'It does not exist');
        const { status: StackStatus, isProtected: EnableTerminationProtection } = account.stack;
        return {
          Stacks: [{ StackName: 's', CreationTime: Timestamp, StackStatus, EnableTerminationProtection }],
        };
      },
      DetectStackDrift: () => ({ StackDriftDetectionId: '1' }),
      DescribeStackDriftDetectionStatus: () => ({
        StackDriftStatus: account.drifts.length > 0 ? 'DRIFTED' : 'IN_SYNC',
        DetectionStatus: 'DETECTION_COMPLETE',
        Timestamp,
      }),
      DescribeStackResourceDrifts: () => ({
        StackResourceDrifts: account.drifts.map(LogicalResourceId => ({
          LogicalResourceId,
          ResourceType: 'AWS::ApiGateway::Stage',
          StackResourceDriftStatus: 'MODIFIED',
          Timestamp,
          PropertyDifferences: [
            {
              PropertyPath: '/TracingEnabled',
              ExpectedValue: 'false',
              ActualValue: 'true',
              DifferenceType: 'NOT_EQUAL',
            },
          ],
        })),
      }),
      ListStackResources: () => ({
        StackResourceSummaries: [
          ['AWS::DynamoDB::Table', 'Petstore-Pets', account.stack?.tableStatus],
          ['AWS::DynamoDB::Table', 'Petstore-Former', 'DELETE_COMPLETE'],
          ...Object.keys(account.topics).map(topic => ['AWS::SNS::Topic', topic]),
          ['AWS::IAM::Role', LOG_ROLE],
          ...Object.entries(account.roles).map(([id, role]) => ['AWS::IAM::Role', role, undefined, id]),
        ].map(([ResourceType, PhysicalResourceId, status, LogicalResourceId = '']) => ({
          LogicalResourceId,
          ResourceType,
          PhysicalResourceId,
          ResourceStatus: status ?? 'CREATE_COMPLETE',
        })),
      }),
    },
    iam: {
      SimulatePrincipalPolicy({ PolicySourceArn, ActionNames: [action], ContextEntries = [] }) {
        account.simulatedRoles.push(PolicySourceArn);
        const entries: readonly ContextEntry[] = ContextEntries;
        const ofResource = entries.find(({ ContextKeyName: key }) => key?.startsWith('aws:ResourceTag/'));
        const EvalDecision = account.decide(action, ofResource?.ContextKeyValues?.[0]);
        return { EvaluationResults: [{ EvalActionName: action, EvalDecision }] };
      },
    },
    monitoring: {
      DescribeAlarms: () => ({ MetricAlarms: account.alarms }),
      SetAlarmState({ AlarmName }) {
        account.raisedAlarms.push(AlarmName);
        return {};
      },
      DescribeAlarmHistory: () => ({
        AlarmHistoryItems: account.raisedAlarms.map(() => ({
          HistorySummary: `${account.alarmAction === 'Succeeded' ? 'Successfully executed' : 'Failed to execute'} action t`,
          HistoryData: JSON.stringify({ actionState: account.alarmAction, notificationResource: 't' }),
        })),
      }),
    },
    sns: {
      ListSubscriptionsByTopic: ({ TopicArn }) => ({
        Subscriptions: Object.entries(account.topics[TopicArn] ?? {}).map(([Endpoint, SubscriptionArn]) => ({
          Endpoint,
          SubscriptionArn,
        })),
      }),
    },
    sts: {
      GetCallerIdentity: () => ({ Arn: 'arn:aws:iam::123456789012:user/jane' }),
    },
    dynamodb: {
      DescribeTable: ({ TableName }) => ({
        Table: { DeletionProtectionEnabled: tableNamed(TableName).isProtected },
      }),
      DescribeContinuousBackups: ({ TableName }) => ({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: tableNamed(TableName).recovery },
        },
      }),
    },
    servicequotas: {
      GetServiceQuota: ({ QuotaCode }) => ({
        Quota: { Value: QuotaCode === 'L-A93447B8' ? account.domainNameQuota : 2500 },
      }),
    },
    lambda: {
      GetAccountSettings: () => ({
        AccountLimit: {
          ConcurrentExecutions: account.concurrency,
          UnreservedConcurrentExecutions: account.concurrency,
        },
      }),
      Invoke({ Payload }) {
        if (!account.hasFunction) throw new AwsApiError('ResourceNotFoundException', 'Function not found');
        const { command } = JSON.parse(String(Payload));
        const result =
          command === 'domains.summary' ? { domains: account.domains, next: null } : account.state;
        return { Payload: JSON.stringify({ ok: true, result, version: sourceVersion() }) };
      },
    },
  };
  // Every certificate is in the list at once.
  const issuance = { listedAtMs: () => 0 } as unknown as Issuance;
  const services = {
    acm: awsService(acmApi({ certificates, issuance, inUseBy: () => [], now: Date.now })),
    apigateway: awsService({ ...apiGateway, operations: [...apiGateway.operations, ...getAccount] }),
    ...Object.fromEntries(
      Object.entries(SDKS).map(([name, sdk]) => [
        name,
        responding(name, sdk, responses[name as keyof typeof SDKS]),
      ]),
    ),
  };
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const principal: Principal = {
    denial: action => (account.denied.has(action.split(':')[0] ?? '') ? 'You may not.' : undefined),
  };
  const options = { caller: testCaller(principal), region: 'eu-central-1', report: unexpectedReport };
  server.on('request', awsEndpoint({ services, ...options }));
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
