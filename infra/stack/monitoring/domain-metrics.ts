import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DomainCounts, domainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';

const COUNTS: readonly (keyof DomainCounts)[] = Object.keys(domainCounts([], 0));

/** A metric for each count that the reconcile of domains logs, five minutes after another at most. */
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

/** needAttention is the metric DomainsNeedAttention, certificatesExpiringSoon keeps its own noun. */
function metricNameOf(count: string): string {
  const name = `${count.charAt(0).toUpperCase()}${count.slice(1)}`;
  return /^(Domains|Certificates)/.test(name) ? name : `Domains${name}`;
}
