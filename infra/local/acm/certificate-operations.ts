import { type Operation, operation } from '../aws-api/operation.ts';
import { page } from '../aws-api/paging.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { AcmError } from './acm-error.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { certificateDetail, certificateSummary } from './certificate-detail.ts';
import { ListCertificates, OneCertificate, RequestCertificate } from './certificate-requests.ts';
import type { Certificate, Certificates } from './certificates.ts';
import type { Issuance } from './issuance.ts';

export interface CertificateOperationsOptions {
  readonly certificates: Certificates;
  readonly issuance: Issuance;
  readonly authority: CertificateAuthority;
  /** The ARNs of the load balancers that hold a certificate. */
  inUseBy(certificateArn: string): readonly string[];
  now(): number;
}

const TOKEN_VALIDITY_MS = 60 * 60 * 1000;
const MAX_CERTIFICATES = 2500;
const MAX_REQUESTS_A_YEAR = 5000;
/** ACM's quota unless it is raised. */
const MAX_NAMES = 10;
const MAX_TAGS = 50;

/** Requests per second and account, by operation. */
const RATES = {
  RequestCertificate: 5,
  DescribeCertificate: 10,
  ListCertificates: 8,
  GetCertificate: 10,
  DeleteCertificate: 10,
  ListTagsForCertificate: 10,
};

export function certificateOperations(options: CertificateOperationsOptions): readonly Operation[] {
  const { certificates, issuance, authority, inUseBy, now } = options;
  const refusal = () => new AcmError('ThrottlingException', 'Rate exceeded');
  const rateOf = (name: keyof typeof RATES) =>
    tokenBucket({ ratePerSecond: RATES[name], burst: RATES[name], now, refusal });
  const resource = ({ CertificateArn }: { CertificateArn?: string }) => CertificateArn;
  const resourceTags = ({ CertificateArn }: { CertificateArn: string }) =>
    certificates.find(CertificateArn)?.tags;

  function requireCertificate(arn: string): Certificate {
    const certificate = certificates.find(arn);
    if (certificate === undefined) {
      throw new AcmError('ResourceNotFoundException', `Could not find certificate ${arn}.`);
    }
    return certificate;
  }

  /** The certificate that was requested with the same token and names within the hour. */
  function findRequested(names: readonly string[], token: string | undefined): Certificate | undefined {
    return certificates
      .list()
      .find(
        ({ idempotencyToken, names: others, createdAtMs }) =>
          token !== undefined &&
          idempotencyToken === token &&
          createdAtMs > now() - TOKEN_VALIDITY_MS &&
          others.join() === names.join(),
      );
  }

  return [
    operation({
      name: 'RequestCertificate',
      input: RequestCertificate,
      alsoRequires: ({ Tags }) =>
        Tags === undefined
          ? []
          : [{ action: 'acm:AddTagsToCertificate', resource: regionalArn('acm', 'certificate/*') }],
      requestTags: ({ Tags }) => Tags,
      conditionKeys: ({ DomainName, SubjectAlternativeNames, ValidationMethod }) => ({
        'acm:DomainNames': [DomainName, ...SubjectAlternativeNames],
        'acm:ValidationMethod': [ValidationMethod],
      }),
      rate: rateOf('RequestCertificate'),
      perform(input) {
        const { IdempotencyToken: idempotencyToken, KeyAlgorithm: keyAlgorithm, Tags: tags = {} } = input;
        const names = [...new Set([input.DomainName, ...input.SubjectAlternativeNames])];
        const requested = findRequested(names, idempotencyToken);
        if (requested !== undefined) return { CertificateArn: requested.arn };
        refuseAbove(names.length, MAX_NAMES, 'domain names in a certificate');
        refuseAbove(certificates.list().length + 1, MAX_CERTIFICATES, 'certificates');
        const requests = certificates.requestsInYearBefore(now()) + 1;
        refuseAbove(requests, MAX_REQUESTS_A_YEAR, 'requests of certificates in 365 days');
        if (Object.keys(tags).length > MAX_TAGS) {
          throw new AcmError('TooManyTagsException', `A certificate has at most ${MAX_TAGS} tags.`);
        }
        const { arn } = certificates.add({ names, keyAlgorithm, idempotencyToken, tags, createdAtMs: now() });
        return { CertificateArn: arn };
      },
    }),

    operation({
      name: 'DescribeCertificate',
      input: OneCertificate,
      resource,
      resourceTags,
      rate: rateOf('DescribeCertificate'),
      async perform({ CertificateArn }) {
        requireCertificate(CertificateArn);
        await issuance.check(CertificateArn);
        const certificate = requireCertificate(CertificateArn);
        const hasRecords = issuance.hasRecords(certificate);
        return {
          Certificate: certificateDetail(certificate, { hasRecords, inUseBy: inUseBy(CertificateArn) }),
        };
      },
    }),

    operation({
      name: 'ListCertificates',
      input: ListCertificates,
      rate: rateOf('ListCertificates'),
      perform({ CertificateStatuses, Includes, NextToken, MaxItems }) {
        const listed = certificates
          .list()
          .filter(({ status }) => CertificateStatuses?.includes(status) ?? true)
          .filter(({ keyAlgorithm }) => Includes.keyTypes.includes(keyAlgorithm));
        // The token is the last ARN shown: a certificate that is deleted meanwhile does not move the next page.
        const { shown, last } = page(listed, MaxItems, ({ arn }) => arn <= NextToken);
        return {
          CertificateSummaryList: shown.map(item => certificateSummary(item, inUseBy(item.arn))),
          NextToken: last?.arn,
        };
      },
    }),

    operation({
      name: 'GetCertificate',
      input: OneCertificate,
      resource,
      resourceTags,
      rate: rateOf('GetCertificate'),
      perform({ CertificateArn }) {
        const { issued } = requireCertificate(CertificateArn);
        if (issued === undefined) {
          const message = `The certificate ${CertificateArn} has not been issued yet.`;
          throw new AcmError('RequestInProgressException', message);
        }
        return { Certificate: issued.certificate, CertificateChain: authority.certificate };
      },
    }),

    operation({
      name: 'DeleteCertificate',
      input: OneCertificate,
      resource,
      resourceTags,
      rate: rateOf('DeleteCertificate'),
      perform({ CertificateArn }) {
        requireCertificate(CertificateArn);
        if (inUseBy(CertificateArn).length > 0) {
          throw new AcmError('ResourceInUseException', `Certificate ${CertificateArn} is in use.`);
        }
        certificates.remove(CertificateArn);
        return {};
      },
    }),

    operation({
      name: 'ListTagsForCertificate',
      input: OneCertificate,
      resource,
      resourceTags,
      rate: rateOf('ListTagsForCertificate'),
      perform: ({ CertificateArn }) => ({
        Tags: Object.entries(requireCertificate(CertificateArn).tags).map(([Key, Value]) => ({ Key, Value })),
      }),
    }),
  ];
}

function refuseAbove(count: number, limit: number, what: string): void {
  if (count > limit) {
    throw new AcmError('LimitExceededException', `The limit of ${limit} ${what} is exceeded.`);
  }
}
