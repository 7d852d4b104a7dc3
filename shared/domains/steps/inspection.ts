import { type Certificates, isLost } from '../aws/certificates.ts';
import { type CaaVerdict, checkCaa } from '../dns/caa.ts';
import { checkDns, type VantagePoints } from '../dns/check-dns.ts';
import type { CheckedRecord } from '../dns/check-record.ts';
import { aliasAtRoute53, requiredRecords } from '../dns/required-record.ts';
import type { Domain } from '../life/domain.ts';

export interface InspectionParts {
  readonly certificates: Certificates;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
  readonly now: () => number;
}

/** The domain with what is seen of its certificate and its records now. */
export async function inspect(domain: Domain, parts: InspectionParts): Promise<Domain> {
  const { arn } = domain.certificate;
  const view = arn === null ? undefined : await parts.certificates.view(arn);
  const certificate = view
    ? {
        ...domain.certificate,
        ...view,
        validations: view.validations.length > 0 ? view.validations : domain.certificate.validations,
      }
    : domain.certificate;
  const inspected = { ...domain, certificate, checkedAt: new Date(parts.now()).toISOString() };
  const vantagePoints = await parts.vantagePoints(domain.registrable);
  const records = await checkDns(requiredRecords(inspected), domain.registrable, vantagePoints);
  return {
    ...inspected,
    records: records.map(record => ({
      ...record,
      observed: [...record.observed],
      action: record.type === 'ALIAS' ? withRoute53(record.action, domain) : record.action,
    })),
  };
}

function withRoute53(action: string | null, { gateway }: Domain): string | null {
  return action === null ? null : `${action} ${aliasAtRoute53(gateway)}`;
}

export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

const SPREADING =
  'The records are right at the DNS provider and are spreading. Nothing is needed from you; this can take up to 48 hours.';

/** What a record that is not as it should be keeps one from. */
export function recordObstacle({ purpose, state, action }: CheckedRecord): Obstacle {
  return action === null
    ? { reason: `${purpose}_record_spreading`, message: SPREADING }
    : { reason: `${purpose}_record_${state}`, message: action };
}

/** What is said of a domain that is live and well. */
export function liveMessage(domain: string): string {
  return `https://${domain} is live. Keep the records: the certificate is renewed by them.`;
}

/** The loss of a certificate that was issued before, if it is lost. */
export function lossOfCertificate({ domain, certificate }: Domain): Obstacle | undefined {
  if (!isLost(certificate)) return undefined;
  const what = certificate.status ?? 'gone';
  const message = `The certificate of ${domain} is ${what}. Verify again to request a new one.`;
  return { reason: 'certificate_lost', message };
}

/** The CAA record that forbids Amazon to issue the certificate, if there is one. */
export async function caaObstacle(domain: Domain, parts: InspectionParts): Promise<Obstacle | undefined> {
  const { authoritative, resolvers } = await parts.vantagePoints(domain.registrable);
  const lookup = authoritative ?? resolvers[0];
  const verdict: CaaVerdict | undefined = lookup && (await checkCaa(domain.domain, lookup));
  if (verdict?.kind !== 'blocked') return undefined;
  const { at, record, add } = verdict;
  return {
    reason: 'caa_blocked',
    message: `The CAA record at ${at} (${record}) forbids Amazon to issue the certificate. Add: ${add}`,
  };
}
