import { createHash } from 'node:crypto';
import {
  ACMClient,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm';

export interface CertificateView {
  /** ACM's own word, such as PENDING_VALIDATION or ISSUED; null when there is no such certificate. */
  readonly status: string | null;
  readonly failure: string | null;
  readonly validation: { readonly name: string; readonly value: string } | null;
}

/** The certificates of custom domains. Every call makes sure of something and may be repeated. */
export interface Certificates {
  /** Requests the certificate of an attempt at a domain; the same for the same attempt, for an hour at least. */
  request(domain: string, attempt: number): Promise<string>;
  view(arn: string): Promise<CertificateView>;
  /** Deletes it if that is possible now; false while something still uses it. */
  remove(arn: string): Promise<boolean>;
}

/** What a certificate cannot recover from: another has to be requested. */
export const FAILED_CERTIFICATES = ['FAILED', 'VALIDATION_TIMED_OUT', 'REVOKED', 'EXPIRED', 'INACTIVE'];

/** ACM's limit for a certificate's own name; a longer one has to be an alternative name. */
const LONGEST_NAME = 64;

export function certificates(): Certificates {
  const acm = new ACMClient({ maxAttempts: 6 });
  return {
    async request(domain, attempt) {
      const token = createHash('sha256').update(`${domain}/${attempt}`).digest('hex').slice(0, 32);
      const names =
        domain.length <= LONGEST_NAME
          ? { DomainName: domain }
          : { DomainName: shortParent(domain), SubjectAlternativeNames: [domain] };
      const { CertificateArn = '' } = await acm.send(
        new RequestCertificateCommand({
          ...names,
          ValidationMethod: 'DNS',
          IdempotencyToken: token,
          Tags: [{ Key: 'petstore:domain', Value: domain }],
        }),
      );
      return CertificateArn;
    },

    async view(arn) {
      try {
        const { Certificate = {} } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
        const record = Certificate.DomainValidationOptions?.[0]?.ResourceRecord;
        return {
          status: Certificate.Status ?? null,
          failure: Certificate.FailureReason ?? null,
          validation:
            record?.Name && record.Value
              ? { name: undotted(record.Name), value: undotted(record.Value) }
              : null,
        };
      } catch (error) {
        if (error instanceof ResourceNotFoundException)
          return { status: null, failure: null, validation: null };
        throw error;
      }
    },

    async remove(arn) {
      try {
        await acm.send(new DeleteCertificateCommand({ CertificateArn: arn }));
        return true;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return true;
        if (error instanceof ResourceInUseException) return false;
        throw error;
      }
    },
  };
}

function shortParent(domain: string): string {
  const labels = domain.split('.');
  while (labels.join('.').length > LONGEST_NAME) labels.shift();
  return labels.join('.');
}

function undotted(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
