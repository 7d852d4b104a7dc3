import {
  type CertificateStatus,
  type DeleteCertificateCommandInput,
  type DescribeCertificateCommandInput,
  type FailureReason,
  type RequestCertificateCommandInput,
  ResourceInUseException,
  ResourceNotFoundException,
  type Tag,
} from '@aws-sdk/client-acm';
import type { Call } from './calls.ts';
import type { PublicDns } from './public-dns.ts';
import { HOUR_MS, type VirtualTime } from './virtual-time.ts';

/** How ACM behaves in a run. Each is asked once for each certificate. */
export interface AcmHabits {
  /** From the request until the validation record is named. */
  recordDelayMs(): number;
  /** From the request until the certificate is in the list. */
  listDelayMs(): number;
  /** From the moment at which ACM could issue until it does. */
  issueDelayMs(): number;
  /** Why this certificate fails instead of being issued, if it does. */
  failure(): FailureReason | undefined;
  /** Whether a CAA record makes it fail; otherwise it just stays pending. */
  isFailedByCaa(): boolean;
  /** How long a certificate stays in use after its domain name was deleted. */
  inUseMs(): number;
}

export interface Certificate {
  readonly arn: string;
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
  couldIssueSinceMs: number | undefined;
  issuedAtMs: number;
  inUseUntilMs: number;
  lostAtMs: number;
}

const TOKEN_VALID_MS = HOUR_MS;
const GIVES_UP_AFTER_MS = 72 * HOUR_MS;

/** The certificates of the account. What time does to one is reckoned when someone looks at it. */
export class AcmModel {
  readonly certificates = new Map<string, Certificate>();
  /** Whether a domain name of API Gateway has the certificate. */
  isAttached: (arn: string) => boolean = () => false;
  readonly #time: VirtualTime;
  readonly #dns: PublicDns;
  readonly #habits: AcmHabits;
  #count = 0;

  constructor(time: VirtualTime, dns: PublicDns, habits: AcmHabits) {
    this.#time = time;
    this.#dns = dns;
    this.#habits = habits;
  }

  /** A certificate as it is by now. */
  find(arn: string): Certificate | undefined {
    const certificate = this.certificates.get(arn);
    if (certificate?.status === 'PENDING_VALIDATION') this.#age(certificate);
    return certificate;
  }

  /** An issued certificate becomes worthless. */
  lose(certificate: Certificate, status: 'EXPIRED' | 'REVOKED'): void {
    certificate.status = status;
    certificate.lostAtMs = this.#time.nowMs;
  }

  /** The domain name that had the certificate is gone; AWS lets go of it later. */
  release(arn: string): void {
    const certificate = this.certificates.get(arn);
    if (certificate) certificate.inUseUntilMs = this.#time.nowMs + this.#habits.inUseMs();
  }

  readonly service = ({ operation, input }: Call): unknown => {
    switch (operation) {
      case 'RequestCertificate':
        return { CertificateArn: this.#request(input as RequestCertificateCommandInput).arn };
      case 'ListCertificates':
        return { CertificateSummaryList: this.#listed() };
      case 'ListTagsForCertificate':
        return { Tags: this.#existing(input as DescribeCertificateCommandInput).tags };
      case 'DescribeCertificate':
        return { Certificate: this.#described(this.#existing(input as DescribeCertificateCommandInput)) };
      case 'DeleteCertificate':
        return this.#delete(this.#existing(input as DeleteCertificateCommandInput));
      default:
        throw new Error(`ACM has no ${operation} here.`);
    }
  };

  #request(input: RequestCertificateCommandInput): Certificate {
    const { DomainName = '', SubjectAlternativeNames = [], IdempotencyToken = '', Tags = [] } = input;
    const nowMs = this.#time.nowMs;
    const repeated = [...this.certificates.values()].find(
      ({ token, requestedAtMs }) => token === IdempotencyToken && nowMs < requestedAtMs + TOKEN_VALID_MS,
    );
    if (repeated) return repeated;
    this.#count += 1;
    const certificate: Certificate = {
      arn: `arn:aws:acm:us-east-1:000000000000:certificate/${this.#count}`,
      domain: DomainName,
      names: [DomainName, ...SubjectAlternativeNames],
      tags: Tags,
      token: IdempotencyToken,
      requestedAtMs: nowMs,
      recordAtMs: nowMs + this.#habits.recordDelayMs(),
      listedAtMs: nowMs + this.#habits.listDelayMs(),
      issueDelayMs: this.#habits.issueDelayMs(),
      failure: this.#habits.failure(),
      isFailedByCaa: this.#habits.isFailedByCaa(),
      status: 'PENDING_VALIDATION',
      failureReason: undefined,
      couldIssueSinceMs: undefined,
      issuedAtMs: Number.POSITIVE_INFINITY,
      inUseUntilMs: 0,
      lostAtMs: Number.POSITIVE_INFINITY,
    };
    this.certificates.set(certificate.arn, certificate);
    return certificate;
  }

  #age(certificate: Certificate): void {
    const nowMs = this.#time.nowMs;
    if (nowMs >= certificate.requestedAtMs + GIVES_UP_AFTER_MS) {
      certificate.status = 'VALIDATION_TIMED_OUT';
      return;
    }
    if (nowMs < certificate.recordAtMs || !this.#isValidated(certificate)) {
      certificate.couldIssueSinceMs = undefined;
      return;
    }
    certificate.couldIssueSinceMs ??= nowMs;
    if (nowMs < certificate.couldIssueSinceMs + certificate.issueDelayMs) return;
    const isForbidden = this.#isForbidden(certificate.domain);
    if (isForbidden && !certificate.isFailedByCaa) return;
    certificate.failureReason = certificate.failure ?? (isForbidden ? 'CAA_ERROR' : undefined);
    certificate.status = certificate.failureReason ? 'FAILED' : 'ISSUED';
    certificate.issuedAtMs = nowMs;
  }

  #isValidated({ names }: Certificate): boolean {
    return names.every(name => {
      const wanted = validationOf(name);
      const found = this.#dns.ask(wanted.name, 'CNAME');
      return found.kind === 'records' && found.values.includes(wanted.value);
    });
  }

  /** ACM asks the parents too, as the service's own check does, which is tested elsewhere. */
  #isForbidden(domain: string): boolean {
    const labels = domain.split('.');
    return labels.some((_, depth) => {
      const found = this.#dns.ask(labels.slice(depth).join('.'), 'CAA');
      return (
        found.kind === 'unknown' || (found.kind === 'records' && !found.values.join().includes('amazon'))
      );
    });
  }

  #listed() {
    return [...this.certificates.keys()].flatMap(arn => {
      const certificate = this.find(arn);
      if (!certificate || certificate.listedAtMs > this.#time.nowMs) return [];
      const { domain, names, status } = certificate;
      return {
        CertificateArn: arn,
        DomainName: domain,
        SubjectAlternativeNameSummaries: names,
        Status: status,
      };
    });
  }

  #existing({ CertificateArn = '' }: { CertificateArn: string | undefined }): Certificate {
    const certificate = this.find(CertificateArn);
    if (certificate) return certificate;
    throw new ResourceNotFoundException({ message: `No certificate ${CertificateArn}`, $metadata: {} });
  }

  /** The validation records that ACM has named by now, which `domains show` lists. */
  namedValidations(arn: string): { name: string; value: string }[] {
    const certificate = this.find(arn);
    if (!certificate || this.#time.nowMs < certificate.recordAtMs) return [];
    return certificate.names.map(validationOf);
  }

  #described({ names, status, failureReason, recordAtMs }: Certificate) {
    const isNamed = this.#time.nowMs >= recordAtMs;
    return {
      Status: status,
      FailureReason: failureReason,
      DomainValidationOptions: names.map(name => {
        const { name: Name, value: Value } = validationOf(name);
        return {
          DomainName: name,
          ...(isNamed && { ResourceRecord: { Name: `${Name}.`, Type: 'CNAME', Value } }),
        };
      }),
    };
  }

  #delete({ arn, inUseUntilMs }: Certificate) {
    if (this.isAttached(arn) || inUseUntilMs > this.#time.nowMs) {
      throw new ResourceInUseException({ message: `${arn} is in use`, $metadata: {} });
    }
    this.certificates.delete(arn);
    return {};
  }
}

/** The same for a domain and an account, whatever certificate it is for. */
export function validationOf(domain: string): { name: string; value: string } {
  const code = `proof-of-${domain.replaceAll('.', '-')}`;
  return { name: `_${code}.${domain}`, value: `_${code}.acm-validations.aws` };
}
