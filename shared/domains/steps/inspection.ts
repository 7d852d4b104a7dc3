import type { Certificates } from '../aws/certificates.ts';
import type { Clock } from '../clock.ts';
import { checkDns } from '../dns/check-dns.ts';
import { aliasAtRoute53, creationOf, requiredRecords } from '../dns/required-record.ts';
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
  const current = { ...domain, kind, zone };
  const required = requiredRecords(
    certificate ? { ...current, certificate: viewed(domain, certificate) } : current,
  );
  const records = await checkDns(required, zone, points);
  const withAdvice = records.map(record =>
    record.type === 'ALIAS' && record.action?.includes(creationOf(record))
      ? { ...record, action: `${record.action} ${aliasAtRoute53(domain.gateway)}` }
      : record,
  );
  const nameServers = points.delegation?.nameServers;
  const seen = { kind, zone, nameServers, certificate, records: withAdvice } as const;
  return inspected(domain, seen, parts.clock.now());
}
