import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { ServiceTable } from '../service-table.ts';

/** Where the articles are, from the root of the repository. */
const RUNBOOK = 'infra/runbook.md';

/** CloudWatch takes no more metrics in the expression of an alarm. */
const METRICS_PER_ALARM = 10;

export const FIVE_MINUTES = Duration.minutes(5);
export const ONE_HOUR = Duration.hours(1);

/** Two of the last three periods: one bad request, or one bad minute, wakes nobody. */
export const TWO_OF_THREE = { breaching: 2, of: 3 };

/**
 * For what happens rarely and was retried before it counts. The period before the last one counts too, since the value of
 * the last one may arrive after CloudWatch has looked at it.
 */
export const ONCE = { breaching: 1, of: 2 };

/** An alarm of the service, as data. */
export interface AlarmDeclaration {
  /** The heading of its article in the runbook, by which its name is made: `Public API latency`. */
  readonly title: string;
  /** What has happened when it fires, in one sentence, and how to find which resource it was. */
  readonly description: string;
  readonly metric: IMetric;
  /** It fires from this value on; an alarm with missingIsBreaching fires below it. */
  readonly threshold: number;
  readonly periods: { readonly breaching: number; readonly of: number };
  /** For a heartbeat: it fires when the metric is missing or below the threshold. */
  readonly missingIsBreaching?: boolean;
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** Creates an alarm that notifies when it fires and when it ends. */
export function addAlarm(
  scope: Construct,
  stage: string,
  action: IAlarmAction,
  { title, description, metric, threshold, periods, missingIsBreaching = false }: AlarmDeclaration,
): Alarm {
  const alarm = new Alarm(scope, constructIdOf(title), {
    alarmName: `petstore-${stage}-${anchorOf(title)}`,
    alarmDescription: `${description} Runbook: ${RUNBOOK}#${anchorOf(articleOf(title))}`,
    metric,
    threshold,
    comparisonOperator: missingIsBreaching
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    treatMissingData: missingIsBreaching ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

/** The sum of metrics, of which each may have no value in a period. */
export function sumOf(metrics: readonly IMetric[], period: Duration, label: string): IMetric {
  return new MathExpression({
    expression: 'SUM(FILL(METRICS(), 0))',
    usingMetrics: metricsById(metrics),
    period,
    label,
  });
}

export function metricsById(metrics: readonly IMetric[]): Record<string, IMetric> {
  return Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
}

/**
 * One alarm over all items, or as many as CloudWatch's limit asks for. The second one is called `<title> 2`, and so on; all
 * share one article. `extra` metrics are in each of them.
 */
export function splitByLimit<Item>(
  title: string,
  items: readonly Item[],
  declare: (title: string, items: readonly Item[]) => AlarmDeclaration,
  { metricsPerItem = 1, extra = 0 } = {},
): AlarmDeclaration[] {
  const size = Math.floor((METRICS_PER_ALARM - extra) / metricsPerItem);
  const groups = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
  return groups.map((group, index) => declare(index === 0 ? title : `${title} ${index + 1}`, group));
}

/** The heading of the article of an alarm: the alarms that a limit split share one. */
function articleOf(title: string): string {
  return title.replace(/ \d+$/, '');
}

function constructIdOf(title: string): string {
  return title
    .split(/[^A-Za-z0-9]+/)
    .map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

type Watched = ServiceApi | ServiceFunction | ServiceTable | StateMachine | Queue;

/** The ids of constructs that are one of a kind in their capability, and are called by its name. */
const KINDS = ['Api', 'Queue'];

/** How an alarm calls what it watches: `Reconcile domains` for ReconcileDomains, `Public API` for PublicApi/Api. */
export function titleOf(part: Watched): string {
  if (part instanceof ServiceTable) return wordsOf(part.name);
  const { id, scope } = part.node;
  return wordsOf(KINDS.includes(id) && scope ? scope.node.id : id);
}

function wordsOf(id: string): string {
  const words = id.split(/(?=[A-Z])/).map(word => (/^api$/i.test(word) ? 'API' : word.toLowerCase()));
  const [first = '', ...others] = words;
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join(' ');
}
