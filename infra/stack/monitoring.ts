import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';

const PERIOD = Duration.minutes(5);

/** Alarms for when the service is not well, and a dashboard that shows why. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, environment: Environment, { api, operations }: PublicApi) {
    super(scope, id);
    const requests = api.metricCount({ period: PERIOD, label: 'requests' });
    const clientErrors = api.metricClientError({ period: PERIOD, statistic: 'sum', label: '4xx' });
    const serverErrors = api.metricServerError({ period: PERIOD, statistic: 'sum', label: '5xx' });
    const latency = (statistic: string) => api.metricLatency({ period: PERIOD, statistic, label: statistic });
    const perFunction = (metric: 'metricErrors' | 'metricThrottles' | 'metricDuration', statistic: string) =>
      operations.map(operation =>
        operation.lambda[metric]({ period: PERIOD, statistic, label: operation.node.id }),
      );
    const throttles = new MathExpression({
      expression: 'SUM(METRICS())',
      usingMetrics: Object.fromEntries(
        perFunction('metricThrottles', 'sum').map((metric, index) => [`m${index}`, metric]),
      ),
      period: PERIOD,
      label: 'throttled invocations',
    });
    const errorPercentage = new MathExpression({
      expression: 'IF(requests > 0, 100 * errors / requests, 0)',
      usingMetrics: { requests, errors: serverErrors },
      period: PERIOD,
      label: '5xx, percent',
    });

    this.#alarm(
      'ServerErrors',
      errorPercentage,
      1,
      'More than 1 % of the requests were answered with a 5xx.',
    );
    this.#alarm('Latency', latency('p99'), 2000, 'One request in a hundred took longer than 2 s.');
    this.#alarm(
      'Throttles',
      throttles,
      0,
      'Lambda had no room for a function: raise the account’s concurrency.',
    );

    new Dashboard(this, 'Dashboard', {
      dashboardName: `petstore-${environment.stage}-${Stack.of(this).region}`,
      widgets: [
        [
          graph('Requests', [requests, clientErrors, serverErrors]),
          graph('Latency, ms', [latency('p50'), latency('p99')]),
        ],
        [
          graph('Function duration p99, ms', perFunction('metricDuration', 'p99')),
          graph('Function errors', [...perFunction('metricErrors', 'sum'), throttles]),
        ],
      ],
    });
  }

  #alarm(id: string, metric: IMetric, threshold: number, alarmDescription: string): void {
    new Alarm(this, id, {
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription,
    });
  }
}

function graph(title: string, metrics: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: metrics, width: 12 });
}
