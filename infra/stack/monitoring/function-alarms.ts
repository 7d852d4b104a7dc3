import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import type { ServiceFunction } from '../service-function.ts';
import {
  type AlarmDeclaration,
  FIVE_MINUTES,
  metricsById,
  ONCE,
  ONE_HOUR,
  splitByLimit,
  sumOf,
  TWO_OF_THREE,
  titleOf,
} from './service-alarm.ts';
import type { ScheduledFunction, StackParts } from './stack-parts.ts';

/** Functions that are invoked in the same way, so that the same number of errors is too many. */
interface FunctionGroup {
  /** `Flow step`, as in `Flow step errors`. */
  readonly title: string;
  readonly functions: readonly ServiceFunction[];
  readonly period: Duration;
  readonly periods: AlarmDeclaration['periods'];
  /** How many errors in a period are too many. */
  readonly errors: number;
  /** The requests that the functions serve. Below ten in a period, a slow one wakes nobody. */
  readonly requests?: IMetric;
}

const WHICH = 'The graph of the alarm, or the dashboard, has one line for each function.';

/** A function that has used this much of its time limit was close to being stopped. */
const NEAR_TIMEOUT_PERCENT = 80;

const LEAST_REQUESTS = 10;

/** A schedule of at least this many minutes is too rare for two of three periods of five minutes. */
const RARE_MINUTES = 60;

/** Every function is in exactly one of the groups; those that nothing in the stack invokes are called by operators. */
function groupsOf(parts: StackParts): FunctionGroup[] {
  const often = { period: FIVE_MINUTES, periods: TWO_OF_THREE };
  const scheduled = parts.scheduled();
  const isRare = (fn: ServiceFunction) =>
    !scheduled.some(schedule => schedule.fn === fn && schedule.everyMinutes < RARE_MINUTES);
  const handlers = parts.handlers();
  const groups: FunctionGroup[] = [
    ...parts.apis.map(api => ({
      title: `${titleOf(api)} function`,
      functions: parts.behind(api),
      errors: 5,
      requests: api.metricCount({ period: FIVE_MINUTES }),
      ...often,
    })),
    { title: 'Flow step', functions: parts.steps(), errors: 5, ...often },
    // Lambda retries a failed run twice before the next one starts.
    { title: 'Scheduled function', functions: handlers.filter(fn => !isRare(fn)), errors: 2, ...often },
    // All three attempts have failed; the longest take a quarter of an hour each.
    {
      title: 'Event function',
      functions: handlers.filter(isRare),
      errors: 3,
      period: ONE_HOUR,
      periods: ONCE,
    },
  ];
  const grouped = new Set(groups.flatMap(({ functions }) => functions));
  const others = parts.functions.filter(fn => !grouped.has(fn));
  return [...groups, { title: 'Operator function', functions: others, errors: 2, ...often }];
}

/** Errors and near time-outs of all functions, throttles of those behind APIs, and events that Lambda gave up on. */
export function functionAlarms(parts: StackParts): AlarmDeclaration[] {
  const groups = groupsOf(parts).filter(({ functions }) => functions.length > 0);
  const behindApis = [...new Set(parts.apis.flatMap(api => parts.behind(api)))];
  return [
    ...groups.flatMap(errorAlarms),
    ...groups.flatMap(timeoutAlarms),
    ...splitByLimit('Throttled functions', behindApis, (title, functions) => ({
      title,
      description: `Lambda had no room for invocations of a function behind an API. ${WHICH}`,
      metric: sumOf(
        functions.map(fn => fn.lambda.metricThrottles({ period: FIVE_MINUTES, label: titleOf(fn) })),
        FIVE_MINUTES,
        'throttled invocations',
      ),
      threshold: 5,
      periods: TWO_OF_THREE,
    })),
    ...splitByLimit('Dropped events', parts.handlers(), (title, functions) => ({
      title,
      description: `Lambda gave up on an event, after three attempts or because it had no room for hours. ${WHICH}`,
      metric: sumOf(
        functions.map(fn =>
          fn.lambda.metric('AsyncEventsDropped', {
            period: FIVE_MINUTES,
            statistic: 'sum',
            label: titleOf(fn),
          }),
        ),
        FIVE_MINUTES,
        'dropped events',
      ),
      threshold: 1,
      periods: ONCE,
    })),
  ];
}

function errorAlarms({ title, functions, period, periods, errors }: FunctionGroup): AlarmDeclaration[] {
  return splitByLimit(`${title} errors`, functions, (name, some) => ({
    title: name,
    description: `Invocations of ${namesOf(some)} failed, at least ${errors} in a period. ${WHICH}`,
    metric: sumOf(
      some.map(fn => fn.lambda.metricErrors({ period, label: titleOf(fn) })),
      period,
      'failed invocations',
    ),
    threshold: errors,
    periods,
  }));
}

function timeoutAlarms({ title, functions, period, periods, requests }: FunctionGroup): AlarmDeclaration[] {
  return splitByLimit(
    `${title} near time-outs`,
    functions,
    (name, some) => ({
      title: name,
      description: `An invocation of ${namesOf(some)} took ${NEAR_TIMEOUT_PERCENT} % of its time limit. ${WHICH}`,
      metric: longestOf(some, period, requests),
      threshold: NEAR_TIMEOUT_PERCENT,
      periods,
    }),
    { extra: requests ? 1 : 0 },
  );
}

/** The longest invocation of any of these functions, in percent of its time limit. */
function longestOf(functions: readonly ServiceFunction[], period: Duration, requests?: IMetric): IMetric {
  const durations = functions.map(fn =>
    fn.lambda.metricDuration({ period, statistic: 'max', label: titleOf(fn) }),
  );
  const shares = functions.map(({ lambda }, index) => {
    const limitMs = lambda.timeout?.toMilliseconds() ?? 3000;
    return `100 * FILL(m${index}, 0) / ${limitMs}`;
  });
  const longest = shares.length === 1 ? `${shares[0]}` : `MAX([${shares.join(', ')}])`;
  return new MathExpression({
    expression: requests ? `IF(requests >= ${LEAST_REQUESTS}, ${longest}, 0)` : longest,
    usingMetrics: { ...metricsById(durations), ...(requests && { requests }) },
    period,
    label: 'longest invocation, percent of the time limit',
  });
}

function namesOf(functions: readonly ServiceFunction[]): string {
  const names = functions.map(({ node }) => node.id);
  return names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`;
}

const HOUR_MINUTES = 60;

/** A shorter period would raise an alarm when a single run and its retries are slow. */
const LEAST_PERIOD_MINUTES = 5;

/** How late a rare run may be, in hours: its own time and that of its two retries. */
const GRACE_HOURS = 2;

/** An alarm that fires when a scheduled function has not completed a run for some time, for whatever reason. */
export function heartbeat(
  scope: Construct,
  namespace: string,
  { fn, everyMinutes }: ScheduledFunction,
): AlarmDeclaration {
  const runs = new MetricFilter(scope, `${fn.node.id}Runs`, {
    logGroup: fn.logGroup,
    filterPattern: FilterPattern.stringValue('$.message', '=', RUN_COMPLETED),
    metricNamespace: namespace,
    metricName: `${fn.node.id}Runs`,
    metricValue: '1',
  });
  // CloudWatch looks back for more than a day only in periods of an hour or longer.
  const isRare = everyMinutes >= HOUR_MINUTES;
  const periodMinutes = isRare ? HOUR_MINUTES : Math.max(everyMinutes, LEAST_PERIOD_MINUTES);
  const missed = isRare ? everyMinutes / HOUR_MINUTES + GRACE_HOURS : 3;
  return {
    title: `${titleOf(fn)} heartbeat`,
    description: `${fn.node.id} has completed no run for ${durationText(missed * periodMinutes)}; it is to run every ${durationText(everyMinutes)}.`,
    metric: runs.metric({ statistic: 'sum', period: Duration.minutes(periodMinutes) }),
    threshold: 1,
    periods: { breaching: missed, of: missed },
    missingIsBreaching: true,
  };
}

function durationText(minutes: number): string {
  return minutes % HOUR_MINUTES === 0 ? `${minutes / HOUR_MINUTES} hours` : `${minutes} minutes`;
}
