import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricFilter, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DomainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import type { ServiceApi } from '../service-api.ts';
import { REQUESTS_BY_KEY } from './saved-queries.ts';
import { FIVE_MINUTES, ONE_HOUR } from './service-alarm.ts';
import type { StackParts } from './stack-parts.ts';
import { titleOf } from './titles.ts';

/** What the dashboard shows. */
export interface DashboardParts {
  readonly stage: string;
  readonly parts: StackParts;
  readonly alarms: readonly Alarm[];
  readonly publicApi: ServiceApi;
  /** Created animals, refusals and deprecated requests, as the access log counts them. */
  readonly counts: readonly Metric[];
  readonly domains: ReadonlyMap<keyof DomainCounts, MetricFilter>;
}

const PERIOD = { period: FIVE_MINUTES };

/** The dashboard in CloudWatch. Each row answers a question, in the order in which one asks them. */
export function addDashboard(scope: Construct, shown: DashboardParts): void {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `petstore-${shown.stage}-${Stack.of(scope).region}`,
    widgets: [
      ...section('Is it up?', isUp(shown)),
      ...section('Is it fast?', isFast(shown)),
      ...section('Is it used?', isUsed(shown)),
      ...section('Is it cheap?', isCheap(shown)),
      ...section('Are domains well?', areDomainsWell(shown)),
    ],
  });
}

function section(question: string, widgets: IWidget[]): IWidget[][] {
  return [[new TextWidget({ markdown: `## ${question}`, width: 24, height: 1 })], widgets];
}

function isUp({ alarms, parts }: DashboardParts): IWidget[] {
  return [
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 }),
    ...parts.apis.map(api =>
      graph(`${titleOf(api)}: requests and errors`, [
        api.metricCount({ ...PERIOD, label: 'requests' }),
        api.metricClientError({ ...PERIOD, statistic: 'sum', label: '4xx' }),
        api.metricServerError({ ...PERIOD, statistic: 'sum', label: '5xx' }),
      ]),
    ),
    graph(
      'Failed invocations',
      parts.functions.map(fn => fn.lambda.metricErrors({ ...PERIOD, label: titleOf(fn) })),
    ),
    graph(
      'Throttled invocations',
      parts.functions.map(fn => fn.lambda.metricThrottles({ ...PERIOD, label: titleOf(fn) })),
    ),
  ];
}

function isFast({ parts }: DashboardParts): IWidget[] {
  return [
    ...parts.apis.map(api =>
      graph(
        `${titleOf(api)}: latency, ms`,
        ['p50', 'p95', 'p99'].map(statistic => api.metricLatency({ ...PERIOD, statistic, label: statistic })),
      ),
    ),
    graph(
      'Longest invocation, ms',
      parts.functions.map(fn =>
        fn.lambda.metricDuration({ ...PERIOD, statistic: 'max', label: titleOf(fn) }),
      ),
      24,
    ),
  ];
}

function isUsed({ publicApi, counts, stage }: DashboardParts): IWidget[] {
  const requests = OPERATIONS.map(
    ({ name, method, path }) =>
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: 'Count',
        dimensionsMap: {
          ApiName: publicApi.restApiName,
          Stage: stage,
          Method: method,
          Resource: `/v1${path}`,
        },
        statistic: 'sum',
        label: name,
        ...PERIOD,
      }),
  );
  return [
    graph('Requests by operation', requests),
    graph(
      'Created animals, 401, 429, deprecated operations',
      counts.map(metric => metric.with(PERIOD)),
    ),
    new LogQueryWidget({
      title: 'Requests by key id',
      logGroupNames: [publicApi.accessLogs.logGroupName],
      queryString: new QueryString(REQUESTS_BY_KEY).toString(),
      view: LogQueryVisualizationType.TABLE,
      width: 24,
    }),
  ];
}

function isCheap({ parts }: DashboardParts): IWidget[] {
  const capacity = (metricName: string) =>
    parts.tables.map(
      table =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: table.tableName },
          statistic: 'sum',
          period: ONE_HOUR,
          label: titleOf(table),
        }),
    );
  return [
    graph(
      'Invocations an hour',
      parts.functions.map(fn => fn.lambda.metricInvocations({ period: ONE_HOUR, label: titleOf(fn) })),
    ),
    graph(
      'Billed time an hour, ms',
      parts.functions.map(fn =>
        fn.lambda.metricDuration({ period: ONE_HOUR, statistic: 'sum', label: titleOf(fn) }),
      ),
    ),
    graph('Read units an hour', capacity('ConsumedReadCapacityUnits')),
    graph('Write units an hour', capacity('ConsumedWriteCapacityUnits')),
  ];
}

function areDomainsWell({ domains, parts }: DashboardParts): IWidget[] {
  const metricOf = ([count, filter]: [keyof DomainCounts, MetricFilter]) =>
    filter.metric({ statistic: 'max', label: String(count), ...PERIOD });
  return [
    graph('Domains', [...domains].map(metricOf)),
    graph(
      'Executions',
      parts.machines.flatMap(machine => [
        machine.metricStarted({ period: ONE_HOUR, label: `${machine.node.id} started` }),
        machine.metricFailed({ period: ONE_HOUR, label: `${machine.node.id} failed` }),
      ]),
    ),
  ];
}

function graph(title: string, left: IMetric[], width = 12): GraphWidget {
  return new GraphWidget({ title, left, width });
}
