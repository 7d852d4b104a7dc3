import { MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceTable } from '../service-table.ts';
import {
  type AlarmDeclaration,
  FIVE_MINUTES,
  ONCE,
  ONE_HOUR,
  splitByLimit,
  sumOf,
  TWO_OF_THREE,
  titleOf,
} from './service-alarm.ts';

const PERIOD: MetricOptions = { period: FIVE_MINUTES };

/** Fewer failed requests in five minutes than this wake nobody, whatever their share is. */
const LEAST_ERRORS = 5;
/** The latency of fewer requests than this says nothing. */
const LEAST_REQUESTS = 20;
/** A client that ignores Retry-After for a moment sends some dozens of requests too many. */
const LEAST_THROTTLED = 100;

/** Of each API: its own 5xx, its latency, and the requests that it throttles. */
export function apiAlarms(api: ServiceApi, throttled: Metric): AlarmDeclaration[] {
  const title = titleOf(api);
  const requests = api.metricCount(PERIOD);
  const errors = api.metricServerError({ ...PERIOD, statistic: 'sum' });
  return [
    {
      title: `${title} server errors`,
      description: `One request in a hundred, and at least ${LEAST_ERRORS} in five minutes, got a 5xx.`,
      metric: new MathExpression({
        expression: `IF(errors >= ${LEAST_ERRORS}, 100 * errors / requests, 0)`,
        usingMetrics: { errors, requests },
        label: '5xx, percent',
        ...PERIOD,
      }),
      threshold: 1,
      periods: TWO_OF_THREE,
    },
    {
      title: `${title} latency`,
      description: `One request in twenty took longer than two seconds, of at least ${LEAST_REQUESTS} in five minutes.`,
      metric: new MathExpression({
        expression: `IF(requests >= ${LEAST_REQUESTS}, latency, 0)`,
        usingMetrics: { latency: api.metricLatency({ ...PERIOD, statistic: 'p95' }), requests },
        label: 'latency p95, ms',
        ...PERIOD,
      }),
      threshold: 2000,
      periods: TWO_OF_THREE,
    },
    {
      title: `${title} throttled requests`,
      description: `One request in twenty, and at least ${LEAST_THROTTLED} in five minutes, got a 429.`,
      metric: new MathExpression({
        expression: `IF(throttled >= ${LEAST_THROTTLED}, 100 * throttled / requests, 0)`,
        usingMetrics: { throttled: throttled.with({ statistic: 'sum', ...PERIOD }), requests },
        label: '429, percent',
        ...PERIOD,
      }),
      threshold: 5,
      periods: TWO_OF_THREE,
    },
  ];
}

/** All functions of the account share its quota, those of other services too. */
export function concurrencyAlarm(quota: number): AlarmDeclaration {
  return {
    title: 'Lambda concurrency',
    description: `The functions of the account and region use four fifths of the ${quota} concurrent executions that Lambda allows.`,
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'ClaimedAccountConcurrency',
      statistic: 'max',
      ...PERIOD,
    }),
    threshold: Math.max(1, Math.floor(quota * 0.8)),
    periods: TWO_OF_THREE,
  };
}

/** The operations of transactions are counted under this name. */
const TRANSACTION = 'TransactWriteItems';

const READS = ['GetItem', 'Query', 'Scan'];

/** Of each table: requests that DynamoDB throttles, and requests that fail at DynamoDB itself. */
export function tableAlarms(table: ServiceTable): AlarmDeclaration[] {
  const title = `${titleOf(table)} table`;
  return [
    ...splitByLimit(`${title} throttles`, capacities(table), (name, dimensions) => ({
      title: name,
      description: `DynamoDB throttled requests to the table ${table.name} or an index of it.`,
      metric: sumOf(
        dimensions.map(([metricName, dimensionsMap]) => dynamoDb(metricName, dimensionsMap)),
        FIVE_MINUTES,
        'throttled reads and writes',
      ),
      threshold: 5,
      periods: TWO_OF_THREE,
    })),
    ...splitByLimit(`${title} system errors`, operationsOf(table), (name, operations) => ({
      title: name,
      description: `DynamoDB failed requests to the table ${table.name} with an error of its own.`,
      metric: sumOf(
        operations.map(Operation => dynamoDb('SystemErrors', { TableName: table.tableName, Operation })),
        FIVE_MINUTES,
        'failed requests',
      ),
      threshold: 5,
      periods: TWO_OF_THREE,
    })),
  ];
}

type Capacity = readonly [metricName: string, dimensions: Record<string, string>];

/** A table and each of its indexes are throttled by themselves, reads and writes apart. */
function capacities({ tableName: TableName, indexNames }: ServiceTable): Capacity[] {
  const places = [
    { TableName },
    ...indexNames.map(GlobalSecondaryIndexName => ({ TableName, GlobalSecondaryIndexName })),
  ];
  return places.flatMap(place => [
    ['ReadThrottleEvents', place] as const,
    ['WriteThrottleEvents', place] as const,
  ]);
}

function operationsOf({ operations, indexNames }: ServiceTable): string[] {
  const isWritten = [...operations].some(operation => !READS.includes(operation));
  const counted = new Set([
    ...operations,
    ...(indexNames.length > 0 ? ['Query'] : []),
    ...(isWritten ? [TRANSACTION] : []),
  ]);
  // A condition check exists within transactions only.
  counted.delete('ConditionCheckItem');
  return [...counted].toSorted();
}

function dynamoDb(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap,
    statistic: 'sum',
    period: FIVE_MINUTES,
    label: Object.values(dimensionsMap).at(-1) ?? metricName,
  });
}

/** The machines whose executions the service stops itself: a removal stops the verification of its domain. */
const STOPPED_BY_THE_SERVICE = ['Verify'];

/** So many removals of domains that are being verified within an hour are no coincidence. */
const MANY_ABORTED = 10;

/** Executions of a machine that fail, time out or are aborted. A step was retried for an hour before its flow fails. */
export function machineAlarm(machine: StateMachine): AlarmDeclaration {
  const leastAborted = STOPPED_BY_THE_SERVICE.includes(machine.node.id) ? MANY_ABORTED : 1;
  const options = { period: ONE_HOUR };
  return {
    title: `${titleOf(machine)} executions`,
    description: `An execution of the state machine ${machine.node.id} failed or timed out, or at least ${leastAborted} within an hour were aborted.`,
    metric: new MathExpression({
      expression: `SUM([FILL(failed, 0), FILL(timedOut, 0), IF(FILL(aborted, 0) >= ${leastAborted}, FILL(aborted, 0), 0)])`,
      usingMetrics: {
        failed: machine.metricFailed(options),
        timedOut: machine.metricTimedOut(options),
        aborted: machine.metricAborted(options),
      },
      label: 'executions that did not succeed',
      ...options,
    }),
    threshold: 1,
    periods: ONCE,
  };
}

/** Events that EventBridge could not deliver. */
export function ruleAlarms(rules: readonly Rule[]): AlarmDeclaration[] {
  return splitByLimit('Failed deliveries', rules, (title, some) => ({
    title,
    description:
      'EventBridge could not invoke the target of a rule. The graph of the alarm has one line for each rule.',
    metric: sumOf(
      some.map(
        ({ ruleName: RuleName, node }) =>
          new Metric({
            namespace: 'AWS/Events',
            metricName: 'FailedInvocations',
            dimensionsMap: { RuleName },
            statistic: 'sum',
            period: FIVE_MINUTES,
            label: node.path.split('/').slice(1).join(' '),
          }),
      ),
      FIVE_MINUTES,
      'failed deliveries',
    ),
    threshold: 1,
    periods: ONCE,
  }));
}

export function queueAlarm(queue: Queue): AlarmDeclaration {
  return {
    title: titleOf(queue),
    description: 'Messages are in the dead-letter queue: events that no function has received.',
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
    threshold: 1,
    periods: ONCE,
  };
}
