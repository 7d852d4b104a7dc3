import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { createPet } from '../../../shared/pets/operations.ts';
import type { ServiceApi } from '../service-api.ts';

/** Counts the lines of an API's access log that match, at no cost per request. Other lines count zero. */
export class AccessLogCounter {
  readonly #scope: Construct;
  readonly #namespace: string;
  readonly #api: ServiceApi;
  readonly #prefix: string;

  constructor(scope: Construct, namespace: string, api: ServiceApi) {
    this.#scope = scope;
    this.#namespace = namespace;
    this.#api = api;
    this.#prefix = api.node.scope?.node.id ?? '';
  }

  /** Answers with a status, such as 429. */
  status(metric: string, status: number): Metric {
    return this.#count(metric, FilterPattern.stringValue('$.status', '=', String(status)));
  }

  /** Requests of an operation, or its answers with a status. */
  operation(metric: string, { method, path }: Route, status?: number): Metric {
    const isMethod = FilterPattern.stringValue('$.method', '=', method);
    const isHead = FilterPattern.stringValue('$.method', '=', 'HEAD');
    return this.#count(
      metric,
      FilterPattern.all(
        // A client that asks by HEAD uses the operation, too.
        method === 'GET' ? FilterPattern.any(isMethod, isHead) : isMethod,
        FilterPattern.stringValue('$.resource', '=', `/v1${path}`),
        ...(status === undefined ? [] : [FilterPattern.stringValue('$.status', '=', String(status))]),
      ),
    );
  }

  #count(metric: string, filterPattern: IFilterPattern): Metric {
    const metricName = `${this.#prefix}${metric}`;
    const filter = new MetricFilter(this.#scope, metricName, {
      logGroup: this.#api.accessLogs,
      filterPattern,
      metricNamespace: this.#namespace,
      metricName,
      metricValue: '1',
      defaultValue: 0,
    });
    return filter.metric({ statistic: 'sum', label: metric });
  }
}

/** Answers 201 of createPet. Those that repeat an earlier answer, by its Idempotency-Key, are counted with them. */
export function createdAnimals(counter: AccessLogCounter): Metric {
  return counter.operation('CreatedAnimals', createPet, 201);
}

/** The requests of each deprecated operation. */
export function deprecatedRequests(counter: AccessLogCounter): Metric[] {
  const deprecated = OPERATIONS.filter(({ stability }) => stability === 'deprecated');
  return deprecated.map(operation => counter.operation(`Deprecated-${operation.name}`, operation));
}
