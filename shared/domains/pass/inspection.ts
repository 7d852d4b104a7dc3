import type { Certificates } from '../aws/certificates.ts';
import { timeOf } from '../clock.ts';
import { checkDns } from '../dns/check-dns.ts';
import type { CheckedRecord, Creation } from '../dns/check-record.ts';
import { creationAt, withoutAlias } from '../dns/dns-provider.ts';
import { requiredRecords } from '../dns/required-record.ts';
import type { FindVantagePoints, VantagePoints } from '../dns/vantage-points.ts';
import { changed, viewed } from '../life/change.ts';
import type { CertificateView, Domain, SeenRecord } from '../life/domain.ts';

export interface InspectionParts {
  readonly certificates: Pick<Certificates, 'view'>;
  readonly vantagePoints: FindVantagePoints;
}

/** What DNS shows of a domain, and ACM of its certificate. */
export type Sight = Pick<Domain, 'kind' | 'zone' | 'nameServers'> & {
  readonly certificate: CertificateView | undefined;
  readonly records: readonly SeenRecord[];
};

/** What ACM says of the certificate of a domain, and DNS of its records now. */
export async function sightOf(domain: Domain, parts: InspectionParts): Promise<Sight> {
  const { arn } = domain.certificate;
  const certificate = arn === null ? undefined : await parts.certificates.view(arn);
  const points = await parts.vantagePoints(domain.domain);
  const current = inZone(domain, points);
  const { kind, zone, nameServers } = current;
  const required = requiredRecords(
    certificate ? { ...current, certificate: viewed(domain, certificate) } : current,
  );
  const checked = await checkDns(required, zone, points, creationFor(current));
  return { kind, zone, nameServers, certificate, records: neededOf(checked, current) };
}

/**
 * The claim with its zone as DNS shows it. A name that has become a zone of its own, or is no longer one, needs other records:
 * its kind follows DNS.
 */
export function inZone(claim: Domain, { zone, isApex, delegation }: VantagePoints): Domain {
  return {
    ...claim,
    kind: zone === undefined ? claim.kind : isApex ? 'apex' : 'subdomain',
    zone: zone ?? claim.zone,
    nameServers: delegation ? [...delegation.nameServers] : claim.nameServers,
  };
}

/** How to create records at the domain's provider. */
export function creationFor(claim: Domain): Creation {
  return (record, inPlaceOf) => {
    // An apex that can't point here keeps its A record, which may be what forwards it.
    const isStuck = record.purpose === 'traffic' && withoutAlias(claim) !== undefined;
    return creationAt(record, claim, isStuck ? [] : inPlaceOf);
  };
}

/** The records without optional ones that aren't there. A flattened record proves nothing, so it needs the TXT record. */
export function neededOf(checked: readonly CheckedRecord[], claim: Domain): CheckedRecord[] {
  const records = checked.map(record => ({ ...record, observed: [...record.observed] }));
  const required = requiredRecords({ ...claim, records });
  return checked.flatMap(record => {
    const { isOptional } = required.find(({ purpose }) => purpose === record.purpose) ?? {};
    if (isOptional && record.state !== 'ok') return [];
    const { isOptional: _, ...rest } = record;
    return [isOptional ? { ...rest, isOptional } : rest];
  });
}

/** The claim with what DNS and ACM show. */
export function inspected(claim: Domain, seen: Sight, nowMs: number): Domain {
  const certificate = seen.certificate ? viewed(claim, seen.certificate) : claim.certificate;
  const records = seen.records.map(record => ({ ...record, observed: [...record.observed] }));
  const { kind, zone, nameServers } = seen;
  const checkedAt = timeOf(nowMs);
  return changed(claim, { kind, zone, nameServers, certificate, records, checkedAt }, nowMs);
}

type StoredRecord = Domain['records'][number];

/** The records, with these changes to the traffic record. */
export function withTraffic(
  { records }: Domain,
  changes: Partial<StoredRecord>,
  isMeant: (record: StoredRecord) => boolean = () => true,
): StoredRecord[] {
  return records.map(record =>
    record.purpose === 'traffic' && isMeant(record) ? { ...record, ...changes } : record,
  );
}

/** HTTPS requests arrive here. They outrank what DNS shows of the traffic record. */
export function arrivedRecords(
  claim: Domain,
  isOutranked?: (record: StoredRecord) => boolean,
): StoredRecord[] {
  return withTraffic(claim, { state: 'ok', advice: [], action: null }, isOutranked);
}
