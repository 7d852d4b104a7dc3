import type { CertificateDetail, CertificateSummary, DomainValidation } from '@aws-sdk/client-acm';
import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf, page, type Written } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { KEY_ALGORITHMS } from './certificate-authority.ts';
import type { Certificate, Certificates } from './certificates.ts';
import { validationRecord } from './dns-validation.ts';
import type { Issuance } from './issuance.ts';

const operation = operationOf<typeof import('@aws-sdk/client-acm')>();

/** The ACM API. */
export function acmApi(options: CertificateOperationsOptions): ServiceApi {
  return {
    title: 'ACM',
    sdk: () => import('@aws-sdk/client-acm').then(sdk => [sdk, sdk.ACMClient]),
    actionPrefix: 'acm',
    operations: certificateOperations(options),
    model: () => loadServiceModel('acm'),
  };
}

interface CertificateOperationsOptions extends Partial<Surroundings> {
  readonly certificates: Certificates;
  readonly issuance: Issuance;
  /** The ARNs of the load balancers that use a certificate. */
  inUseBy(certificateArn: string): readonly string[];
}

/** ACM takes requests with the same idempotency token within this time for one request. */
const TOKEN_VALIDITY_MS = 60 * 60 * 1000;
/** How old a status in the list may be. How old on AWS isn't known, but it was seen to lag. */
const LISTED_STATUS_MS = 60 * 60 * 1000;
const MAX_CERTIFICATES = 2500;
/** ACM's quota unless it is raised. */
const MAX_NAMES = 10;

/** Requests per second and account, by operation. */
const RATES = {
  RequestCertificate: 5,
  DescribeCertificate: 10,
  ListCertificates: 8,
  DeleteCertificate: 10,
  ListTagsForCertificate: 10,
};

function certificateOperations(options: CertificateOperationsOptions): readonly Operation[] {
  const { certificates, issuance, inUseBy } = options;
  const { now, behavior } = surroundings(options);
  const refusal = () => new AwsApiError('ThrottlingException', 'Rate exceeded');
  const rateOf = (name: keyof typeof RATES) =>
    tokenBucket({ ratePerSecond: RATES[name], burst: RATES[name], now, refusal });
  const resource = ({ CertificateArn }: { CertificateArn?: string }) => CertificateArn;
  const resourceTags = ({ CertificateArn }: { CertificateArn: string }) =>
    certificates.find(CertificateArn)?.tags;

  function requireCertificate(arn: string): Certificate {
    const certificate = certificates.find(arn);
    if (certificate === undefined) {
      throw new AwsApiError('ResourceNotFoundException', `Could not find certificate ${arn}.`);
    }
    return certificate;
  }

  const listed = new Map<string, { readonly status: Certificate['status']; readonly readAtMs: number }>();

  /** The status in the list, which looks at a certificate once an hour. */
  function listedStatus({ arn, status, createdAtMs }: Certificate): Certificate['status'] {
    const before = listed.get(arn) ?? { status: 'PENDING_VALIDATION', readAtMs: createdAtMs };
    const isOld = now() >= before.readAtMs + LISTED_STATUS_MS;
    const current = isOld ? { status, readAtMs: now() } : before;
    listed.set(arn, current);
    return current.status;
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
        const certificate = certificates.add({
          names,
          keyAlgorithm,
          idempotencyToken,
          tags,
          createdAtMs: now(),
        });
        issuance.follow(certificate);
        return { CertificateArn: certificate.arn };
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
        const detail = certificateDetail(certificate, inUseBy(CertificateArn));
        // AWS leaves out DomainName and others at first.
        return { Certificate: { ...detail, ...(issuance.hasRecords(certificate) && namesOf(certificate)) } };
      },
    }),

    operation({
      name: 'ListCertificates',
      input: ListCertificates,
      rate: rateOf('ListCertificates'),
      perform({ Includes, NextToken, MaxItems }) {
        const listed = certificates
          .list()
          .filter(({ keyAlgorithm }) => Includes.keyTypes.includes(keyAlgorithm))
          .filter(certificate => now() >= issuance.listedAtMs(certificate));
        // The token is the last ARN shown: a certificate that is deleted meanwhile does not move the next page.
        const length = Math.min(MaxItems, behavior().pageLength());
        const { shown, last } = page(listed, length, ({ arn }) => arn <= NextToken);
        return {
          CertificateSummaryList: shown.map(item => ({
            ...certificateSummary(item, inUseBy(item.arn)),
            Status: listedStatus(item),
          })),
          NextToken: last?.arn,
        };
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
          throw new AwsApiError('ResourceInUseException', `Certificate ${CertificateArn} is in use.`);
        }
        certificates.remove(CertificateArn);
        issuance.forget(CertificateArn);
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
    throw new AwsApiError('LimitExceededException', `The limit of ${limit} ${what} is exceeded.`);
  }
}

/** RFC 5280's limit of a common name; a longer name has to be an alternative name. */
const LONGEST_COMMON_NAME = 64;
const MAX_ITEMS = 1000;

/** The service model has the constraints that are not here. */
const RequestCertificate = z.strictObject({
  DomainName: z
    .string()
    .max(LONGEST_COMMON_NAME, `Member must have length less than or equal to ${LONGEST_COMMON_NAME}`)
    .toLowerCase(),
  SubjectAlternativeNames: z.array(z.string().toLowerCase()).default([]),
  ValidationMethod: z.literal('DNS', 'the local AWS supports only the validation method DNS'),
  IdempotencyToken: z.string().optional(),
  KeyAlgorithm: z.enum(KEY_ALGORITHMS).default('RSA_2048'),
  Tags: z
    .array(z.strictObject({ Key: z.string(), Value: z.string().default('') }))
    .transform(tags => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])))
    .optional(),
});

const OneCertificate = z.strictObject({ CertificateArn: z.string() });

const ListCertificates = z.strictObject({
  // Unless it is asked for others, ACM lists the certificates with RSA keys of up to 2048 bits only.
  Includes: z
    .strictObject({ keyTypes: z.array(z.string()).default(['RSA_1024', 'RSA_2048']) })
    .default({ keyTypes: ['RSA_1024', 'RSA_2048'] }),
  NextToken: z.string().default(''),
  MaxItems: z.int().min(1).max(MAX_ITEMS).default(MAX_ITEMS),
});

const namesOf = ({ names, validation }: Certificate) => ({
  DomainName: names[0],
  SubjectAlternativeNames: names,
  DomainValidationOptions: domainValidations(names, validation),
});

/** A certificate as DescribeCertificate returns it, without what is the same for all. */
function certificateDetail(certificate: Certificate, inUseBy: readonly string[]): Written<CertificateDetail> {
  const { arn, names, keyAlgorithm, status, failureReason, revokedAtMs, issued, renewal } = certificate;
  return {
    CertificateArn: arn,
    CreatedAt: new Date(certificate.createdAtMs),
    Status: status,
    ...(failureReason !== undefined && { FailureReason: failureReason }),
    ...(revokedAtMs !== undefined && { RevokedAt: new Date(revokedAtMs) }),
    Subject: `CN=${names[0]}`,
    Issuer: 'Amazon',
    KeyAlgorithm: keyAlgorithm,
    SignatureAlgorithm: 'SHA256WITHRSA',
    KeyUsages: issued === undefined ? [] : [{ Name: 'DIGITAL_SIGNATURE' }, { Name: 'KEY_ENCIPHERMENT' }],
    Options: { CertificateTransparencyLoggingPreference: 'ENABLED' },
    InUseBy: inUseBy,
    Type: 'AMAZON_ISSUED',
    RenewalEligibility: renewalEligibility(certificate, inUseBy),
    ...(issued !== undefined && {
      Serial: issued.serial,
      IssuedAt: new Date(issued.issuedAtMs),
      NotBefore: new Date(issued.notBeforeMs),
      NotAfter: new Date(issued.notAfterMs),
    }),
    ...(renewal !== undefined && {
      RenewalSummary: {
        RenewalStatus: renewal.status,
        DomainValidationOptions: domainValidations(names, renewal.validation),
        ...(renewal.reason !== undefined && { RenewalStatusReason: renewal.reason }),
        UpdatedAt: new Date(renewal.updatedAtMs),
      },
    }),
  };
}

/** A certificate as ListCertificates returns it, without its status. */
function certificateSummary(
  certificate: Certificate,
  inUseBy: readonly string[],
): Written<CertificateSummary> {
  const { arn, names, keyAlgorithm, issued } = certificate;
  return {
    CertificateArn: arn,
    DomainName: names[0],
    SubjectAlternativeNameSummaries: names,
    HasAdditionalSubjectAlternativeNames: false,
    Type: 'AMAZON_ISSUED',
    KeyAlgorithm: keyAlgorithm,
    InUse: inUseBy.length > 0,
    RenewalEligibility: renewalEligibility(certificate, inUseBy),
    CreatedAt: new Date(certificate.createdAtMs),
    ...(issued !== undefined && {
      IssuedAt: new Date(issued.issuedAtMs),
      NotBefore: new Date(issued.notBeforeMs),
      NotAfter: new Date(issued.notAfterMs),
    }),
  };
}

/** ACM renews only certificates that are in use. */
function renewalEligibility({ status }: Certificate, inUseBy: readonly string[]) {
  return status === 'ISSUED' && inUseBy.length > 0 ? 'ELIGIBLE' : 'INELIGIBLE';
}

function domainValidations(
  names: Certificate['names'],
  validation: Certificate['validation'],
): Written<DomainValidation[]> {
  return names.map(name => ({
    DomainName: name,
    ValidationDomain: name,
    ValidationStatus: validation[name] ?? 'PENDING_VALIDATION',
    ResourceRecord: validationRecord(name),
    ValidationMethod: 'DNS',
  }));
}
