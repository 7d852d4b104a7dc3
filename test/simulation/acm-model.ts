import {
  type DeleteCertificateCommandInput,
  type DescribeCertificateCommandInput,
  type FailureReason,
  type ListCertificatesCommandInput,
  type RequestCertificateCommandInput,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm';
import type { Call } from './call.ts';
import { type Certificate, type Conditions, lose, renew, validate } from './certificate-progress.ts';
import type { PublicDns } from './public-dns.ts';
import { validationOf } from './validation-record.ts';
import { type Actor, HOUR_MS, type VirtualTime } from './virtual-time.ts';

/** The delays and failures of ACM in a run, drawn for each certificate. */
export interface AcmBehaviour {
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
  /** The number of certificates after which a page of the list ends, at least 1. */
  pageLength(): number;
}

/** ACM takes requests with the same idempotency token within an hour for one request. */
const TOKEN_VALID_MS = HOUR_MS;

/** The certificates of the account. A certificate advances to its present status whenever it is read. */
export class AcmModel {
  readonly certificates = new Map<string, Certificate>();
  /** Whether a domain name of API Gateway uses the certificate. Set by the model of API Gateway. */
  isAttached: (arn: string) => boolean = () => false;
  /** Called before a certificate is deleted, or after it was requested. */
  onChange: (certificate: Certificate, change: 'request' | 'deletion', by: Actor) => void = () => {};
  readonly #time: VirtualTime;
  readonly #behaviour: AcmBehaviour;
  readonly #conditions: Conditions;
  #count = 0;

  constructor(time: VirtualTime, dns: PublicDns, behaviour: AcmBehaviour) {
    this.#time = time;
    this.#behaviour = behaviour;
    this.#conditions = { time, dns, spreadMs: () => behaviour.spreadMs() };
  }

  /** A certificate in its present status. */
  find(arn: string): Certificate | undefined {
    const certificate = this.certificates.get(arn);
    if (certificate?.status === 'PENDING_VALIDATION') validate(certificate, this.#conditions);
    if (certificate?.status === 'ISSUED') renew(certificate, this.#conditions);
    return certificate;
  }

  /** The serial number that visitors see of an issued certificate. */
  servedSerial({ serial, served }: Certificate): string {
    return served && this.#time.nowMs < served.untilMs ? served.serial : serial;
  }

  /** ACM begins to renew an issued certificate. */
  beginRenewal(certificate: Certificate): void {
    certificate.renewal = { beganAtMs: this.#time.nowMs, status: 'PENDING_AUTO_RENEWAL' };
  }

  /** An issued certificate expires or is revoked. */
  lose(certificate: Certificate, status: 'EXPIRED' | 'REVOKED'): void {
    lose(certificate, status, this.#time.nowMs);
  }

  /** The domain name that used the certificate is gone. ACM reports the certificate as in use for a while longer. */
  release(arn: string): void {
    const certificate = this.certificates.get(arn);
    if (certificate) certificate.inUseUntilMs = this.#time.nowMs + this.#behaviour.inUseMs();
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
    const repeated = [...this.certificates.values()].find(
      ({ token, requestedAtMs }) => token === IdempotencyToken && nowMs < requestedAtMs + TOKEN_VALID_MS,
    );
    if (repeated) return repeated;
    this.#count += 1;
    const certificate: Certificate = {
      arn: `arn:aws:acm:us-east-1:000000000000:certificate/${this.#count}`,
      serial: `00:${this.#count}`,
      served: undefined,
      renewal: undefined,
      domain: DomainName,
      names: [DomainName, ...SubjectAlternativeNames],
      tags: Tags,
      token: IdempotencyToken,
      requestedAtMs: nowMs,
      recordAtMs: nowMs + this.#behaviour.recordDelayMs(),
      listedAtMs: nowMs + this.#behaviour.listDelayMs(),
      issueDelayMs: this.#behaviour.issueDelayMs(),
      failure: this.#behaviour.failure(),
      isFailedByCaa: this.#behaviour.isFailedByCaa(),
      status: 'PENDING_VALIDATION',
      failureReason: undefined,
      validatedSinceMs: undefined,
      issuedAtMs: Number.POSITIVE_INFINITY,
      inUseUntilMs: 0,
      lostAtMs: Number.POSITIVE_INFINITY,
    };
    this.certificates.set(certificate.arn, certificate);
    return certificate;
  }

  /** The certificates after the one that the token names, up to where the page ends. */
  #page({ NextToken }: ListCertificatesCommandInput) {
    const listed = this.#listed();
    const rest = NextToken ? listed.filter(({ number }) => number > Number(NextToken)) : listed;
    const page = rest.slice(0, this.#behaviour.pageLength());
    return {
      CertificateSummaryList: page.map(({ number, ...summary }) => summary),
      ...(page.length < rest.length && { NextToken: String(page.at(-1)?.number) }),
    };
  }

  #listed() {
    return [...this.certificates.keys()].flatMap(arn => {
      const certificate = this.find(arn);
      if (!certificate || certificate.listedAtMs > this.#time.nowMs) return [];
      const { domain, names, status } = certificate;
      return {
        number: Number(arn.slice(arn.lastIndexOf('/') + 1)),
        CertificateArn: arn,
        DomainName: domain,
        SubjectAlternativeNameSummaries: names,
        Status: status,
      };
    });
  }

  #require({ CertificateArn = '' }: { CertificateArn: string | undefined }): Certificate {
    const certificate = this.find(CertificateArn);
    if (certificate) return certificate;
    throw new ResourceNotFoundException({ message: `No certificate ${CertificateArn}`, $metadata: {} });
  }

  /** The validation records that ACM has named so far, which `domains show` lists. */
  namedValidations(arn: string): { name: string; value: string }[] {
    const certificate = this.find(arn);
    if (!certificate || this.#time.nowMs < certificate.recordAtMs) return [];
    return certificate.names.map(validationOf);
  }

  #described({ names, status, serial, failureReason, recordAtMs, renewal }: Certificate) {
    const isNamed = this.#time.nowMs >= recordAtMs;
    return {
      Status: status,
      FailureReason: failureReason,
      ...(status === 'ISSUED' && { Serial: serial }),
      ...(renewal && { RenewalSummary: { RenewalStatus: renewal.status } }),
      DomainValidationOptions: names.map(name => {
        const { name: Name, value: Value } = validationOf(name);
        return {
          DomainName: name,
          ...(isNamed && { ResourceRecord: { Name: `${Name}.`, Type: 'CNAME', Value } }),
        };
      }),
    };
  }

  #delete(certificate: Certificate, by: Actor) {
    const { arn, inUseUntilMs } = certificate;
    this.onChange(certificate, 'deletion', by);
    if (this.isAttached(arn) || inUseUntilMs > this.#time.nowMs) {
      throw new ResourceInUseException({ message: `${arn} is in use`, $metadata: {} });
    }
    this.certificates.delete(arn);
    return {};
  }
}
