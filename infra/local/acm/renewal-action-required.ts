import type { AwsEvent } from '../events/rules.ts';
import type { Certificate } from './certificates.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The event by which ACM asks the owner of a certificate in use to act, since it cannot renew it. */
export function renewalActionRequired(certificate: Certificate, nowMs: number): AwsEvent {
  const { arn, names, renewal, issued } = certificate;
  const notAfterMs = issued?.notAfterMs ?? nowMs;
  return {
    source: 'aws.acm',
    'detail-type': 'ACM Certificate Renewal Action Required',
    resources: [arn],
    detail: {
      CertificateType: 'AMAZON_ISSUED',
      CommonName: names[0],
      DomainValidationMethod: 'DNS',
      RenewalStatusReason: renewal?.reason ?? 'PENDING_DOMAIN_VALIDATION',
      DaysToExpiry: Math.floor((notAfterMs - nowMs) / DAY_MS),
      CertificateExpirationDate: new Date(notAfterMs).toISOString().replace(/\.\d+Z$/, 'Z'),
      InUse: true,
      Exported: false,
    },
  };
}
