import type { Certificate, ValidationStatus } from './certificates.ts';
import { validationRecord } from './validation-record.ts';

/** What DescribeCertificate says beside the kept certificate. */
export interface DetailContext {
  readonly hasRecords: boolean;
  readonly inUseBy: readonly string[];
}

const ISSUER = 'Amazon';

/** A certificate as DescribeCertificate gives it; times in seconds since 1970. */
export function certificateDetail(certificate: Certificate, { hasRecords, inUseBy }: DetailContext) {
  const { arn, names, keyAlgorithm, status, failureReason, issued, renewal } = certificate;
  const validations = (validation: Certificate['validation']) =>
    names.map(name => domainValidation(name, validation[name], hasRecords));
  return {
    CertificateArn: arn,
    DomainName: names[0],
    SubjectAlternativeNames: names,
    DomainValidationOptions: validations(certificate.validation),
    Subject: `CN=${names[0]}`,
    Issuer: ISSUER,
    CreatedAt: seconds(certificate.createdAtMs),
    Status: status,
    ...(failureReason !== undefined && { FailureReason: failureReason }),
    KeyAlgorithm: keyAlgorithm,
    SignatureAlgorithm: keyAlgorithm.startsWith('RSA') ? 'SHA256WITHRSA' : 'SHA256WITHECDSA',
    InUseBy: inUseBy,
    Type: 'AMAZON_ISSUED',
    KeyUsages: issued === undefined ? [] : [{ Name: 'DIGITAL_SIGNATURE' }, { Name: 'KEY_ENCIPHERMENT' }],
    ExtendedKeyUsages:
      issued === undefined ? [] : [{ Name: 'TLS_WEB_SERVER_AUTHENTICATION', OID: '1.3.6.1.5.5.7.3.1' }],
    RenewalEligibility: renewalEligibility(certificate, inUseBy),
    Options: { CertificateTransparencyLoggingPreference: 'ENABLED', Export: 'DISABLED' },
    ...(issued !== undefined && {
      Serial: issued.serial,
      IssuedAt: seconds(issued.issuedAtMs),
      NotBefore: seconds(issued.notBeforeMs),
      NotAfter: seconds(issued.notAfterMs),
    }),
    ...(renewal !== undefined && {
      RenewalSummary: {
        RenewalStatus: renewal.status,
        DomainValidationOptions: validations(renewal.validation),
        ...(renewal.reason !== undefined && { RenewalStatusReason: renewal.reason }),
        UpdatedAt: seconds(renewal.updatedAtMs),
      },
    }),
  };
}

/** A certificate as ListCertificates gives it. */
export function certificateSummary(certificate: Certificate, inUseBy: readonly string[]) {
  const { arn, names, keyAlgorithm, status, issued } = certificate;
  return {
    CertificateArn: arn,
    DomainName: names[0],
    SubjectAlternativeNameSummaries: names,
    HasAdditionalSubjectAlternativeNames: false,
    Status: status,
    Type: 'AMAZON_ISSUED',
    KeyAlgorithm: keyAlgorithm,
    InUse: inUseBy.length > 0,
    RenewalEligibility: renewalEligibility(certificate, inUseBy),
    CreatedAt: seconds(certificate.createdAtMs),
    ...(issued !== undefined && {
      IssuedAt: seconds(issued.issuedAtMs),
      NotBefore: seconds(issued.notBeforeMs),
      NotAfter: seconds(issued.notAfterMs),
    }),
  };
}

/** ACM renews only certificates that are in use. */
function renewalEligibility({ status }: Certificate, inUseBy: readonly string[]): string {
  return status === 'ISSUED' && inUseBy.length > 0 ? 'ELIGIBLE' : 'INELIGIBLE';
}

function domainValidation(
  name: string,
  status: ValidationStatus = 'PENDING_VALIDATION',
  hasRecords: boolean,
) {
  return {
    DomainName: name,
    ValidationDomain: name,
    ValidationStatus: status,
    ...(hasRecords && { ResourceRecord: validationRecord(name) }),
    ValidationMethod: 'DNS',
  };
}

function seconds(timeMs: number): number {
  return timeMs / 1000;
}
