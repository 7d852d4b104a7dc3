import { MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceApi } from '../service-api.ts';
import { type AlarmDeclaration, FIVE_MINUTES, TWO_OF_THREE } from './service-alarm.ts';
import { titleOf } from './titles.ts';

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
      description: `One request in a hundred, and at least ${LEAST_ERRORS} in five minutes, were answered with a 5xx.`,
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
      description: `One request in twenty, and at least ${LEAST_THROTTLED} in five minutes, were answered with 429.`,
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
