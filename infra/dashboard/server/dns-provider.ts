import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { readValues } from '../../cli/domains/dns/dns-record.ts';
import { HostedZones } from '../../cli/domains/dns/hosted-zones.ts';
import { setRecord } from '../../cli/domains/dns/set-record.ts';
import type { Target } from '../../cli/framework/target.ts';
import type { EnvironmentOperator } from './environment-operator.ts';

/** The DNS provider of custom domains on one machine. */
export interface DnsProvider {
  /** Creates the records that a domain needs, and deletes those that are in their way. */
  createRecords(project: string, domain: string): Promise<{ readonly created: number }>;
}

/** The types that a CNAME cannot stand beside. An ALIAS is stored as an A record, which replaces the A record. */
const IN_THE_WAY = { CNAME: ['A', 'AAAA', 'TXT'], ALIAS: ['AAAA'], TXT: ['CNAME'] } as const;

export function localDnsProvider(
  target: Pick<Target, 'aws'>,
  operator: Pick<EnvironmentOperator, 'read'>,
): DnsProvider {
  return {
    async createRecords(project, domain) {
      const zones = await HostedZones.of(target);
      const report = (await operator.read('domains.show', { project, domain })) as DomainReport;
      for (const record of report.records) {
        await deleteObstacles(zones, record);
        const { name, type, value, ttl } = record;
        await setRecord(zones, { name, type, ttl, values: readValues(type, [value]) });
      }
      return { created: report.records.length };
    },
  };
}

async function deleteObstacles(zones: HostedZones, { name, type }: DomainRecord): Promise<void> {
  const zone = await zones.zoneOf(name);
  const types: readonly string[] = IN_THE_WAY[type];
  const isInTheWay = (set: ResourceRecordSet) => set.Name === name && types.includes(set.Type ?? '');
  const obstacles = zone ? (await zones.recordsOf(zone)).filter(isInTheWay) : [];
  for (const set of obstacles) if (zone) await zones.change(zone, 'DELETE', set);
}
