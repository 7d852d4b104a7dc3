import { describe, expect, test } from 'vitest';
import { STACKS, templateOf } from '../templates.ts';
import { alarmsOf, metricsOf, resourcesOf } from './watched.ts';

interface Limit {
  readonly statistic: string;
  /** The highest threshold of an alarm on this metric. */
  readonly atMost: number;
}

/** How each metric is counted, and how much of it wakes somebody at the latest. */
const LIMITS: Record<string, Limit> = {
  // Percent of the requests, and milliseconds.
  '5XXError': { statistic: 'Sum', atMost: 1 },
  Latency: { statistic: 'p95', atMost: 2000 },
  PublicApiThrottled: { statistic: 'Sum', atMost: 5 },
  RedirectsThrottled: { statistic: 'Sum', atMost: 5 },
  // Four fifths of the default quota of an account.
  ClaimedAccountConcurrency: { statistic: 'Maximum', atMost: 800 },
  Errors: { statistic: 'Sum', atMost: 5 },
  // Percent of the time limit of the function.
  Duration: { statistic: 'Maximum', atMost: 80 },
  Throttles: { statistic: 'Sum', atMost: 5 },
  AsyncEventsDropped: { statistic: 'Sum', atMost: 1 },
  ExecutionsFailed: { statistic: 'Sum', atMost: 1 },
  ExecutionsTimedOut: { statistic: 'Sum', atMost: 1 },
  ExecutionsAborted: { statistic: 'Sum', atMost: 1 },
  ReadThrottleEvents: { statistic: 'Sum', atMost: 5 },
  WriteThrottleEvents: { statistic: 'Sum', atMost: 5 },
  SystemErrors: { statistic: 'Sum', atMost: 5 },
  FailedInvocations: { statistic: 'Sum', atMost: 1 },
  ApproximateNumberOfMessagesVisible: { statistic: 'Maximum', atMost: 1 },
  DomainsNeedAttention: { statistic: 'Maximum', atMost: 1 },
  DomainsFailedWithinADay: { statistic: 'Maximum', atMost: 1 },
  DomainsWaitingLongerThanADay: { statistic: 'Maximum', atMost: 1 },
  CertificatesExpiringSoon: { statistic: 'Maximum', atMost: 1 },
};

/** Counts what others are divided by, and has no threshold of its own. */
const REQUESTS = { name: 'Count', statistic: 'SampleCount' };

/** The expressions over several metrics. Each is a sum, a maximum or a share, perhaps from some requests on. */
const DURATION = String.raw`100 \* FILL\(m\d, 0\) / (?<limitMs>\d+)`;
const EXPRESSIONS = [
  /^SUM\(FILL\(METRICS\(\), 0\)\)$/,
  /^SUM\(\[FILL\(failed, 0\), FILL\(timedOut, 0\), IF\(FILL\(aborted, 0\) >= \d+, FILL\(aborted, 0\), 0\)\]\)$/,
  /^IF\((\w+) >= \d+, 100 \* \1 \/ requests, 0\)$/,
  /^IF\(requests >= \d+, latency, 0\)$/,
  new RegExp(
    `^(IF\\(requests >= \\d+, )?(MAX\\(\\[)?(${DURATION.replace('?<limitMs>', '')}(, )?)+(\\]\\))?(, 0\\))?$`,
  ),
];

describe.each(STACKS)('the thresholds of the alarms of %s', stack => {
  const template = templateOf(stack);
  const alarms = alarmsOf(stack);
  const isHeartbeat = (name: string) => name.endsWith('Runs');

  test('are not above the limit of any metric that an alarm watches, by the statistic that shows it', () => {
    for (const [id, alarm] of alarms) {
      for (const { name, statistic } of metricsOf(alarm)) {
        if (name === REQUESTS.name) expect(statistic, id).toBe(REQUESTS.statistic);
        else if (!isHeartbeat(name)) {
          expect(statistic, id).toBe(LIMITS[name]?.statistic);
          expect(alarm.Threshold, id).toBeGreaterThan(0);
          expect(alarm.Threshold, id).toBeLessThanOrEqual(LIMITS[name]?.atMost ?? 0);
        }
      }
    }
  });

  test('are reached from below, and those of heartbeats from above', () => {
    for (const [id, alarm] of alarms) {
      const [metric] = metricsOf(alarm);
      expect(alarm.ComparisonOperator, id).toBe(
        isHeartbeat(metric?.name ?? '') ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold',
      );
    }
  });

  test('are reached within a day: after one period of two, two of three, or every one of a heartbeat', () => {
    for (const [id, alarm] of alarms) {
      const [metric] = metricsOf(alarm);
      if (isHeartbeat(metric?.name ?? '')) continue;
      expect(['1 of 2', '2 of 3'], id).toContain(`${alarm.DatapointsToAlarm} of ${alarm.EvaluationPeriods}`);
      expect(metric?.period, id).toBeLessThanOrEqual(3600);
    }
  });

  test('are compared with an expression of a known form, whose metrics are all there', () => {
    for (const [id, { Metrics = [] }] of alarms) {
      for (const { Expression } of Metrics) {
        if (Expression === undefined) continue;
        expect(
          EXPRESSIONS.some(form => form.test(Expression)),
          `${id}: ${Expression}`,
        ).toBe(true);
        const names: string[] = Expression.match(/\b[a-z]\w*\b/g) ?? [];
        const ids = Metrics.map(({ Id }: { Id: string }) => Id);
        expect(ids, id).toEqual(expect.arrayContaining(names));
      }
    }
  });

  test('of durations are shares of the time limits of the functions', () => {
    for (const [id, { Metrics = [] }] of alarms) {
      for (const { Expression = '' } of Metrics) {
        for (const [, metric, limitMs] of Expression.matchAll(/FILL\((m\d+), 0\) \/ (\d+)/g)) {
          const query = Metrics.find(({ Id }: { Id: string }) => Id === metric);
          const [{ Value }] = query.MetricStat.Metric.Dimensions;
          expect(template.Resources[Value.Ref]?.Properties.Timeout, id).toBe(Number(limitMs) / 1000);
        }
      }
    }
  });

  test('are explained: each alarm says what has happened, and where the runbook tells what to do', () => {
    for (const [id, { AlarmDescription }] of alarms) {
      expect(AlarmDescription, id).toMatch(/^[A-Z].+\. Runbook: infra\/runbook\.md#[a-z0-9-]+$/);
    }
    expect(resourcesOf(template, 'AWS::CloudWatch::Alarm')).toHaveLength(alarms.length);
  });
});
