import type { Certificates } from '../aws/certificates.ts';
import type { Clock } from '../clock.ts';
import { checkDns } from '../dns/check-dns.ts';
import { creationAt } from '../dns/dns-provider.ts';
import { creationOf, requiredRecords } from '../dns/required-record.ts';
import type { FindVantagePoints } from '../dns/vantage-points.ts';
import type { Domain } from '../life/domain.ts';
import { inspected, viewed } from '../life/transitions.ts';

export interface InspectionParts {
  readonly certificates: Pick<Certificates, 'view'>;
  readonly vantagePoints: FindVantagePoints;
  readonly clock: Clock;
}

/**
 * The domain with what ACM says of its certificate and DNS of its records now. A name that has become a zone of its own,
 * or is no longer one, needs other records: its kind follows DNS.
 */
export async function inspect(domain: Domain, parts: InspectionParts): Promise<Domain> {
  const { arn } = domain.certificate;
  const certificate = arn === null ? undefined : await parts.certificates.view(arn);
  const points = await parts.vantagePoints(domain.domain);
  const { zone = domain.zone } = points;
  const kind = points.zone === undefined ? domain.kind : points.isApex ? 'apex' : 'subdomain';
  const nameServers = points.delegation ? [...points.delegation.nameServers] : domain.nameServers;
  const current = { ...domain, kind, zone, nameServers };
  const required = requiredRecords(
    certificate ? { ...current, certificate: viewed(domain, certificate) } : current,
  );
  const records = await checkDns(required, zone, points);
  const atProvider = records.map(record => ({
    ...record,
    action: record.action?.replace(creationOf(record), () => creationAt(record, current)) ?? null,
  }));
  const seen = { kind, zone, nameServers, certificate, records: atProvider } as const;
  return inspected(domain, seen, parts.clock.now());
}
