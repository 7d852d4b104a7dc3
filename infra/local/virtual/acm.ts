import type {
  CertificateStatus,
  DeleteCertificateCommandInput,
  DescribeCertificateCommandInput,
  FailureReason,
  ListCertificatesCommandInput,
  RenewalStatus,
  RequestCertificateCommandInput,
  Tag,
} from '@aws-sdk/client-acm';
import { LISTED_STATUS_MS, TOKEN_VALIDITY_MS } from '../acm/acm-service.ts';
import { allowsAmazon, type CaaRecord } from '../acm/dns-validation.ts';
import { VALIDATION_LIMIT_MS } from '../acm/issuance.ts';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { page } from '../aws-api/operation.ts';
import { recordData } from '../route53/record-set.ts';
import type { Call } from './calls.ts';
import type { Found, PublicDns } from './public-dns.ts';
import { type Actor, HOUR_MS, type VirtualTime } from './virtual-time.ts';

/** The delays and failures of ACM in a run, drawn for each certificate. */
export interface AcmBehavior {
  /** From the request until ACM names the validation record. */
  recordDelayMs(): number;
  /** From the request until the certificate is in the list. */
  listDelayMs(): number;
  /** From the moment at which ACM sees the validation record until it issues the certificate. */
  issueDelayMs(): number;
  /** The reason for which the certificate fails instead of being issued; undefined when it does not. */
  failure(): FailureReason | undefined;
  /** Whether a forbidding CAA record fails the certificate; otherwise the certificate stays pending. */
  isFailedByCaa(): boolean;
  /** How long ACM reports a certificate as in use after its domain name was deleted. */
  inUseMs(): number;
  /** How long a certificate takes to reach API Gateway. */
  spreadMs(): number;
  /** How long a certificate is valid. ACM begins to renew it when two thirds of that have passed. */
  validityMs(): number;
  /** The number of certificates after which a page of the list ends, at least 1. */
  pageLength(): number;
}

/** The certificates of the account. A certificate advances to its present status whenever it is read. */
export class AcmModel {
  readonly certificates = new Map<string, Certificate>();
  /** Whether a domain name of API Gateway uses the certificate. Set by the model of API Gateway. */
  isAttached: (arn: string) => boolean = () => false;
  /** Called before a certificate is deleted, or after it was requested. */
  onChange: (certificate: Certificate, change: 'request' | 'deletion', by: Actor) => void = () => {};
  readonly #time: VirtualTime;
  readonly #behavior: () => AcmBehavior;
  readonly #conditions: Conditions;
  #count = 0;

  constructor(time: VirtualTime, dns: PublicDns, behavior: () => AcmBehavior) {
    this.#time = time;
    this.#behavior = behavior;
    this.#conditions = { time, dns, behavior };
  }

  /** A certificate in its present status. */
  find(arn: string): Certificate | undefined {
    const certificate = this.certificates.get(arn);
    if (certificate?.status === 'PENDING_VALIDATION') validate(certificate, this.#conditions);
    if (certificate?.status === 'ISSUED') {
      if (this.isAttached(arn)) renew(certificate, this.#conditions);
      if (this.#time.nowMs >= certificate.expiresAtMs) expire(certificate, this.#time.nowMs);
    }
    return certificate;
  }

  /** The serial number that visitors see of an issued certificate. */
  servedSerial({ serial, served }: Certificate): string {
    return served && this.#time.nowMs < served.untilMs ? served.serial : serial;
  }

  /** ACM begins to renew an issued certificate; false for one that isn't in use, which it doesn't renew. */
  beginRenewal(certificate: Certificate): boolean {
    const { nowMs } = this.#time;
    if (!this.isAttached(certificate.arn)) return false;
    certificate.renewal = { beganAtMs: nowMs, status: 'PENDING_AUTO_RENEWAL' };
    certificate.expiresAtMs = Math.min(certificate.expiresAtMs, nowMs + RENEWAL_TIMEOUT_MS);
    return true;
  }

  /** An issued certificate expires or is revoked. */
  lose(certificate: Certificate, status: 'EXPIRED' | 'REVOKED'): void {
    lose(certificate, status, this.#time.nowMs);
  }

  /** The domain name that used the certificate is gone. ACM reports the certificate as in use for a while longer. */
  release(arn: string): void {
    const certificate = this.certificates.get(arn);
    if (certificate) certificate.inUseUntilMs = this.#time.nowMs + this.#behavior().inUseMs();
  }

  readonly service = ({ operation, input, actor }: Call): unknown => {
    switch (operation) {
      case 'RequestCertificate': {
        const requested = this.request(input as RequestCertificateCommandInput);
        this.onChange(requested, 'request', actor);
        return { CertificateArn: requested.arn };
      }
      case 'ListCertificates':
        return this.#page(input as ListCertificatesCommandInput);
      case 'ListTagsForCertificate':
        return { Tags: this.#require(input as DescribeCertificateCommandInput).tags };
      case 'DescribeCertificate':
        return { Certificate: this.#described(this.#require(input as DescribeCertificateCommandInput)) };
      case 'DeleteCertificate':
        return this.#delete(this.#require(input as DeleteCertificateCommandInput), actor);
      default:
        throw new Error(`The model of ACM does not support ${operation}.`);
    }
  };

  /** Requests a certificate, as the service does, or another user of the account. */
  request(input: RequestCertificateCommandInput): Certificate {
    const { DomainName = '', SubjectAlternativeNames = [], IdempotencyToken = '', Tags = [] } = input;
    const nowMs = this.#time.nowMs;
    const names = [...new Set([DomainName, ...SubjectAlternativeNames])];
    const repeated = [...this.certificates.values()].find(
      ({ token, requestedAtMs, names: others }) =>
        token === IdempotencyToken &&
        nowMs < requestedAtMs + TOKEN_VALIDITY_MS &&
        others.join() === names.join(),
    );
    if (repeated) return repeated;
    this.#count += 1;
    const certificate: Certificate = {
      arn: `arn:aws:acm:us-east-1:000000000000:certificate/${this.#count}`,
      serial: `00:${this.#count}`,
      served: undefined,
      renewal: undefined,
      domain: DomainName,
      names,
      tags: Tags,
      token: IdempotencyToken,
      requestedAtMs: nowMs,
      recordAtMs: nowMs + this.#behavior().recordDelayMs(),
      listedAtMs: nowMs + this.#behavior().listDelayMs(),
      issueDelayMs: this.#behavior().issueDelayMs(),
      failure: this.#behavior().failure(),
      isFailedByCaa: this.#behavior().isFailedByCaa(),
      status: 'PENDING_VALIDATION',
      listed: { status: 'PENDING_VALIDATION', readAtMs: nowMs },
      failureReason: undefined,
      validatedSinceMs: undefined,
      issuedAtMs: Number.POSITIVE_INFINITY,
      validFromMs: Number.POSITIVE_INFINITY,
      expiresAtMs: Number.POSITIVE_INFINITY,
      inUseUntilMs: 0,
      lostAtMs: Number.POSITIVE_INFINITY,
    };
    this.certificates.set(certificate.arn, certificate);
    return certificate;
  }

  /** The certificates after the one that the token names, up to where the page ends. */
  #page({ NextToken }: ListCertificatesCommandInput) {
    const isBefore = ({ number }: { number: number }) => number <= Number(NextToken ?? 0);
    const { shown, last } = page(this.#listed(), this.#behavior().pageLength(), isBefore);
    return {
      CertificateSummaryList: shown.map(({ number, ...summary }) => summary),
      ...(last && { NextToken: String(last.number) }),
    };
  }

  #listed() {
    return [...this.certificates.keys()].flatMap(arn => {
      const certificate = this.find(arn);
      if (!certificate || certificate.listedAtMs > this.#time.nowMs) return [];
      const { domain, names, listed } = certificate;
      if (this.#time.nowMs >= listed.readAtMs + LISTED_STATUS_MS) {
        certificate.listed = { status: certificate.status, readAtMs: this.#time.nowMs };
      }
      return {
        number: Number(arn.slice(arn.lastIndexOf('/') + 1)),
        CertificateArn: arn,
        DomainName: domain,
        SubjectAlternativeNameSummaries: names,
        Status: certificate.listed.status,
      };
    });
  }

  #require({ CertificateArn = '' }: { CertificateArn: string | undefined }): Certificate {
    const certificate = this.find(CertificateArn);
    if (certificate) return certificate;
    throw new AwsApiError('ResourceNotFoundException', `No certificate ${CertificateArn}`);
  }

  /** Whether CAA records forbid a certificate of these names. */
  isForbidden(names: readonly string[]): boolean {
    return isForbiddenByCaa(names, this.#conditions.dns);
  }

  /** The validation records that ACM has named so far, which `domains show` lists. */
  namedValidations(arn: string): { name: string; value: string }[] {
    const certificate = this.find(arn);
    if (!certificate || this.#time.nowMs < certificate.recordAtMs) return [];
    return certificate.names.map(validationOf);
  }

  #described({ names, status, serial, failureReason, recordAtMs, renewal, ...times }: Certificate) {
    // Of a new certificate ACM may say nothing.
    if (this.#time.nowMs < recordAtMs) return {};
    return {
      Status: status,
      FailureReason: failureReason,
      ...(status === 'ISSUED' && { Serial: serial }),
      ...(Number.isFinite(times.expiresAtMs) && {
        NotBefore: new Date(times.validFromMs),
        NotAfter: new Date(times.expiresAtMs),
      }),
      ...(renewal && { RenewalSummary: { RenewalStatus: renewal.status } }),
      DomainValidationOptions: names.map(name => {
        const { name: Name, value: Value } = validationOf(name);
        return { DomainName: name, ResourceRecord: { Name: `${Name}.`, Type: 'CNAME', Value } };
      }),
    };
  }

  #delete(certificate: Certificate, by: Actor) {
    const { arn, inUseUntilMs } = certificate;
    this.onChange(certificate, 'deletion', by);
    if (this.isAttached(arn) || inUseUntilMs > this.#time.nowMs) {
      throw new AwsApiError('ResourceInUseException', `${arn} is in use`);
    }
    this.certificates.delete(arn);
    return {};
  }
}

/** The renewal of a certificate: ACM tries it until it succeeds or the certificate expires. */
interface Renewal {
  readonly beganAtMs: number;
  status: RenewalStatus;
}

interface Certificate {
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
  /** The status in the list, and when it was that. */
  listed: { readonly status: CertificateStatus; readonly readAtMs: number };
  failureReason: FailureReason | undefined;
  validatedSinceMs: number | undefined;
  issuedAtMs: number;
  /** Of the certificate that was issued last, by a renewal or at first. */
  validFromMs: number;
  expiresAtMs: number;
  inUseUntilMs: number;
  lostAtMs: number;
}

/** What the progress of a certificate depends on. */
interface Conditions {
  readonly time: VirtualTime;
  readonly dns: PublicDns;
  behavior(): AcmBehavior;
}

/** ACM renews two months ahead. Here a certificate whose renewal does not succeed expires within the run. */
const RENEWAL_TIMEOUT_MS = 48 * HOUR_MS;

/** Brings a certificate that waits for its validation to its present status. */
function validate(certificate: Certificate, { time: { nowMs }, dns, behavior }: Conditions): void {
  if (nowMs >= certificate.requestedAtMs + VALIDATION_LIMIT_MS) {
    certificate.status = 'VALIDATION_TIMED_OUT';
    return;
  }
  if (nowMs < certificate.recordAtMs || !isValidated(certificate, dns)) {
    certificate.validatedSinceMs = undefined;
    return;
  }
  certificate.validatedSinceMs ??= nowMs;
  if (nowMs < certificate.validatedSinceMs + certificate.issueDelayMs) return;
  const isForbidden = isForbiddenByCaa(certificate.names, dns);
  if (isForbidden && !certificate.isFailedByCaa) return;
  certificate.failureReason = certificate.failure ?? (isForbidden ? 'CAA_ERROR' : undefined);
  certificate.status = certificate.failureReason ? 'FAILED' : 'ISSUED';
  certificate.issuedAtMs = nowMs;
  beginValidity(certificate, nowMs, behavior().validityMs());
}

function beginValidity(certificate: Certificate, nowMs: number, validityMs: number): void {
  certificate.validFromMs = nowMs;
  certificate.expiresAtMs = nowMs + validityMs;
}

/** Renews a certificate whose time has come, as long as its validation records are there. */
function renew(certificate: Certificate, { time: { nowMs }, dns, behavior }: Conditions): void {
  const { serial, validFromMs, expiresAtMs, names } = certificate;
  const { status = 'SUCCESS' } = certificate.renewal ?? {};
  const isDue = nowMs >= validFromMs + ((expiresAtMs - validFromMs) * 2) / 3;
  if (isDue && status === 'SUCCESS') {
    certificate.renewal = { beganAtMs: nowMs, status: 'PENDING_AUTO_RENEWAL' };
  }
  const { renewal } = certificate;
  if (!renewal || renewal.status === 'SUCCESS' || nowMs === renewal.beganAtMs) return;
  if (isValidated(certificate, dns) && !isForbiddenByCaa(names, dns)) {
    renewal.status = 'SUCCESS';
    certificate.serial = `${serial}:renewed`;
    certificate.served = { serial, untilMs: nowMs + behavior().spreadMs() };
    beginValidity(certificate, nowMs, behavior().validityMs());
  } else {
    renewal.status = 'PENDING_VALIDATION';
  }
}

function expire(certificate: Certificate, nowMs: number): void {
  if (certificate.renewal) certificate.renewal.status = 'FAILED';
  lose(certificate, 'EXPIRED', nowMs);
}

function lose(certificate: Certificate, status: 'EXPIRED' | 'REVOKED', nowMs: number): void {
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

/** Whether Amazon may not issue a certificate for one of the names. */
function isForbiddenByCaa(names: readonly string[], dns: PublicDns): boolean {
  return names.some(name => {
    const found = closestCaa(plain(name), dns);
    if (found.kind !== 'records') return found.kind === 'unknown';
    const records = found.values.map(value => recordData('CAA', value) as CaaRecord);
    return !allowsAmazon(records, isWildcard(name));
  });
}

/** The CAA records of the first of a name and its parents that has any; unknown where a look-up on the way fails. */
function closestCaa(name: string, dns: PublicDns): Found {
  const labels = name.split('.');
  for (const depth of labels.keys()) {
    const found = dns.ask(labels.slice(depth).join('.'), 'CAA');
    if (found.kind !== 'none') return found;
  }
  return { kind: 'none' };
}

function isWildcard(name: string): boolean {
  return name.startsWith('*.');
}

function plain(name: string): string {
  return isWildcard(name) ? name.slice('*.'.length) : name;
}

/** The records of the domains that were asked for: there are few, and every list of certificates asks again. */
const validations = new Map<string, { readonly name: string; readonly value: string }>();

/** The validation record of a name, the same for all its certificates in an account: *.zoo.example has that of zoo.example. */
export function validationOf(certified: string): { readonly name: string; readonly value: string } {
  const domain = plain(certified);
  const known = validations.get(domain);
  if (known) return known;
  const code = `proof-of-${domain.replaceAll('.', '-')}`;
  const validation = { name: `_${code}.${domain}`, value: `_${code}.acm-validations.aws` };
  validations.set(domain, validation);
  return validation;
}
