import { type Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  type MetricOptions,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { type ILogGroup, type MetricFilter, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DomainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import type { ServiceApi } from '../service-api.ts';
import { FIVE_MINUTES, ONE_HOUR, titleOf } from './service-alarm.ts';
import type { StackParts } from './stack-parts.ts';

/** What the dashboard shows. */
export interface DashboardParts {
  readonly stage: string;
  readonly parts: StackParts;
  readonly alarms: readonly IAlarm[];
  readonly publicApi: ServiceApi;
  /** Created pets, refusals and deprecated requests, as the access log counts them. */
  readonly counts: readonly Metric[];
  readonly domains: ReadonlyMap<keyof DomainCounts, MetricFilter>;
}

const PERIOD = { period: FIVE_MINUTES };

/** The dashboard in CloudWatch. Each row is about one question, in the order an operator asks them. */
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
  const ofTables = (metricName: string) => tableMetrics(parts, metricName, FIVE_MINUTES);
  return [
    ...(alarms.length > 0
      ? [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 })]
      : []),
    ...parts.apis.map(api =>
      graph(`${titleOf(api)}: requests and errors`, [
        api.metricCount({ ...PERIOD, label: 'requests' }),
        api.metricClientError({ ...PERIOD, statistic: 'sum', label: '4xx' }),
        api.metricServerError({ ...PERIOD, statistic: 'sum', label: '5xx' }),
      ]),
    ),
    graph('Failed invocations', functionMetrics(parts, 'metricErrors', PERIOD)),
    graph('Throttled invocations', functionMetrics(parts, 'metricThrottles', PERIOD)),
    graph('Throttled requests to tables', [
      ...ofTables('ReadThrottleEvents'),
      ...ofTables('WriteThrottleEvents'),
    ]),
    graph(
      'Events that were not delivered',
      parts.rules.map(
        ({ ruleName: RuleName, node }) =>
          new Metric({
            namespace: 'AWS/Events',
            metricName: 'FailedInvocations',
            dimensionsMap: { RuleName },
            statistic: 'sum',
            label: node.path.split('/').slice(1).join(' '),
            ...PERIOD,
          }),
      ),
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
      functionMetrics(parts, 'metricDuration', { ...PERIOD, statistic: 'max' }),
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
      'Created pets, 401, 429, deprecated operations',
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
  return [
    graph('Invocations an hour', functionMetrics(parts, 'metricInvocations', { period: ONE_HOUR })),
    graph(
      'Billed time an hour, ms',
      functionMetrics(parts, 'metricDuration', { period: ONE_HOUR, statistic: 'sum' }),
    ),
    graph('Read units an hour', tableMetrics(parts, 'ConsumedReadCapacityUnits', ONE_HOUR)),
    graph('Write units an hour', tableMetrics(parts, 'ConsumedWriteCapacityUnits', ONE_HOUR)),
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

function functionMetrics(
  { functions }: StackParts,
  metric: 'metricErrors' | 'metricThrottles' | 'metricDuration' | 'metricInvocations',
  options: MetricOptions,
): Metric[] {
  return functions.map(fn => fn.lambda[metric]({ ...options, label: titleOf(fn) }));
}

function tableMetrics({ tables }: StackParts, metricName: string, period: Duration): Metric[] {
  return tables.map(
    table =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName },
        statistic: 'sum',
        period,
        label: titleOf(table),
      }),
  );
}

function graph(title: string, left: IMetric[], width = 12): GraphWidget {
  return new GraphWidget({ title, left, width });
}

/** The key ids of callers, most requests first. A metric by key id would cost a custom metric per key. */
const REQUESTS_BY_KEY = {
  fields: ['keyId'],
  filterStatements: ['ispresent(keyId) and keyId != "-"'],
  statsStatements: ['count(*) as requests by keyId'],
  sort: 'requests desc',
  limit: 20,
};

/** Saved queries of CloudWatch Logs Insights, in a folder by the name of the environment. */
export function saveQueries(scope: Construct, stage: string, { apis, functions }: StackParts): void {
  const save = (id: string, name: string, logGroups: readonly ILogGroup[], query: QueryStringProps) =>
    new QueryDefinition(scope, id, {
      queryDefinitionName: `petstore-${stage}/${name}`,
      // A query searches at most 50 log groups.
      logGroups: logGroups.slice(0, 50) as ILogGroup[],
      queryString: new QueryString(query),
    });
  const accessLogs = apis.map(api => api.accessLogs);
  const functionLogs = functions.map(({ logGroup }) => logGroup);

  save('QueryFailedRequests', 'failed requests', accessLogs, {
    fields: ['time', 'requestId', 'method', 'resource', 'status', 'gatewayError', 'keyId', 'latencyMs'],
    filterStatements: ['status like /^5/'],
    sort: '@timestamp desc',
    limit: 100,
  });
  save('QuerySlowRequests', 'slow requests', accessLogs, {
    fields: ['time', 'requestId', 'method', 'resource', 'status', 'latencyMs', 'functionLatencyMs'],
    filterStatements: ['latencyMs >= 1000'],
    sort: 'latencyMs desc',
    limit: 100,
  });
  save('QueryRefusedRequests', 'refused requests by reason', accessLogs, {
    fields: ['status', 'gatewayError'],
    filterStatements: ['status like /^4/'],
    statsStatements: ['count(*) as requests by status, gatewayError, method, resource'],
    sort: 'requests desc',
    limit: 100,
  });
  save('QueryErrors', 'errors and warnings of the functions', functionLogs, {
    fields: ['@timestamp', '@log', 'level', 'message', 'requestId', 'error.name', 'error.message', 'domain'],
    filterStatements: ['level in ["ERROR", "WARN"] or record.status in ["error", "failure", "timeout"]'],
    sort: '@timestamp desc',
    limit: 100,
  });
}

type QueryStringProps = ConstructorParameters<typeof QueryString>[0];
