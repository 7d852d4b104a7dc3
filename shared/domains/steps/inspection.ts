import type { Certificates } from '../aws/certificates.ts';
import { checkDns, type VantagePoints } from '../dns/check-dns.ts';
import { aliasAtRoute53, requiredRecords } from '../dns/required-record.ts';
import type { Domain } from '../life/domain.ts';
import { inspected, viewed } from '../life/transitions.ts';

export interface InspectionParts {
  readonly certificates: Pick<Certificates, 'view'>;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
  readonly now: () => number;
}

/** The domain with what ACM says of its certificate and DNS of its records now. */
export async function inspect(domain: Domain, parts: InspectionParts): Promise<Domain> {
  const { arn } = domain.certificate;
  const certificate = arn === null ? undefined : await parts.certificates.view(arn);
  const required = requiredRecords(
    certificate ? { ...domain, certificate: viewed(domain, certificate) } : domain,
  );
  const records = await checkDns(required, domain.registrable, await parts.vantagePoints(domain.registrable));
  const withAdvice = records.map(record =>
    record.type === 'ALIAS' && record.action !== null
      ? { ...record, action: `${record.action} ${aliasAtRoute53(domain.gateway)}` }
      : record,
  );
  return inspected(domain, { certificate, records: withAdvice }, parts.now());
}
