import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { ServiceTable } from '../service-table.ts';

/** Where the articles are, relative to the repository. */
const RUNBOOK = 'infra/runbook.md';

export const FIVE_MINUTES = Duration.minutes(5);
export const ONE_HOUR = Duration.hours(1);

/** Two of the last three periods: one bad request, or one bad minute, wakes nobody. */
export const TWO_OF_THREE = { breaching: 2, of: 3 };

/**
 * For what is rare and was already retried. The second-last period counts, too, since the last one's value may arrive after
 * CloudWatch has evaluated it.
 */
export const ONCE = { breaching: 1, of: 2 };

/** A page means clients are affected now; a ticket, that somebody has to do something today or tomorrow. */
export type Severity = 'page' | 'ticket';

/** An alarm of the service, as data. */
export interface AlarmDeclaration {
  readonly severity: Severity;
  /** The heading of its article in the runbook, from which its name is made: `Public API latency`. */
  readonly title: string;
  /** The heading of an article that several alarms share. */
  readonly article?: string;
  /** What happened when it fires, in one sentence, and how to find the resource. */
  readonly description: string;
  readonly metric: IMetric;
  /** It fires at this value or above; below it, if missing data is breaching. */
  readonly threshold: number;
  readonly periods: { readonly breaching: number; readonly of: number };
  /**
   * What a period without data means. By default, all is well. `breaching` is for a heartbeat, and holds only once the alarm
   * has existed for as long as it looks back: a new stack has no data. `ignore` keeps the state.
   */
  readonly missing?: 'breaching' | 'ignore';
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

const MISSING = { breaching: TreatMissingData.BREACHING, ignore: TreatMissingData.IGNORE };

/** Creates an alarm that notifies when it fires and when it ends. */
export function addAlarm(
  scope: Construct,
  stage: string,
  actions: Readonly<Record<Severity, IAlarmAction>>,
  declaration: AlarmDeclaration,
): Alarm {
  const { severity, metric, threshold, periods, missing } = declaration;
  const alarm = new Alarm(scope, constructIdOf(declaration.title), {
    alarmName: alarmName(stage, declaration),
    alarmDescription: `${capitalised(severity)}: ${descriptionOf(declaration)}`,
    metric,
    threshold,
    comparisonOperator:
      missing === 'breaching'
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: periods.of,
    datapointsToAlarm: periods.breaching,
    treatMissingData: missing ? MISSING[missing] : TreatMissingData.NOT_BREACHING,
  });
  if (missing === 'breaching') {
    const resource = alarm.node.defaultChild as CfnAlarm;
    // One period longer than it looks back: the schedule may have been created after the alarm.
    const minutes = (periods.of + 1) * periodOf(metric).toMinutes();
    resource.addPropertyOverride('WarmUpConfiguration.WarmUpPeriodDurationInMinutes', minutes);
  }
  alarm.addAlarmAction(actions[severity]);
  alarm.addOkAction(actions[severity]);
  return alarm;
}

function alarmName(stage: string, { title }: AlarmDeclaration): string {
  return `petstore-${stage}-${anchorOf(title)}`;
}

function descriptionOf({ title, article = title, description }: AlarmDeclaration): string {
  return `${description} Runbook: ${RUNBOOK}#${anchorOf(article)}`;
}

function periodOf(metric: IMetric): Duration {
  const { metricStat, mathExpression } = metric.toMetricConfig();
  return metricStat?.period ?? Duration.seconds(mathExpression?.period ?? 0);
}

/** RefusedKeys for refused-keys. */
export function constructIdOf(title: string): string {
  return title
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('');
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

type Watched = ServiceApi | ServiceFunction | ServiceTable | StateMachine;

/**
 * What alarms and graphs call the thing they watch: `Reconcile domains` for ReconcileDomains, `Public API` for
 * PublicApi/Api.
 */
export function titleOf(part: Watched): string {
  if (part instanceof ServiceTable) return wordsOf(part.name);
  const { id, scope } = part.node;
  return wordsOf(id === 'Api' && scope ? scope.node.id : id);
}

function wordsOf(id: string): string {
  const words = id.split(/(?=[A-Z])/).map(word => (/^api$/i.test(word) ? 'API' : word.toLowerCase()));
  return capitalised(words.join(' '));
}
