import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DomainCounts, domainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { type AlarmDeclaration, FIVE_MINUTES, TWO_OF_THREE } from './service-alarm.ts';

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

/** What alarms say of the counts that the reconcile logs of all domains. Counts without an alarm are on the dashboard. */
const DOMAIN_ALARMS: Partial<Record<keyof DomainCounts, Pick<AlarmDeclaration, 'title' | 'description'>>> = {
  needAttention: {
    title: 'Domains need attention',
    description:
      'A live domain no longer points here or its certificate cannot be renewed, or a removal stalled: petstore domains list says which.',
  },
  failedWithinADay: {
    title: 'Domains failed',
    description: 'The verification of a domain failed within the last day: petstore domains list says which.',
  },
  waitingLongerThanADay: {
    title: 'Domains waiting',
    description:
      'A verification or removal has been running for longer than a day: petstore domains list says of which domain.',
  },
  certificatesExpiringSoon: {
    title: 'Certificates expiring',
    description:
      'The certificate of a live domain expires within 30 days: the query “domains that need attention” and petstore domains show say why.',
  },
};

export function domainAlarms(metrics: ReadonlyMap<keyof DomainCounts, MetricFilter>): AlarmDeclaration[] {
  return [...metrics].flatMap(([count, filter]) => {
    const alarm = DOMAIN_ALARMS[count];
    if (!alarm) return [];
    const metric = filter.metric({ statistic: 'max', period: FIVE_MINUTES });
    return [{ ...alarm, metric, threshold: 1, periods: TWO_OF_THREE }];
  });
}
