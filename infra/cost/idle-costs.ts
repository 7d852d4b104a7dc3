import { ASSUMED, IDLE_RUN } from './measured.ts';
import { PRICES } from './prices.ts';
import { invocationCost, loggedCost } from './request-costs.ts';
import { resourcesOf, type Template, type TemplateResource } from './template.ts';

/** What one kind of resource costs in a month without requests. */
export interface IdleCost {
  readonly what: string;
  readonly count: number;
  readonly usd: number;
}

const MILLION = 1_000_000;
const MINUTES_OF_MONTH = 30 * 24 * 60;

export function idleCosts(template: Template): IdleCost[] {
  const count = (type: string) => resourcesOf(template, type).length;
  const priced = (what: string, amount: number, { usd }: { readonly usd: number }): IdleCost => ({
    what,
    count: amount,
    usd: amount * usd,
  });
  const alarmMetrics = resourcesOf(template, 'AWS::CloudWatch::Alarm').reduce(
    (sum, [, alarm]) => sum + metricsOf(alarm),
    0,
  );
  const runs = scheduledRuns(template);
  return [
    priced('metrics of alarms', alarmMetrics, PRICES.alarmMetric),
    priced('composite alarms', count('AWS::CloudWatch::CompositeAlarm'), PRICES.compositeAlarm),
    priced('dashboards', count('AWS::CloudWatch::Dashboard'), PRICES.dashboard),
    priced('custom metrics of metric filters', customMetrics(template), PRICES.customMetric),
    priced('secrets', count('AWS::SecretsManager::Secret'), PRICES.secret),
    priced('KMS keys', count('AWS::KMS::Key'), PRICES.kmsKey),
    priced('hosted zones', count('AWS::Route53::HostedZone'), PRICES.hostedZone),
    {
      what: 'scheduled runs: Lambda',
      count: runs.length,
      usd: runs.reduce((sum, run) => sum + run.lambda, 0),
    },
    {
      what: 'scheduled runs: tables',
      count: runs.length,
      usd: runs.reduce((sum, run) => sum + run.tables, 0),
    },
    { what: 'scheduled runs: logs', count: runs.length, usd: runs.reduce((sum, run) => sum + run.logs, 0) },
  ].filter(({ count: amount }) => amount > 0);
}

/** An alarm on one metric, or on an expression of several. */
function metricsOf({ Properties: { Metrics } }: TemplateResource): number {
  if (Metrics === undefined) return 1;
  return Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat !== undefined).length;
}

/** A metric that has dimensions is counted once, although each value that occurs is a metric of its own. */
function customMetrics(template: Template): number {
  const names = resourcesOf(template, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
    Properties.MetricTransformations.map(
      ({ MetricNamespace, MetricName }: Record<string, string>) => `${MetricNamespace} ${MetricName}`,
    ),
  );
  return new Set(names).size;
}

/** The schedules, each with what its runs of a month cost. */
function scheduledRuns(template: Template) {
  return resourcesOf(template, 'AWS::Events::Rule').flatMap(([id, { Properties }]) => {
    const { ScheduleExpression, Targets } = Properties;
    if (ScheduleExpression === undefined) return [];
    const runs = MINUTES_OF_MONTH / minutesOf(id, ScheduleExpression);
    return Targets.map(({ Arn }: { Arn: { 'Fn::GetAtt': [string, string] } }) => {
      const [construct = ''] = Arn['Fn::GetAtt'][0].split(/Function[0-9A-F]{8}$/);
      return {
        lambda: (runs / MILLION) * invocationCost(template, { ...IDLE_RUN, construct }),
        tables: ((runs * IDLE_RUN.readUnits) / MILLION) * PRICES.readUnits.usd,
        logs: loggedCost(template, runs * (IDLE_RUN.loggedBytes + ASSUMED.invocationLogBytes)),
      };
    });
  });
}

const MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 24 * 60 };

function minutesOf(id: string, expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = Number(count) * (MINUTES[unit] ?? Number.NaN);
  if (Number.isNaN(minutes)) throw new Error(`The schedule ${expression} of ${id} is not known here.`);
  return minutes;
}
