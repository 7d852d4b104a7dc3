import type { Certificates } from '../aws/certificates.ts';
import { checkDns, type VantagePoints } from '../dns/check-dns.ts';
import { aliasAtRoute53, requiredRecords } from '../dns/required-record.ts';
import type { Domain } from '../life/domain.ts';
import { inspected } from '../life/transitions.ts';

export interface InspectionParts {
  readonly certificates: Certificates;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
  readonly now: () => number;
}

/** The domain with what ACM says of its certificate and DNS of its records now. */
export async function inspect(domain: Domain, parts: InspectionParts): Promise<Domain> {
  const certificate = await certificateNow(domain, parts.certificates);
  const required = requiredRecords({ ...domain, certificate });
  const records = await checkDns(required, domain.registrable, await parts.vantagePoints(domain.registrable));
  const withAdvice = records.map(record =>
    record.type === 'ALIAS' && record.action !== null
      ? { ...record, action: `${record.action} ${aliasAtRoute53(domain.gateway)}` }
      : record,
  );
  return inspected(domain, { certificate, records: withAdvice }, parts.now());
}

/** What ACM says of the certificate. Its validation records stay when ACM no longer names them. */
async function certificateNow(
  { certificate }: Domain,
  certificates: Certificates,
): Promise<Domain['certificate']> {
  if (certificate.arn === null) return certificate;
  const view = await certificates.view(certificate.arn);
  const validations = view.validations.length > 0 ? view.validations : certificate.validations;
  return { ...certificate, ...view, validations };
}
