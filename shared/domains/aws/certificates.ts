import { createHash } from 'node:crypto';
import {
  ACMClient,
  type CertificateSummary,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  ListTagsForCertificateCommand,
  paginateListCertificates,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm';
import { withoutTrailingDot } from '../dns/trailing-dot.ts';
import { claimOf, type Domain } from '../life/domain.ts';
import { LONGEST_CERTIFICATE_NAME } from '../life/domain-name.ts';

/** What ACM says of a certificate, in ACM's own terms. */
export type CertificateView = Pick<Domain['certificate'], 'status' | 'failure' | 'renewal' | 'validations'>;

/** The certificates of custom domains. Every call is idempotent. */
export interface Certificates {
  /** The ARN of the claim's certificate, which is requested now unless one is issued or may still be. */
  ensure(domain: Domain): Promise<string>;
  /** The status is null when there is no such certificate. */
  view(arn: string): Promise<CertificateView>;
  /** Deletes every certificate of the claim that is not in use; false while one is. */
  removeAll(domain: Domain): Promise<boolean>;
}

/** The statuses that a certificate cannot recover from. */
const FAILED_CERTIFICATES: readonly string[] = [
  'FAILED',
  'VALIDATION_TIMED_OUT',
  'REVOKED',
  'EXPIRED',
  'INACTIVE',
];

/** Whether a certificate is gone or cannot recover, and another has to be requested. */
export function isLost({ status }: Pick<CertificateView, 'status'>): boolean {
  return status === null || FAILED_CERTIFICATES.includes(status);
}

/** Finds the certificates of a claim, also those whose ARN was lost with the answer to their request. */
const CLAIM_TAG = 'petstore:claim';

export function certificates(): Certificates {
  const acm = new ACMClient({ maxAttempts: 6 });

  const isOfClaim = async (arn: string, claim: string) => {
    try {
      const { Tags = [] } = await acm.send(new ListTagsForCertificateCommand({ CertificateArn: arn }));
      return Tags.some(({ Key, Value }) => Key === CLAIM_TAG && Value === claim);
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return false;
      throw error;
    }
  };

  const ofClaim = async (domain: Domain): Promise<CertificateSummary[]> => {
    const found: CertificateSummary[] = [];
    for await (const { CertificateSummaryList = [] } of paginateListCertificates({ client: acm }, {})) {
      for (const summary of CertificateSummaryList) {
        const { CertificateArn = '', DomainName, SubjectAlternativeNameSummaries = [] } = summary;
        const isForName = [DomainName, ...SubjectAlternativeNameSummaries].includes(domain.domain);
        if (isForName && (await isOfClaim(CertificateArn, claimOf(domain)))) found.push(summary);
      }
    }
    return found;
  };

  const remove = async (arn: string): Promise<boolean> => {
    try {
      await acm.send(new DeleteCertificateCommand({ CertificateArn: arn }));
      return true;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return true;
      if (error instanceof ResourceInUseException) return false;
      throw error;
    }
  };

  return {
    async ensure(domain) {
      const requested = await ofClaim(domain);
      const isFailed = ({ Status }: CertificateSummary) => FAILED_CERTIFICATES.includes(Status ?? '');
      for (const failed of requested.filter(isFailed)) await remove(failed.CertificateArn ?? '');
      const usable = requested.find(certificate => !isFailed(certificate));
      if (usable?.CertificateArn) return usable.CertificateArn;
      const { CertificateArn = '' } = await acm.send(
        new RequestCertificateCommand({
          ...namesOf(domain.domain),
          ValidationMethod: 'DNS',
          // The same when the request is repeated, another when a failed certificate is replaced.
          IdempotencyToken: tokenOf(`${domain.target}/${domain.revision}`),
          Tags: [
            { Key: CLAIM_TAG, Value: claimOf(domain) },
            { Key: 'petstore:domain', Value: domain.domain },
          ],
        }),
      );
      return CertificateArn;
    },

    async view(arn) {
      try {
        const { Certificate = {} } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
        const { DomainValidationOptions = [], RenewalSummary } = Certificate;
        return {
          status: Certificate.Status ?? null,
          failure: Certificate.FailureReason ?? null,
          renewal: RenewalSummary?.RenewalStatus ?? null,
          validations: DomainValidationOptions.flatMap(({ ResourceRecord: record }) =>
            record?.Name && record.Value
              ? [{ name: withoutTrailingDot(record.Name), value: withoutTrailingDot(record.Value) }]
              : [],
          ),
        };
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        return { status: null, failure: null, renewal: null, validations: [] };
      }
    },

    async removeAll(domain) {
      const listed = (await ofClaim(domain)).flatMap(({ CertificateArn }) => CertificateArn ?? []);
      // The list may not have a certificate that was requested a moment ago.
      const arns = new Set([...listed, ...(domain.certificate.arn === null ? [] : [domain.certificate.arn])]);
      let isAllGone = true;
      for (const arn of arns) isAllGone = (await remove(arn)) && isAllGone;
      return isAllGone;
    },
  };
}

/** A name that is too long for a common name becomes an alternative name, beside a parent of it. */
function namesOf(domain: string) {
  const labels = domain.split('.');
  if (domain.length <= LONGEST_CERTIFICATE_NAME) return { DomainName: domain };
  while (labels.join('.').length > LONGEST_CERTIFICATE_NAME) labels.shift();
  return { DomainName: labels.join('.'), SubjectAlternativeNames: [domain] };
}

/** ACM takes at most 32 characters. */
function tokenOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
