import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DomainCounts, domainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { CANARY_IMPAIRED, RUN_COMPLETED } from '../../../shared/log.ts';
import type { Route } from '../../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { createPet } from '../../../shared/pets/operations.ts';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';

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

  /** Responses with a status, such as 429. */
  status(metric: string, status: number): Metric {
    return this.#count(metric, FilterPattern.stringValue('$.status', '=', String(status)));
  }

  /**
   * 5xx responses to requests that Lambda refused for their size, from a body of about 4.5 MB up. We saw API Gateway turn
   * them into 413, but some report 500, and then anybody could set off an alarm.
   */
  oversized(metric: string): Metric {
    return this.#count(
      metric,
      FilterPattern.all(
        FilterPattern.stringValue('$.lambdaStatus', '=', '413'),
        FilterPattern.stringValue('$.status', '=', '5*'),
      ),
    );
  }

  /** Requests of an operation, or its responses with a status. */
  operation(metric: string, { method, path }: Route, status?: number): Metric {
    const isMethod = FilterPattern.stringValue('$.method', '=', method);
    const isHead = FilterPattern.stringValue('$.method', '=', 'HEAD');
    return this.#count(
      metric,
      FilterPattern.all(
        // HEAD uses the operation, too.
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

/** createPet's 201 responses, including those that repeat an earlier one for its Idempotency-Key. */
export function createdPets(counter: AccessLogCounter): Metric {
  return counter.operation('CreatedAnimals', createPet, 201);
}

/** The requests of each deprecated operation. */
export function deprecatedRequests(counter: AccessLogCounter): Metric[] {
  const deprecated = OPERATIONS.filter(({ stability }) => stability === 'deprecated');
  return deprecated.map(operation => counter.operation(`Deprecated-${operation.name}`, operation));
}

const COUNTS: readonly (keyof DomainCounts)[] = Object.keys(domainCounts([], 0));

/** A metric for each count that the reconcile of domains logs, at least every five minutes. */
export function domainMetrics(
  scope: Construct,
  namespace: string,
  logGroup: LogGroup,
): Map<keyof DomainCounts, MetricFilter> {
  const filterOf = (count: string) =>
    new MetricFilter(scope, metricNameOf(count), {
      logGroup,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.message', '=', RUN_COMPLETED),
        FilterPattern.numberValue(`$.${count}`, '>=', 0),
      ),
      metricNamespace: namespace,
      metricName: metricNameOf(count),
      metricValue: `$.${count}`,
    });
  return new Map(COUNTS.map(count => [count, filterOf(String(count))]));
}

/** needAttention becomes the metric DomainsNeedAttention; certificatesExpiringSoon already has a noun. */
function metricNameOf(count: string): string {
  const name = `${count.charAt(0).toUpperCase()}${count.slice(1)}`;
  return /^(Domains|Certificates)/.test(name) ? name : `Domains${name}`;
}

/** A function's completed scheduled runs, counted by the line it logs at the end of each. */
export function completedRuns(
  scope: Construct,
  namespace: string,
  { node, logGroup }: ServiceFunction,
): Metric {
  const filter = new MetricFilter(scope, `${node.id}Runs`, {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.message', '=', RUN_COMPLETED),
    metricNamespace: namespace,
    metricName: `${node.id}Runs`,
    metricValue: '1',
  });
  return filter.metric({ statistic: 'sum' });
}

/**
 * One metric of all failed invocations of these functions, counted from the report that Lambda logs for each: with Lambda's own
 * metrics, the alarm would pay for one per function. For the canary, whose failures page, it counts the runs in which the canary
 * itself was impaired.
 */
export function backgroundErrors(
  scope: Construct,
  namespace: string,
  functions: readonly ServiceFunction[],
  canary: ServiceFunction,
): Metric {
  const metricName = 'BackgroundErrors';
  const count = ({ node, logGroup }: ServiceFunction, filterPattern: IFilterPattern) =>
    new MetricFilter(scope, `${node.id}Errors`, {
      logGroup,
      filterPattern,
      metricNamespace: namespace,
      metricName,
      metricValue: '1',
    });
  const isFailure = FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  );
  for (const fn of functions) count(fn, isFailure);
  count(canary, FilterPattern.stringValue('$.message', '=', CANARY_IMPAIRED));
  return new Metric({ namespace, metricName, statistic: 'sum' });
}
