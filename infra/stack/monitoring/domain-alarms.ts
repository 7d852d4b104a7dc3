import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { DomainCounts } from '../../../shared/domains/life/domain-counts.ts';
import { type AlarmDeclaration, FIVE_MINUTES, TWO_OF_THREE } from './service-alarm.ts';

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
