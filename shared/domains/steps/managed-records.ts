import type { AccountZone, AccountZones } from '../aws/account-zones.ts';
import type { VantagePoints } from '../dns/check-dns.ts';
import { type Domain, type ManagedRecord, nextRevision } from '../life/domain.ts';
import { isWithin } from '../life/domain-name.ts';
import type { DomainStore } from '../life/domain-store.ts';

/**
 * The records that the flow makes itself, where the zone of a domain is in this account and allowed. What is managed is noted
 * first, so that it can be taken away again whatever happens in between.
 */
export interface ManagedRecords {
  /** Makes those records that are missing and whose values are known; the domain as it is afterwards. */
  make(domain: Domain): Promise<Domain>;
  /** Makes the alias of an apex, whose target is known once the domain name is there. */
  makeAlias(domain: Domain): Promise<Domain>;
  removeAll(domain: Domain): Promise<void>;
}

export interface ManagedRecordsParts {
  readonly store: DomainStore;
  readonly zones: AccountZones;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
}

export function managedRecords({ store, zones, vantagePoints }: ManagedRecordsParts): ManagedRecords {
  /** A zone in the account proves nothing: the name servers that the world asks must be those of the zone. */
  const isAuthoritative = async ({ name, nameServers }: AccountZone): Promise<boolean> => {
    const [resolver] = (await vantagePoints(name)).resolvers;
    const seen = await resolver?.(name, 'NS');
    if (seen?.kind !== 'records') return false;
    return seen.values.toSorted().join() === nameServers.toSorted().join();
  };

  const zoneOf = async (domain: string): Promise<string | undefined> => {
    const candidates = (await zones.list())
      .filter(({ name, isPrivate }) => !isPrivate && isWithin(domain, name))
      .toSorted((left, right) => right.name.length - left.name.length);
    const [closest] = candidates;
    return closest && (await isAuthoritative(closest)) ? closest.id : undefined;
  };

  const recordAndCreate = async (before: Domain, records: readonly ManagedRecord[]): Promise<Domain> => {
    let domain = before;
    for (const record of records) {
      if (!domain.managed.some(managed => isSame(managed, record))) {
        domain = nextRevision(domain, { managed: [...domain.managed, record] });
        await store.save(domain);
      }
      // One that is there already may be ours, from an answer that was lost or another delivery of this step. The note
      // stays: what is not exactly as noted is not deleted.
      await zones.create(record);
    }
    return { ...domain, records: domain.records.map(record => spreading(record, domain.managed)) };
  };

  return {
    async make(domain) {
      const missing = domain.records.filter(({ type, state }) => state === 'missing' && type !== 'ALIAS');
      if (missing.length === 0) return domain;
      const zoneId = await zoneOf(domain.domain);
      if (zoneId === undefined) return domain;
      return recordAndCreate(
        domain,
        missing.map(({ type, name, value, ttl }) => ({
          zoneId,
          type: managedType(type),
          name,
          value,
          ttl,
          aliasZoneId: null,
        })),
      );
    },

    async makeAlias(domain) {
      const isMissing = domain.records.some(({ type, state }) => type === 'ALIAS' && state === 'missing');
      if (domain.gateway === null || !isMissing) return domain;
      const { host, hostedZoneId } = domain.gateway;
      const zoneId = await zoneOf(domain.domain);
      if (zoneId === undefined) return domain;
      return recordAndCreate(domain, [
        { zoneId, type: 'A', name: domain.domain, value: host, ttl: 0, aliasZoneId: hostedZoneId },
      ]);
    },

    async removeAll({ managed }) {
      for (const record of managed) await zones.remove(record);
    },
  };
}

function isSame(one: ManagedRecord, other: ManagedRecord): boolean {
  return one.type === other.type && one.name === other.name && one.value === other.value;
}

/** A record that was managed a moment ago asks nothing of anybody. */
function spreading(record: Domain['records'][number], managed: readonly ManagedRecord[]) {
  const isManaged = managed.some(
    ({ name, type }) => name === record.name && type === managedType(record.type),
  );
  return isManaged && record.state === 'missing' ? { ...record, action: null } : record;
}

function managedType(type: Domain['records'][number]['type']): ManagedRecord['type'] {
  return type === 'ALIAS' ? 'A' : type;
}
