import type { CertificateStatus, FailureReason, RenewalStatus, Tag } from '@aws-sdk/client-acm';
import type { PublicDns } from './public-dns.ts';
import { validationOf } from './validation-record.ts';
import { HOUR_MS, type VirtualTime } from './virtual-time.ts';

/** The renewal of a certificate: ACM tries it until it succeeds or the certificate expires. */
interface Renewal {
  readonly beganAtMs: number;
  status: RenewalStatus;
}

export interface Certificate {
  readonly arn: string;
  serial: string;
  /** The serial number that API Gateway serves until a time, instead of that of the renewed certificate. */
  served: { readonly serial: string; readonly untilMs: number } | undefined;
  renewal: Renewal | undefined;
  readonly domain: string;
  readonly names: readonly string[];
  readonly tags: readonly Tag[];
  readonly token: string;
  readonly requestedAtMs: number;
  readonly recordAtMs: number;
  readonly listedAtMs: number;
  readonly issueDelayMs: number;
  readonly failure: FailureReason | undefined;
  readonly isFailedByCaa: boolean;
  status: CertificateStatus;
  failureReason: FailureReason | undefined;
  validatedSinceMs: number | undefined;
  issuedAtMs: number;
  inUseUntilMs: number;
  lostAtMs: number;
}

/** What the progress of a certificate depends on. */
export interface Conditions {
  readonly time: VirtualTime;
  readonly dns: PublicDns;
  /** How long a certificate takes to reach API Gateway. */
  spreadMs(): number;
}

const VALIDATION_TIMEOUT_MS = 72 * HOUR_MS;

/** ACM renews two months ahead. Here a certificate whose renewal does not succeed expires within the run. */
const RENEWAL_TIMEOUT_MS = 48 * HOUR_MS;

/** Brings a certificate that waits for its validation to its present status. */
export function validate(certificate: Certificate, { time: { nowMs }, dns }: Conditions): void {
  if (nowMs >= certificate.requestedAtMs + VALIDATION_TIMEOUT_MS) {
    certificate.status = 'VALIDATION_TIMED_OUT';
    return;
  }
  if (nowMs < certificate.recordAtMs || !isValidated(certificate, dns)) {
    certificate.validatedSinceMs = undefined;
    return;
  }
  certificate.validatedSinceMs ??= nowMs;
  if (nowMs < certificate.validatedSinceMs + certificate.issueDelayMs) return;
  const isForbidden = isForbiddenByCaa(certificate.domain, dns);
  if (isForbidden && !certificate.isFailedByCaa) return;
  certificate.failureReason = certificate.failure ?? (isForbidden ? 'CAA_ERROR' : undefined);
  certificate.status = certificate.failureReason ? 'FAILED' : 'ISSUED';
  certificate.issuedAtMs = nowMs;
}

/** Renews a certificate whose time has come, as long as its validation records are there. */
export function renew(certificate: Certificate, { time: { nowMs }, dns, spreadMs }: Conditions): void {
  const { renewal, serial } = certificate;
  if (!renewal || renewal.status === 'SUCCESS' || nowMs === renewal.beganAtMs) return;
  if (isValidated(certificate, dns) && !isForbiddenByCaa(certificate.domain, dns)) {
    renewal.status = 'SUCCESS';
    certificate.serial = `${serial}:renewed`;
    certificate.served = { serial, untilMs: nowMs + spreadMs() };
  } else if (nowMs >= renewal.beganAtMs + RENEWAL_TIMEOUT_MS) {
    renewal.status = 'FAILED';
    lose(certificate, 'EXPIRED', nowMs);
  } else {
    renewal.status = 'PENDING_VALIDATION';
  }
}

export function lose(certificate: Certificate, status: 'EXPIRED' | 'REVOKED', nowMs: number): void {
  certificate.status = status;
  certificate.lostAtMs = nowMs;
}

function isValidated({ names }: Certificate, dns: PublicDns): boolean {
  return names.every(name => {
    const required = validationOf(name);
    const found = dns.ask(required.name, 'CNAME');
    return found.kind === 'records' && found.values.includes(required.value);
  });
}

/** A simpler rule than that of the service's own CAA check: any CAA record of the name or a parent must name Amazon. */
function isForbiddenByCaa(domain: string, dns: PublicDns): boolean {
  const labels = domain.split('.');
  return labels.some((_, depth) => {
    const found = dns.ask(labels.slice(depth).join('.'), 'CAA');
    return found.kind === 'unknown' || (found.kind === 'records' && !found.values.join().includes('amazon'));
  });
}
