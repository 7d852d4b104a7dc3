import type { AwsEvent } from '../events/rules.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import type { Certificate, Certificates, ValidationStatus } from './certificates.ts';
import { caaDecision, isValidated, type Lookup } from './dns-validation.ts';

interface IssuanceOptions extends Partial<Surroundings> {
  readonly certificates: Certificates;
  readonly authority: CertificateAuthority;
  readonly lookup: Lookup;
  isInUse(certificateArn: string): boolean;
  /** Publishes an event. Issuance does not wait for its handlers, since they may ask for the same certificate. */
  announce(event: AwsEvent): void;
}

const HOUR_MS = 60 * 60 * 1000;

export const VALIDATION_LIMIT_MS = 72 * HOUR_MS;
/** ACM begins to renew a certificate 45 days before it expires. */
const RENEWAL_MS = 45 * 24 * HOUR_MS;
const CHECK_INTERVAL_MS = 10_000;
const MIN_INTERVAL_MS = 20;

/** Issues pending certificates once DNS validates them, and renews issued ones while DNS still does. */
export class Issuance {
  readonly #options: IssuanceOptions & Surroundings;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: IssuanceOptions) {
    this.#options = { ...options, ...surroundings(options) };
  }

  /** Whether the validation records of a certificate are published yet. */
  hasRecords({ createdAtMs }: Certificate): boolean {
    const { now, behavior } = this.#options;
    return now() >= createdAtMs + behavior().recordDelayMs();
  }

  /** Checks all certificates every ten seconds. `stop` waits for the checks that are running. */
  start(report: (line: string) => void): { stop(): Promise<void> } {
    const intervalMs = Math.max(MIN_INTERVAL_MS, CHECK_INTERVAL_MS * this.#options.waitScale);
    const timer = setInterval(() => {
      this.checkAll().catch((error: Error) => report(`ACM: ${error.message}`));
    }, intervalMs);
    timer.unref();
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.allSettled(this.#running.values());
      },
    };
  }

  async checkAll(): Promise<void> {
    await Promise.all(this.#options.certificates.list().map(({ arn }) => this.check(arn)));
  }

  /** Advances a certificate as far as DNS allows now. Simultaneous checks of one certificate are one check. */
  check(arn: string): Promise<void> {
    const running = this.#running.get(arn);
    if (running !== undefined) return running;
    const check = this.#advance(arn).finally(() => this.#running.delete(arn));
    this.#running.set(arn, check);
    return check;
  }

  async #advance(arn: string): Promise<void> {
    const { certificates, now, isInUse } = this.#options;
    const certificate = certificates.find(arn);
    if (certificate?.status === 'PENDING_VALIDATION') {
      await this.#issue(certificate);
    } else if (certificate?.status === 'ISSUED' && certificate.issued !== undefined) {
      const leftMs = certificate.issued.notAfterMs - now();
      if (leftMs <= 0) certificates.change(arn, { status: 'EXPIRED' });
      else if (leftMs <= RENEWAL_MS && isInUse(arn)) await this.#renew(certificate);
    }
  }

  async #issue(certificate: Certificate): Promise<void> {
    const { certificates, now, waitScale } = this.#options;
    const { arn, createdAtMs } = certificate;
    if (now() >= createdAtMs + VALIDATION_LIMIT_MS * waitScale) {
      const validation = this.#pendingAs('FAILED', certificate);
      certificates.change(arn, { status: 'VALIDATION_TIMED_OUT', validation });
      return;
    }
    if (!this.hasRecords(certificate)) return;
    const validation = await this.#validation(certificate, certificate.validation);
    if (!isSame(validation, certificate.validation)) certificates.change(arn, { validation });
    if (!isComplete(certificate, validation)) return;
    const { decision, forbidden } = await this.#caa(certificate);
    if (decision === 'forbidden') {
      certificates.change(arn, {
        status: 'FAILED',
        failureReason: 'CAA_ERROR',
        validation: { ...validation, ...forbidden },
      });
    } else if (decision === 'allowed') {
      certificates.change(arn, { status: 'ISSUED', issued: await this.#signed(certificate) });
    }
  }

  /** Renews a certificate that DNS still validates. Otherwise it stays issued, and an event asks its owner to act. */
  async #renew(certificate: Certificate): Promise<void> {
    const { certificates, announce, now } = this.#options;
    const validation = await this.#validation(certificate, {});
    const { decision } = isComplete(certificate, validation)
      ? await this.#caa(certificate)
      : { decision: 'unknown' };
    if (decision === 'allowed') {
      const issued = await this.#signed(certificate);
      const renewal = { status: 'SUCCESS' as const, validation, updatedAtMs: now() };
      certificates.change(certificate.arn, { issued, renewal });
      return;
    }
    const reason = decision === 'forbidden' ? ('CAA_ERROR' as const) : undefined;
    const { renewal: known } = certificate;
    if (
      known?.status !== 'PENDING_VALIDATION' ||
      known.reason !== reason ||
      !isSame(known.validation, validation)
    ) {
      const renewal = { status: 'PENDING_VALIDATION' as const, reason, validation, updatedAtMs: now() };
      certificates.change(certificate.arn, { renewal });
      announce(renewalActionRequired({ ...certificate, renewal }, now()));
    }
  }

  /** The validation status of each name. A name that was validated once stays validated. */
  async #validation({ names }: Certificate, known: Certificate['validation']) {
    const statuses = await Promise.all(
      names.map(async (name): Promise<[string, ValidationStatus]> => {
        const isDone = known[name] === 'SUCCESS' || (await isValidated(name, this.#options.lookup));
        return [name, isDone ? 'SUCCESS' : 'PENDING_VALIDATION'];
      }),
    );
    return Object.fromEntries(statuses);
  }

  async #caa({ names }: Certificate) {
    const decisions = await Promise.all(names.map(name => caaDecision(name, this.#options.lookup)));
    const forbidden = names.filter((_, index) => decisions[index] === 'forbidden');
    const decision =
      forbidden.length > 0 ? 'forbidden' : decisions.includes('unknown') ? 'unknown' : 'allowed';
    return { decision, forbidden: Object.fromEntries(forbidden.map(name => [name, 'FAILED' as const])) };
  }

  #pendingAs(status: ValidationStatus, { names, validation }: Certificate) {
    return Object.fromEntries(
      names.map(name => [name, validation[name] === 'SUCCESS' ? ('SUCCESS' as const) : status]),
    );
  }

  async #signed({ names, keyAlgorithm }: Certificate) {
    const { authority, now } = this.#options;
    const issuedAtMs = now();
    return { ...(await authority.sign(names, keyAlgorithm, issuedAtMs)), issuedAtMs };
  }
}

function isComplete({ names }: Certificate, validation: Certificate['validation']): boolean {
  return names.every(name => validation[name] === 'SUCCESS');
}

function isSame(one: Certificate['validation'], other: Certificate['validation']): boolean {
  return Object.keys({ ...one, ...other }).every(
    name => (one[name] ?? 'PENDING_VALIDATION') === (other[name] ?? 'PENDING_VALIDATION'),
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The event by which ACM asks the owner of a certificate in use to act, since it cannot renew it. */
function renewalActionRequired(certificate: Certificate, nowMs: number): AwsEvent {
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
