import type { ContextEntry } from '@aws-sdk/client-iam';
import {
  AwsApiError,
  type Responses,
  type ServedAccount,
  serveAccount,
} from '../../../../../infra/local/testing/served-account.ts';
import { type Principal, TEST_KEY } from '../../../../../infra/local/testing/served-endpoint.ts';
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
} satisfies Record<string, ServedAccount['services'][string]['sdk']>;

/**
 * An account in which all is well, with a function for checks. The operations of API Gateway and ACM are those of the local
 * AWS, others return what the test sets.
 */
export async function startAccount() {
  const account = newAccount();
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
  const principal: Principal = {
    denial: action => (account.denied.has(action.split(':')[0] ?? '') ? 'You may not.' : undefined),
  };
  const { certificates, domainNames, endpoint } = await serveAccount({
    apiGateway: { GetAccount: () => ({ cloudwatchRoleArn: account.logRole }) },
    services: Object.fromEntries(
      Object.entries(SDKS).map(([name, sdk]) => [
        name,
        { sdk, responses: responses[name as keyof typeof SDKS] },
      ]),
    ),
    region: 'eu-central-1',
    principal,
  });
  return Object.assign(account, {
    certificates,
    domainNames,
    environment: {
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: TEST_KEY.secretAccessKey,
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: endpoint,
      // The test run sets it for its own tables.
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
}
