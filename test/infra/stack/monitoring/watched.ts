import { type Template, type TemplateResource, templateOf } from '../templates.ts';

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

/** A metric as an alarm names it, alone or within an expression. */
export interface WatchedMetric {
  readonly name: string;
  readonly namespace: string;
  readonly statistic: string;
  readonly period: number;
  /** The text of each dimension: a name, or the logical id that it refers to. */
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The properties of the alarms of a stack, by logical id: those on metrics, then those on other alarms. */
export function alarmsOf(stack: string): [id: string, properties: TemplateResource['Properties']][] {
  return ['Alarm', 'CompositeAlarm'].flatMap(kind =>
    resourcesOf(templateOf(stack), `AWS::CloudWatch::${kind}`).map(
      ([id, { Properties }]): [string, TemplateResource['Properties']] => [id, Properties],
    ),
  );
}

export function resourcesOf(template: Template, type: string): [string, TemplateResource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

export function metricsOf(alarm: TemplateResource['Properties']): WatchedMetric[] {
  const queries: TemplateResource['Properties'][] = alarm.Metrics ?? [];
  const stats = queries.flatMap(({ MetricStat }) => MetricStat ?? []);
  return alarm.MetricName
    ? [watched(alarm, alarm.Statistic ?? alarm.ExtendedStatistic, alarm.Period)]
    : stats.map(({ Metric, Stat, Period }) => watched(Metric, Stat, Period));
}

function watched(metric: TemplateResource['Properties'], statistic: string, period: number): WatchedMetric {
  const dimensions: Dimension[] = metric.Dimensions ?? [];
  return {
    name: metric.MetricName,
    namespace: metric.Namespace,
    statistic,
    period,
    dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, textOf(Value)])),
  };
}

/** The text of a value, with the logical ids of the resources that it refers to. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Intrinsic;
  if (join) return join[1].map(textOf).join(join[0]);
  return Ref ?? attribute?.[0] ?? JSON.stringify(value);
}

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [logicalId: string, attribute: string];
  readonly 'Fn::Join'?: readonly [separator: string, parts: unknown[]];
}
