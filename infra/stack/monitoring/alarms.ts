import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { DomainCounts } from '../../../shared/domains/life/domain-counts.ts';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { completedRuns } from './log-metrics.ts';
import {
  type AlarmDeclaration,
  FIVE_MINUTES,
  ONCE,
  ONE_HOUR,
  TWO_OF_THREE,
  titleOf,
} from './service-alarm.ts';
import type { ScheduledFunction } from './stack-parts.ts';

/** What the alarms watch, chosen so that one metric shows what many resources do. */
export interface WatchedParts {
  readonly stage: string;
  readonly namespace: string;
  readonly publicApi: ServiceApi;
  readonly apis: readonly WatchedApi[];
  readonly canary: ServiceFunction;
  /** Failed invocations of functions that no client waits for, and runs of an impaired canary. */
  readonly backgroundErrors: Metric;
  readonly domains: ReadonlyMap<keyof DomainCounts, MetricFilter>;
  /** State machines whose failures no domain reports. */
  readonly machines: readonly StateMachine[];
  readonly undelivered: Queue;
  readonly concurrencyQuota: number;
  readonly scheduled: readonly ScheduledFunction[];
}

export interface WatchedApi {
  readonly api: ServiceApi;
  /** Its responses 429. */
  readonly throttled: Metric;
  /** Its 5xx responses to bodies that are too large for Lambda: the client's fault. */
  readonly oversized: Metric;
}

/**
 * All alarms. A page means clients are affected now: pages watch the API as clients see it, where a failing function, a
 * throttled table and an exhausted quota all show. The dashboard shows each resource.
 */
export function alarmDeclarations(scope: Construct, parts: WatchedParts): AlarmDeclaration[] {
  return [
    ...parts.apis.map(serverErrors),
    ...parts.apis
      .filter(({ api }) => api === parts.publicApi)
      .flatMap(api => [outage(api, parts.canary), refusedClients(api, parts.canary)]),
    latency(parts.publicApi),
    canaryFailure(parts.canary),
    smokeFailure(parts.namespace),
    throttledRequests(parts.apis),
    needyDomains(parts.domains),
    backgroundErrors(parts.backgroundErrors),
    ...parts.machines.map(failedExecutions),
    undeliveredEvents(parts.undelivered),
    concurrency(parts.concurrencyQuota),
    ...parts.scheduled.map(scheduled => heartbeat(scope, parts.namespace, scheduled)),
  ];
}

const PERIOD = { period: FIVE_MINUTES };

function math(
  label: string,
  expression: string,
  usingMetrics: Record<string, IMetric> = {},
  period = FIVE_MINUTES,
): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period });
}

/** Fewer failures than this in five minutes are left to the outage alarm, whatever their share. */
const LEAST_ERRORS = 5;

/** The 5xx responses that aren't the client's fault. */
const FAILURES = '(errors - FILL(oversized, 0))';

function failureMetrics({ api, oversized }: WatchedApi, period: Duration): Record<string, IMetric> {
  return {
    errors: api.metricServerError({ period, statistic: 'sum' }),
    oversized: oversized.with({ period }),
    requests: api.metricCount({ period }),
  };
}

function serverErrors(watched: WatchedApi): AlarmDeclaration {
  return {
    severity: 'page',
    title: `${titleOf(watched.api)} server errors`,
    description: `One request in a hundred, and at least ${LEAST_ERRORS} in five minutes, got a 5xx.`,
    metric: math(
      '5xx, percent',
      `IF(${FAILURES} >= ${LEAST_ERRORS}, 100 * ${FAILURES} / requests, 0)`,
      failureMetrics(watched, FIVE_MINUTES),
    ),
    threshold: 1,
    periods: TWO_OF_THREE,
  };
}

const LEAST_ERRORS_OF_OUTAGE = 3;

/** Nearly all of a quiet night's few requests fail. The canary's own requests are left out, since they may well succeed. */
function outage(watched: WatchedApi, canary: ServiceFunction): AlarmDeclaration {
  const period = Duration.minutes(30);
  return {
    severity: 'page',
    title: `${titleOf(watched.api)} outage`,
    description: `Nine requests in ten, and at least ${LEAST_ERRORS_OF_OUTAGE} in half an hour, got a 5xx.`,
    metric: math(
      '5xx where nearly all requests fail',
      `IF(${FAILURES} >= ${LEAST_ERRORS_OF_OUTAGE}, IF(10 * ${FAILURES} >= 9 * (requests - FILL(runs, 0)), ${FAILURES}, 0), 0)`,
      { ...failureMetrics(watched, period), runs: canary.lambda.metricInvocations({ period }) },
      period,
    ),
    threshold: LEAST_ERRORS_OF_OUTAGE,
    periods: { breaching: 1, of: 1 },
  };
}

const LEAST_REFUSALS = 20;

/**
 * Nearly everybody is refused: keys, a route or a table are lost, or a web ACL blocks everybody. The canary's requests are left
 * out. Somebody who makes up keys can trigger it while no client calls, so it wakes nobody.
 */
function refusedClients({ api }: WatchedApi, canary: ServiceFunction): AlarmDeclaration {
  return {
    severity: 'ticket',
    title: `${titleOf(api)} refused clients`,
    description: `Nine requests in ten, and at least ${LEAST_REFUSALS} in five minutes, got a 4xx. The saved query “refused requests by reason” shows why.`,
    metric: math(
      '4xx where nearly all requests are refused',
      `IF(refused >= ${LEAST_REFUSALS}, IF(10 * refused >= 9 * (requests - FILL(runs, 0)), refused, 0), 0)`,
      {
        refused: api.metricClientError({ ...PERIOD, statistic: 'sum' }),
        requests: api.metricCount(PERIOD),
        runs: canary.lambda.metricInvocations(PERIOD),
      },
    ),
    threshold: LEAST_REFUSALS,
    periods: { breaching: 3, of: 3 },
  };
}

/** With fewer requests, latency means nothing. */
const LEAST_REQUESTS = 20;

function latency(api: ServiceApi): AlarmDeclaration {
  return {
    severity: 'page',
    title: `${titleOf(api)} latency`,
    description: `One request in twenty took longer than two seconds, out of at least ${LEAST_REQUESTS} in five minutes.`,
    metric: math('latency p95, ms', `IF(requests >= ${LEAST_REQUESTS}, latency, 0)`, {
      latency: api.metricLatency({ ...PERIOD, statistic: 'p95' }),
      requests: api.metricCount(PERIOD),
    }),
    threshold: 2000,
    periods: TWO_OF_THREE,
  };
}

/** Lambda runs a failed canary again after one and three minutes: two failures in five minutes aren't a coincidence. */
function canaryFailure({ lambda }: ServiceFunction): AlarmDeclaration {
  return {
    severity: 'page',
    title: 'Canary',
    description: 'The canary, which lists pets every five minutes as a client does, failed more than once.',
    metric: lambda.metricErrors(PERIOD),
    threshold: 2,
    periods: TWO_OF_THREE,
  };
}

/** The deploy workflow reports each smoke test: 1 if it failed, 0 if it passed, which ends the alarm. */
function smokeFailure(namespace: string): AlarmDeclaration {
  return {
    severity: 'page',
    title: 'Smoke test',
    description: 'The smoke test after the last deploy failed.',
    metric: new Metric({ namespace, metricName: 'SmokeFailures', statistic: 'max', ...PERIOD }),
    threshold: 1,
    periods: { breaching: 1, of: 1 },
    missing: 'ignore',
  };
}

/** A client that briefly ignores Retry-After sends a few dozen requests too many. */
const LEAST_THROTTLED = 100;

function throttledRequests(apis: WatchedParts['apis']): AlarmDeclaration {
  const metrics = apis.flatMap(({ api, throttled }, index): [string, IMetric][] => [
    [`throttled${index}`, throttled.with(PERIOD)],
    [`requests${index}`, api.metricCount(PERIOD)],
  ]);
  const sumOf = (name: string) => `(${apis.map((_, index) => `FILL(${name}${index}, 0)`).join(' + ')})`;
  const throttled = sumOf('throttled');
  return {
    severity: 'ticket',
    title: 'Throttled requests',
    description: `One request in twenty, and at least ${LEAST_THROTTLED} in five minutes, got a 429. The saved query “refused requests by reason” shows why.`,
    metric: math(
      '429, percent',
      `IF(${throttled} >= ${LEAST_THROTTLED}, 100 * ${throttled} / ${sumOf('requests')}, 0)`,
      Object.fromEntries(metrics),
    ),
    threshold: 5,
    periods: TWO_OF_THREE,
  };
}

/** Counts of domains that need somebody to act. */
const NEEDY: readonly (keyof DomainCounts)[] = [
  'needAttention',
  'failedWithinADay',
  'waitingLongerThanADay',
  'certificatesExpiringSoon',
];

/** One ticket from the first day of waiting to the last day of a failure, whichever counts the domain is in meanwhile. */
function needyDomains(domains: ReadonlyMap<keyof DomainCounts, MetricFilter>): AlarmDeclaration {
  const metrics = NEEDY.flatMap(count => {
    const filter = domains.get(count);
    return filter ? [[String(count), filter.metric({ statistic: 'max', ...PERIOD })] as const] : [];
  });
  return {
    severity: 'ticket',
    title: 'Domains',
    description:
      'A domain needs attention: it failed, has waited for more than a day and not for its owner, is ready or live and something is wrong, or its certificate expires soon. petstore domains list says which.',
    metric: math(
      'domains that need attention',
      metrics.map(([count]) => `FILL(${count}, 0)`).join(' + '),
      Object.fromEntries(metrics),
    ),
    threshold: 1,
    periods: TWO_OF_THREE,
  };
}

/** Lambda tries an event three times, for up to four minutes each, so three failures are one lost event. */
function backgroundErrors(metric: Metric): AlarmDeclaration {
  return {
    severity: 'ticket',
    title: 'Background errors',
    description:
      'At least three invocations of scheduled functions, event handlers or the operator function failed within an hour, or the canary itself was impaired, for example by a missing grant. The saved query “errors and warnings of the functions” says which.',
    metric: metric.with({ period: ONE_HOUR }),
    threshold: 3,
    periods: { breaching: 1, of: 1 },
  };
}

function failedExecutions(machine: StateMachine): AlarmDeclaration {
  return {
    severity: 'ticket',
    title: `${titleOf(machine)} executions`,
    article: 'Failed executions',
    description: `An execution of the state machine ${machine.node.id} failed, after all its retries.`,
    metric: machine.metricFailed({ period: ONE_HOUR }),
    threshold: 1,
    periods: { breaching: 1, of: 1 },
  };
}

function undeliveredEvents(queue: Queue): AlarmDeclaration {
  return {
    severity: 'ticket',
    title: 'Undelivered events',
    description: 'There are messages in the dead-letter queue: events that no function has received.',
    metric: queue.metricApproximateNumberOfMessagesVisible({ ...PERIOD, statistic: 'max' }),
    threshold: 1,
    periods: ONCE,
  };
}

/** All functions of the account share its quota, including other services'. */
function concurrency(quota: number): AlarmDeclaration {
  return {
    severity: 'ticket',
    title: 'Lambda concurrency',
    description: `The functions in this account and region use four fifths of the ${quota} concurrent executions that Lambda allows.`,
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

/** With a shorter period, a single slow run and its retries would raise an alarm. */
const LEAST_PERIOD_MINUTES = 5;

/**
 * A scheduled function hasn't been invoked for some time; one that is invoked and fails is a background error. Only if other
 * rules invoke it, too, completed scheduled runs are counted instead, with a metric that costs extra.
 */
function heartbeat(
  scope: Construct,
  namespace: string,
  { fn, everyMinutes, hasOtherRules }: ScheduledFunction,
): AlarmDeclaration {
  const runs = hasOtherRules ? completedRuns(scope, namespace, fn) : fn.lambda.metricInvocations();
  const periodMinutes = Math.max(everyMinutes, LEAST_PERIOD_MINUTES);
  const missed = 3;
  return {
    severity: 'ticket',
    title: `${titleOf(fn)} heartbeat`,
    article: 'Heartbeats',
    description: `${fn.node.id} hasn't run for ${missed * periodMinutes} minutes. It should run every ${everyMinutes} minutes.`,
    metric: runs.with({ period: Duration.minutes(periodMinutes) }),
    threshold: 1,
    periods: { breaching: missed, of: missed },
    missing: 'breaching',
  };
}
