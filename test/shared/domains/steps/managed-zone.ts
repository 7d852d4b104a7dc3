import { beforeAll } from 'vitest';
import { nameServers } from '../../../../infra/local/route53/aws-names.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { type AccountZones, accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore } from '../../../../shared/domains/life/domain-store.ts';
import { servedRoute53 } from '../../../infra/local/route53/served-route53.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { stubEndpoint } from '../aws/client-endpoint.ts';
import { AT, AT_MS, certified, claimed } from '../claimed-domain.ts';
import { zoneLookup } from '../dns/zone-lookup.ts';

export let store: DomainStore;
beforeAll(async () => {
  store = domainStore(await tableLike('DomainsTable'));
});

export interface ZoneOptions {
  /** The name servers of the delegation, if not those of the zone. */
  readonly delegatedTo?: (own: readonly string[]) => readonly string[];
  readonly isPrivate?: boolean;
  readonly zoneName?: string;
}

/** The zone zoo.example at the local Route 53, on the allow-list and delegated to. */
export async function servedZone({
  delegatedTo = own => own.toReversed(),
  isPrivate = false,
  zoneName = 'zoo.example',
}: ZoneOptions = {}) {
  const route53 = await servedRoute53({ waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created(zoneName);
  const all = accountZones([zoneId]);
  const zones: AccountZones = {
    ...all,
    list: async () => (await all.list()).map(zone => ({ ...zone, isPrivate })),
  };
  const lookup = zoneLookup(() => ({ [`${zoneName} NS`]: delegatedTo(nameServers(zoneId)) }));
  const vantagePoints = async () => ({
    zone: zoneName,
    isApex: false,
    authoritative: undefined,
    resolvers: [lookup],
  });
  const records = () =>
    (route53.zones.find(zoneId)?.recordSets ?? [])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ type, name, values, aliasTarget }) => [type, name, aliasTarget?.dnsName ?? values].join(' '));
  const shared = new Set<string>();
  const certificates = { isRecordShared: async (_: Domain, name: string) => shared.has(name) };
  const parts = { domains: store, accountZones: zones, certificates, vantagePoints };
  return { route53, zoneId, records, zones, shared, parts };
}

/** A stored domain whose records were all found in this state. */
export async function domainWithRecords(
  state: Domain['records'][number]['state'],
  changes: Partial<Domain> = {},
): Promise<Domain> {
  const domain = claimed({
    status: 'verifying',
    verifiedAt: AT,
    certificate: certified({ status: 'PENDING_VALIDATION' }),
    ...changes,
  });
  const before = await store.find(domain.domain, 'zoo');
  if (before) await store.forget(before, AT_MS);
  await transact([store.claim(domain)]);
  const records = requiredRecords(domain).map(required => ({
    ...required,
    state,
    observed: [],
    action: 'Create it.',
  }));
  return { ...domain, records };
}
