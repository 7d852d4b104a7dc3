import { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import type { AlarmDeclaration } from './service-alarm.ts';
import type { ScheduledFunction } from './stack-parts.ts';
import { titleOf } from './titles.ts';

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
