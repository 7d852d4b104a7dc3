import type { AccountZone, AccountZones } from '../aws/account-zones.ts';
import type { Certificates } from '../aws/certificates.ts';
import type { FindVantagePoints } from '../dns/vantage-points.ts';
import { type Domain, type ManagedRecord, nextRevision } from '../life/domain.ts';
import { isWithin } from '../life/domain-name.ts';
import type { DomainStore } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';

interface ManagedRecordsParts {
  readonly domains: DomainStore;
  readonly accountZones: AccountZones;
  readonly certificates: Pick<Certificates, 'isRecordShared'>;
  readonly vantagePoints: FindVantagePoints;
}

export type ManagedRecords = ReturnType<typeof managedRecords>;

/**
 * The DNS records that the flow manages itself if a domain's zone is in this account and on the allow-list. A record is stored
 * in the domain before it's created at Route 53, so the removal finds it whatever happens in between.
 */
export function managedRecords({ domains, accountZones, certificates, vantagePoints }: ManagedRecordsParts) {
  /** Whether the world asks this zone: a hosted zone of the account isn't necessarily the one that is delegated to. */
  const isAuthoritative = async (domain: string, { name, nameServers }: AccountZone): Promise<boolean> => {
    const { zone, authoritative, resolvers } = await vantagePoints(domain);
    if (zone !== name) return false;
    const seen = await (authoritative ?? resolvers[0])?.(name, 'NS');
    if (seen?.kind !== 'records') return false;
    return seen.values.toSorted().join() === nameServers.toSorted().join();
  };

  const zoneIdOf = async (domain: string): Promise<string | undefined> => {
    const candidates = (await accountZones.list())
      .filter(({ name, isPrivate }) => !isPrivate && isWithin(domain, name))
      .toSorted((left, right) => right.name.length - left.name.length);
    const [closest] = candidates;
    return closest && (await isAuthoritative(domain, closest)) ? closest.id : undefined;
  };

  const make = async (before: Domain, records: readonly ManagedRecord[], holder: Holder): Promise<Domain> => {
    let domain = before;
    for (const record of records) {
      const ours = domain.managed.filter(({ type, name }) => type === record.type && name === record.name);
      if (!ours.some(({ value }) => value === record.value)) {
        domain = nextRevision({ ...domain, managed: [...domain.managed, record] });
        await holder.commit(domains.change(domain));
      }
      // A record that exists may be ours, from a lost response or another delivery. It stays stored in the domain either
      // way: the removal deletes only what is exactly as stored.
      const formers = ours.filter(({ value }) => value !== record.value);
      await accountZones.create(record, formers);
    }
    return domain;
  };

  return {
    /** The hosted zone of this account that the name is in, if the service may write to it. */
    zoneIdOf,

    /** Stores records in the domain, then creates them; returns the updated domain. */
    make,

    /** Deletes the records, except validation records that other certificates need, too. */
    async removeAll(domain: Domain): Promise<void> {
      const owner = await domains.ownerOf(domain.domain);
      const isTakenOver = owner !== undefined && owner !== domain.project;
      for (const record of domain.managed) {
        const isValidation = isValidationOf(domain, record);
        // The project that took the name over has the record, too (takeover.ts).
        if (isValidation && (isTakenOver || (await certificates.isRecordShared(domain, record.name))))
          continue;
        await accountZones.remove(record);
      }
    },
  };
}

/** Whether ACM validates the domain by this record, which is the same for every claim of the name. */
export function isValidationOf({ certificate }: Domain, { name }: ManagedRecord): boolean {
  return certificate.validations.some(validation => validation.name === name);
}
