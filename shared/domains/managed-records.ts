import type { AccountZone, AccountZones } from './account-zones.ts';
import type { Places } from './check-dns.ts';
import { type Domain, type MadeRecord, revised } from './domain.ts';
import { isWithin } from './domain-name.ts';
import type { DomainStore } from './domain-store.ts';

/**
 * The records that the flow makes itself, where the zone of a domain is in this account and allowed. What is made is noted
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
  readonly places: (registrable: string) => Promise<Places>;
}

export function managedRecords({ store, zones, places }: ManagedRecordsParts): ManagedRecords {
  /** A zone in the account proves nothing: the name servers that the world asks must be those of the zone. */
  const isAuthoritative = async ({ name, nameServers }: AccountZone): Promise<boolean> => {
    const [resolver] = (await places(name)).resolvers;
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

  const noteAndMake = async (before: Domain, records: readonly MadeRecord[]): Promise<Domain> => {
    let domain = before;
    for (const record of records) {
      if (!domain.made.some(made => isSame(made, record))) {
        domain = revised(domain, { made: [...domain.made, record] });
        await store.save(domain);
      }
      // One that is there already may be ours, from an answer that was lost or another delivery of this step. The note
      // stays: what is not exactly as noted is not deleted.
      await zones.create(record);
    }
    return { ...domain, records: domain.records.map(record => spreading(record, domain.made)) };
  };

  return {
    async make(domain) {
      const missing = domain.records.filter(({ type, state }) => state === 'missing' && type !== 'ALIAS');
      if (missing.length === 0) return domain;
      const zoneId = await zoneOf(domain.domain);
      if (zoneId === undefined) return domain;
      return noteAndMake(
        domain,
        missing.map(({ type, name, value, ttl }) => ({
          zoneId,
          type: madeType(type),
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
      return noteAndMake(domain, [
        { zoneId, type: 'A', name: domain.domain, value: host, ttl: 0, aliasZoneId: hostedZoneId },
      ]);
    },

    async removeAll({ made }) {
      for (const record of made) await zones.remove(record);
    },
  };
}

function isSame(one: MadeRecord, other: MadeRecord): boolean {
  return one.type === other.type && one.name === other.name && one.value === other.value;
}

/** A record that was made a moment ago asks nothing of anybody. */
function spreading(record: Domain['records'][number], made: readonly MadeRecord[]) {
  const isMade = made.some(({ name, type }) => name === record.name && type === madeType(record.type));
  return isMade && record.state === 'missing' ? { ...record, action: null } : record;
}

function madeType(type: Domain['records'][number]['type']): MadeRecord['type'] {
  return type === 'ALIAS' ? 'A' : type;
}
