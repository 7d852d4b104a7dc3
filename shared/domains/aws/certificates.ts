import { createHash } from 'node:crypto';
import {
  ACMClient,
  AccessDeniedException,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  KeyAlgorithm,
  LimitExceededException,
  ListTagsForCertificateCommand,
  paginateListCertificates,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  type Tag,
} from '@aws-sdk/client-acm';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { CLAIM_TAG, DOMAIN_TAG, domainTagOf, ENVIRONMENT_TAG } from '../../aws/ownership-tags.ts';
import { withoutTrailingDot } from '../dns/dns-query.ts';
import { type CertificateView, claimOf, type Domain } from '../life/domain.ts';
import { LONGEST_CERTIFICATE_NAME } from '../life/domain-name.ts';
import type { OwnCertificate } from '../reach.ts';

/** The account has no room for another certificate. */
export class CertificatesFull extends Error {
  override readonly name = 'CertificatesFull';
}

/** What a certificate is requested for: a custom domain, or the default URLs of all projects (default-urls.ts). */
type CertificateClaim = Pick<Domain, 'domain' | 'target' | 'revision'> & {
  readonly certificate: Pick<Domain['certificate'], 'arn' | 'replaces'>;
};

/** Otherwise ACM lists only certificates with RSA keys of up to 2048 bits. */
const ALL_KEY_TYPES = Object.values(KeyAlgorithm);

const FAILED_CERTIFICATES: readonly (string | undefined)[] = [
  'FAILED',
  'VALIDATION_TIMED_OUT',
  'REVOKED',
  'EXPIRED',
  'INACTIVE',
];

/** Whether a certificate is gone or can't recover, so that another has to be requested. */
export function isLost({ status }: Pick<CertificateView, 'status'>): boolean {
  return status === null || FAILED_CERTIFICATES.includes(status);
}

/** ACM begins to renew a certificate at most this long before it expires; one that lives for less, at any time. */
const RENEWAL_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * The certificate visitors of a domain should see. After a renewal, API Gateway keeps serving the earlier one for a while.
 */
export function ownCertificate({
  domain,
  certificate,
}: Pick<Domain, 'domain' | 'certificate'>): OwnCertificate {
  const { serial, formerSerial, renewal, validFrom, expiresAt } = certificate;
  const serials = [serial, formerSerial].filter(known => known != null);
  if (!renewal?.startsWith('PENDING') || !validFrom || !expiresAt) return { serials };
  const { DomainName, SubjectAlternativeNames = [] } = namesOf(domain);
  const names = [DomainName, ...SubjectAlternativeNames];
  const sinceMs = Math.max(Date.parse(validFrom), Date.parse(expiresAt) - RENEWAL_MS);
  return { serials, renewal: { names, sinceMs } };
}

export type Certificates = ReturnType<typeof certificates>;

/** The certificates of this environment. Every call is idempotent. */
export function certificates(environment: string) {
  const acm = controlPlaneClient(ACMClient);

  /** The tags of a certificate, including other teams'; undefined if there's no such certificate. */
  const tagsOf = async (arn: string) => {
    try {
      // Stryker disable next-line ArrayDeclaration: an element that isn't a tag matches none.
      const { Tags = [] } = await acm.send(new ListTagsForCertificateCommand({ CertificateArn: arn }));
      return Tags;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

  const hasTag = (tags: readonly Tag[] | undefined, key: string, value: string) =>
    tags?.some(({ Key, Value }) => Key === key && Value === value) === true;

  /** Whether the tags of a certificate prove that it was requested for the claim, by this environment. */
  const isOfClaim = async (arn: string, domain: CertificateClaim) => {
    const tags = await tagsOf(arn);
    return hasTag(tags, CLAIM_TAG, claimOf(domain)) && hasTag(tags, ENVIRONMENT_TAG, environment);
  };

  /**
   * The account's certificates with a matching name, whoever requested them. Statuses in ACM's list lag behind: only a
   * description says whether a certificate failed.
   */
  const withName = async (isMeant: (name: string) => boolean): Promise<string[]> => {
    const found: string[] = [];
    const pages = paginateListCertificates({ client: acm }, { Includes: { keyTypes: ALL_KEY_TYPES } });
    // Stryker disable next-line ArrayDeclaration: an element without an ARN is left out below.
    for await (const { CertificateSummaryList = [] } of pages) {
      for (const { CertificateArn: arn, ...summary } of CertificateSummaryList) {
        // Stryker disable next-line ArrayDeclaration: any element that is not the name means the same.
        const { DomainName, SubjectAlternativeNameSummaries = [] } = summary;
        const names = [DomainName ?? '', ...SubjectAlternativeNameSummaries];
        if (arn && names.some(isMeant)) found.push(arn);
      }
    }
    return found;
  };

  /** The certificates of a claim, including those whose ARN was lost with the response to their request. */
  const ofClaim = async (domain: CertificateClaim): Promise<string[]> => {
    const found: string[] = [];
    for (const arn of await withName(name => name === domain.domain)) {
      if (await isOfClaim(arn, domain)) found.push(arn);
    }
    return found;
  };

  /** Empty for a certificate that doesn't exist, and perhaps for a new one. */
  const describe = async (arn: string): Promise<CertificateDetail> => {
    try {
      const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
      return { Status: 'PENDING_VALIDATION', ...Certificate };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return {};
      throw error;
    }
  };

  const remove = async (arn: string): Promise<boolean> => {
    try {
      await acm.send(new DeleteCertificateCommand({ CertificateArn: arn }));
      return true;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return true;
      if (error instanceof ResourceInUseException) return false;
      // A deleted certificate has no tags, so the grant on this environment's doesn't cover it.
      if (error instanceof AccessDeniedException && (await tagsOf(arn)) === undefined) return true;
      throw error;
    }
  };

  return {
    /**
     * The ARN of the claim's certificate, which is requested now unless one is issued or may still be. Deletes failed ones, and
     * the one that the record wants replaced.
     */
    async ensure(domain: CertificateClaim): Promise<string> {
      let usable: string | undefined;
      for (const arn of await ofClaim(domain)) {
        const { Status: status = null } = await describe(arn);
        if (arn === domain.certificate.replaces || isLost({ status })) await remove(arn);
        else usable ??= arn;
      }
      if (usable !== undefined) return usable;
      const request = new RequestCertificateCommand({
        ...namesOf(domain.domain),
        ValidationMethod: 'DNS',
        // Stays the same when the request is repeated, and differs when a failed certificate is replaced.
        IdempotencyToken: tokenOf(`${domain.target}/${domain.revision}`),
        Tags: [
          { Key: ENVIRONMENT_TAG, Value: environment },
          { Key: CLAIM_TAG, Value: claimOf(domain) },
          { Key: DOMAIN_TAG, Value: domainTagOf(domain) },
        ],
      });
      try {
        // Stryker disable next-line StringLiteral: ACM responds with an ARN; only the type in the SDK allows for none.
        const { CertificateArn = '' } = await acm.send(request);
        return CertificateArn;
      } catch (error) {
        if (error instanceof LimitExceededException) throw new CertificatesFull(error.message);
        throw error;
      }
    },

    /** The status is null if there's no such certificate. */
    async view(arn: string): Promise<CertificateView> {
      // Stryker disable next-line ArrayDeclaration: an element without a record is left out below.
      const { DomainValidationOptions = [], RenewalSummary, ...certificate } = await describe(arn);
      return {
        status: certificate.Status ?? null,
        serial: certificate.Serial ?? null,
        failure: certificate.FailureReason ?? null,
        renewal: RenewalSummary?.RenewalStatus ?? null,
        validFrom: certificate.NotBefore?.toISOString() ?? null,
        expiresAt: certificate.NotAfter?.toISOString() ?? null,
        validations: DomainValidationOptions.flatMap(({ ResourceRecord: record }) =>
          record?.Name && record.Value
            ? [{ name: withoutTrailingDot(record.Name), value: withoutTrailingDot(record.Value) }]
            : [],
        ),
      };
    },

    /** Deletes a certificate; false if it's in use. */
    remove,

    /** Deletes every certificate of the claim that isn't in use; false while one is. */
    async removeAll(domain: CertificateClaim): Promise<boolean> {
      const arns = new Set(await ofClaim(domain));
      const { arn: recorded } = domain.certificate;
      // The list may lack a certificate that was requested moments ago.
      if (recorded !== null && (await isOfClaim(recorded, domain))) arns.add(recorded);
      let isAllGone = true;
      for (const arn of arns) isAllGone = (await remove(arn)) && isAllGone;
      return isAllGone;
    },

    /**
     * Whether this record of the claim also validates certificates of other names, environments or teams: ACM asks for the same
     * record for all certificates of a name in the account. Other claims of the name in this environment don't count: only the
     * name's owner has the record.
     */
    async isRecordShared(domain: Domain, recordName: string): Promise<boolean> {
      const validated = recordName.slice(recordName.indexOf('.') + 1);
      // The record also validates a wildcard for the names below it.
      const isValidated = (name: string) => name.replace(/^\*\./, '') === validated;
      for (const arn of await withName(isValidated)) {
        const tags = await tagsOf(arn);
        const isOfName =
          hasTag(tags, DOMAIN_TAG, domain.domain) && hasTag(tags, ENVIRONMENT_TAG, environment);
        if (tags && !isOfName) return true;
      }
      return false;
    },
  };
}

/** A name too long for a common name becomes an alternative name, beside one of its parents. */
function namesOf(domain: string): { DomainName: string; SubjectAlternativeNames?: string[] } {
  const labels = domain.split('.');
  if (domain.length <= LONGEST_CERTIFICATE_NAME) return { DomainName: domain };
  while (labels.join('.').length > LONGEST_CERTIFICATE_NAME) labels.shift();
  return { DomainName: labels.join('.'), SubjectAlternativeNames: [domain] };
}

/** ACM takes at most 32 characters. */
function tokenOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
