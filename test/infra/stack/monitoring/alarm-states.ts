import { ofType, placeOf, type TemplateResource } from '../../../../infra/local/template.ts';
import { templateOf } from '../templates.ts';

/**
 * What CloudWatch makes of an alarm, which is read from the template, when its metrics have these values. What no alarm of the template needs is refused. Where AWS does not say how it behaves, this is
 * the unkind way: an expression has no value where a part of it has none, and none where it divides by zero.
 */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** A value for each period, the oldest first; undefined for a period without data. */
export type Series = readonly (number | undefined)[];

export interface Fed {
  /** By namespace, name, statistic and dimensions, such as `AWS/Lambda Errors Sum`; of those without a series nothing is known. */
  readonly metrics?: Readonly<Record<string, Series>>;
}

type Properties = TemplateResource['Properties'];

/** The states that an alarm has after each of the periods, when it was created at the beginning of the first. */
export function statesOf(alarm: Properties, { metrics = {} }: Fed, periods = 0): AlarmState[] {
  const lengths = Object.values(metrics).map(({ length }) => length);
  const [length = periods] = lengths;
  if (lengths.some(other => other !== length)) throw new Error('All series have to be of the same length.');
  const values = valuesOf(alarm, metrics, length);
  let state: AlarmState = 'INSUFFICIENT_DATA';
  return values.map((_, now) => {
    state = nextState(alarm, values.slice(0, now + 1), state);
    return state;
  });
}

function valuesOf(alarm: Properties, metrics: NonNullable<Fed['metrics']>, length: number): Series {
  const unused = new Set(Object.keys(metrics));
  const seriesOf = (metric: WatchedMetric): Series => {
    const name = [metric.namespace, metric.name, metric.statistic, ...Object.values(metric.dimensions)].join(
      ' ',
    );
    unused.delete(name);
    return metrics[name] ?? Array.from({ length });
  };
  const result = alarm.MetricName
    ? metricsOf(alarm).map(seriesOf)[0]
    : expressionValues(alarm, seriesOf, length);
  if (unused.size > 0) throw new Error(`${alarm.AlarmName} has no metric ${[...unused].join(', ')}.`);
  return result ?? [];
}

function expressionValues(
  alarm: Properties,
  seriesOf: (metric: WatchedMetric) => Series,
  length: number,
): Series {
  const stats = metricsOf(alarm);
  const byId = new Map<string, Series>();
  const compared: string[] = [];
  for (const { Id, MetricStat, Expression, ReturnData = true } of alarm.Metrics) {
    const metric = MetricStat && stats.shift();
    if (metric) byId.set(Id, seriesOf(metric));
    else if (ReturnData) compared.push(placeOf(Expression));
  }
  const [expression, ...others] = compared;
  if (expression === undefined || others.length > 0)
    throw new Error(`${alarm.AlarmName} has to compare one expression.`);
  return Array.from({ length }, (_, period) => {
    const values = new Map([...byId].map(([id, series]) => [id, series[period]]));
    return evaluate(expression, values);
  });
}

/** In place of a value that is missing: what is computed from it is missing, too, unless FILL has replaced it. */
const MISSING = {
  valueOf() {
    throw MISSING;
  },
};

/** Numbers, names, texts in quotes, and + - * / >=, which mean in JavaScript what they mean in metric math. */
const KNOWN_SYNTAX = /^(?:\w|'|>=|[-+*/(), ])+$/;

/** An expression of metric math in one period. */
function evaluate(expression: string, values: ReadonlyMap<string, number | undefined>): number | undefined {
  if (!KNOWN_SYNTAX.test(expression)) throw new Error(`${expression} is not known here.`);
  const names: Readonly<Record<string, unknown>> = {
    IF(condition: unknown, whenTrue: unknown, whenFalse: unknown) {
      if (condition === MISSING) throw MISSING;
      return condition ? whenTrue : whenFalse;
    },
    FILL: (value: unknown, filling: number) => (value === MISSING ? filling : value),
    ...Object.fromEntries([...values].map(([id, value]) => [id, value ?? MISSING])),
  };
  try {
    const result = new Function(...Object.keys(names), `return Number(${expression})`)(
      ...Object.values(names),
    );
    return Number.isFinite(result) ? result : undefined;
  } catch (thrown) {
    if (thrown === MISSING) return undefined;
    throw thrown;
  }
}

const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** The state after the last of these periods, of which the first began with the alarm. */
function nextState(alarm: Properties, values: Series, state: AlarmState): AlarmState {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData, Threshold } = alarm;
  const isBreaching = COMPARISONS[alarm.ComparisonOperator];
  if (!isBreaching) throw new Error(`${alarm.ComparisonOperator} is not known here.`);
  const looksAt = values.slice(-EvaluationPeriods);
  const present = looksAt.filter(value => value !== undefined);
  const warmUp = Number(alarm.WarmUpConfiguration?.WarmUpPeriodDurationInMinutes ?? 0) * 60;
  const isWarmingUp = values.length * periodOf(alarm) < warmUp && present.length < EvaluationPeriods;
  if (isWarmingUp) return 'INSUFFICIENT_DATA';
  const breaching = present.filter(value => isBreaching(value, Threshold)).length;
  // A new alarm takes the periods before it for missing ones, too.
  const missing = EvaluationPeriods - present.length;
  switch (TreatMissingData) {
    case 'breaching':
      return breaching + missing >= DatapointsToAlarm ? 'ALARM' : 'OK';
    case 'notBreaching':
      return breaching >= DatapointsToAlarm ? 'ALARM' : 'OK';
    case 'ignore':
      if (breaching >= DatapointsToAlarm) return 'ALARM';
      return missing > 0 ? state : 'OK';
    default:
      throw new Error(`${TreatMissingData} is not known here.`);
  }
}

export function periodOf(alarm: Properties): number {
  const [period = 0, ...others] = [
    ...new Set(metricsOf(alarm).map(metric => metric.period)),
    ...(alarm.Metrics ?? []).flatMap(({ Period }: { Period?: number }) => Period ?? []),
  ];
  if (others.some(other => other !== period)) throw new Error(`${alarm.AlarmName} has several periods.`);
  return period;
}

/** The properties of the alarms of a stack, by name. */
export function alarmsOf(stack: string): [name: string, alarm: Properties][] {
  const alarms = ofType(templateOf(stack), 'AWS::CloudWatch::Alarm');
  return [...alarms].map(([name, { Properties }]) => [name, Properties]);
}

/** A metric as an alarm names it, alone or within an expression. */
interface WatchedMetric {
  readonly name: string;
  readonly namespace: string;
  readonly statistic: string;
  readonly period: number;
  /** The text of each dimension: a name, or that of the resource that it refers to. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export function metricsOf(alarm: Properties): WatchedMetric[] {
  const watched = (metric: Properties, statistic: string, period: number): WatchedMetric => {
    const dimensions: { Name: string; Value: unknown }[] = metric.Dimensions ?? [];
    return {
      name: metric.MetricName,
      namespace: metric.Namespace,
      statistic,
      period,
      dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, placeOf(Value)])),
    };
  };
  if (alarm.MetricName) return [watched(alarm, alarm.Statistic ?? alarm.ExtendedStatistic, alarm.Period)];
  const queries: Properties[] = alarm.Metrics ?? [];
  return queries.flatMap(({ MetricStat }) =>
    MetricStat ? [watched(MetricStat.Metric, MetricStat.Stat, MetricStat.Period)] : [],
  );
}
