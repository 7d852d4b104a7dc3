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
import { claimOf, type Domain } from '../life/domain.ts';
import { LONGEST_CERTIFICATE_NAME } from '../life/domain-name.ts';

/** A certificate as ACM tells it, in ACM's own words. */
export type CertificateView = Pick<Domain['certificate'], 'status' | 'failure' | 'renewal' | 'validations'>;

/** The certificates of custom domains. Every call makes sure of something and may be repeated. */
export interface Certificates {
  /** The ARN of the certificate of a claim, requested now unless there is one that is or can be issued. */
  ensure(domain: Domain): Promise<string>;
  /** Its status is null when there is no such certificate. */
  view(arn: string): Promise<CertificateView>;
  /** Deletes what was ever requested for a claim, as far as that is possible now; false while one is in use. */
  removeAll(domain: Domain): Promise<boolean>;
}

/** What a certificate cannot recover from. */
const FAILED_CERTIFICATES: readonly string[] = [
  'FAILED',
  'VALIDATION_TIMED_OUT',
  'REVOKED',
  'EXPIRED',
  'INACTIVE',
];

/** Whether a certificate is gone or cannot recover, so that another has to be requested. */
export function isLost({ status }: Pick<CertificateView, 'status'>): boolean {
  return status === null || FAILED_CERTIFICATES.includes(status);
}

/** Tells the certificates of one claim from all others, even where the answer to their request was lost. */
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
          // The same for a repetition, another for a request that replaces one that failed.
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
              ? [{ name: undotted(record.Name), value: undotted(record.Value) }]
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
      // A certificate that was requested a moment ago may not be in the list yet.
      const arns = new Set([...listed, ...(domain.certificate.arn === null ? [] : [domain.certificate.arn])]);
      let isAllGone = true;
      for (const arn of arns) isAllGone = (await remove(arn)) && isAllGone;
      return isAllGone;
    },
  };
}

/** A name that is too long to be a certificate's own has to be an alternative one, beside a parent of it. */
function namesOf(domain: string) {
  const labels = domain.split('.');
  if (domain.length <= LONGEST_CERTIFICATE_NAME) return { DomainName: domain };
  while (labels.join('.').length > LONGEST_CERTIFICATE_NAME) labels.shift();
  return { DomainName: labels.join('.'), SubjectAlternativeNames: [domain] };
}

/** ACM takes 32 characters. */
function tokenOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function undotted(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
