import type { AwsEvent } from '../events/rules.ts';
import { type FailureReason, type Surroundings, surroundings } from '../surroundings.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import type { Certificate, Certificates, ValidationStatus } from './certificates.ts';
import { caaDecision, isValidated, type Lookup } from './dns-validation.ts';

interface IssuanceOptions extends Partial<Surroundings> {
  readonly certificates: Certificates;
  readonly authority: Pick<CertificateAuthority, 'sign'>;
  readonly lookup: Lookup;
  isInUse(certificateArn: string): boolean;
  /** Publishes an event. Issuance does not wait for its handlers, since they may ask for the same certificate. */
  announce(event: AwsEvent): void;
}

/** What happens to a certificate, drawn when it is requested. */
interface Course {
  readonly recordsAtMs: number;
  readonly listedAtMs: number;
  readonly issueDelayMs: number;
  readonly failure: FailureReason | undefined;
  readonly isFailedByCaa: boolean;
  readonly spreadMs: number;
  /** When all its names were validated. */
  validatedAtMs?: number;
}

type Issued = NonNullable<Certificate['issued']>;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const VALIDATION_LIMIT_MS = 72 * HOUR_MS;
/** ACM begins to renew a certificate 45 days before it expires, and one of a short life in the last third of it. */
const RENEWAL_MS = 45 * DAY_MS;
const RENEWED_PART = 1 / 3;

/** Issues pending certificates once DNS validates them, and renews issued ones while DNS still does. */
export class Issuance {
  readonly #options: IssuanceOptions & Surroundings;
  readonly #running = new Map<string, Promise<void>>();
  readonly #courses = new Map<string, Course>();
  /** What API Gateway serves instead of a renewed certificate, until a time. */
  readonly #former = new Map<string, { readonly issued: Issued; readonly untilMs: number }>();
  readonly #watches = new Map<string, AbortController>();
  /** Takes a message about a check that has failed; absent until ACM looks by itself. */
  #report: ((line: string) => void) | undefined;

  constructor(options: IssuanceOptions) {
    this.#options = { ...options, ...surroundings(options) };
  }

  /** Whether the validation records of a certificate are published yet. */
  hasRecords(certificate: Certificate): boolean {
    return this.#options.now() >= this.#courseOf(certificate).recordsAtMs;
  }

  /** From when on a certificate is in the list. */
  listedAtMs(certificate: Certificate): number {
    return this.#courseOf(certificate).listedAtMs;
  }

  /** Whether an issued certificate has reached API Gateway. */
  hasSpread(certificate: Certificate): boolean {
    const { issued } = certificate;
    return (
      issued !== undefined && this.#options.now() >= issued.issuedAtMs + this.#courseOf(certificate).spreadMs
    );
  }

  /** What API Gateway serves of a certificate. */
  served({ arn, issued }: Certificate): Issued | undefined {
    const former = this.#former.get(arn);
    return former !== undefined && this.#options.now() < former.untilMs ? former.issued : issued;
  }

  /** From now on ACM looks at all certificates by itself. `stop` waits for the checks that are running. */
  start(report: (line: string) => void): { stop(): Promise<void> } {
    this.#report = report;
    for (const certificate of this.#options.certificates.list()) this.follow(certificate);
    return {
      stop: async () => {
        for (const stopping of this.#watches.values()) stopping.abort();
        await Promise.allSettled(this.#running.values());
      },
    };
  }

  /** ACM has a certificate that it had not, or whose end has changed, and looks at it whenever something may happen to it. */
  follow(certificate: Certificate): void {
    const { arn } = certificate;
    this.#courseOf(certificate);
    this.#watches.get(arn)?.abort();
    if (this.#report === undefined) return;
    const stopping = new AbortController();
    this.#watches.set(arn, stopping);
    void this.#watch(arn, stopping.signal);
  }

  /** A certificate was deleted. */
  forget(arn: string): void {
    this.#watches.get(arn)?.abort();
    for (const known of [this.#watches, this.#courses, this.#former]) known.delete(arn);
  }

  async #watch(arn: string, signal: AbortSignal): Promise<void> {
    const { certificates, wait } = this.#options;
    for (;;) {
      const certificate = certificates.find(arn);
      const delayMs = certificate && this.#untilNextCheckMs(certificate);
      if (delayMs === undefined) return;
      await wait(delayMs, signal);
      if (signal.aborted) return;
      await this.check(arn).catch((error: Error) => this.#report?.(`ACM: ${error.message}`));
    }
  }

  /** Undefined if nothing happens to the certificate any more. */
  #untilNextCheckMs({ status, issued, renewal }: Certificate): number | undefined {
    const { now, behavior } = this.#options;
    const checkMs = behavior().checkMs();
    if (status === 'PENDING_VALIDATION') return checkMs;
    if (status !== 'ISSUED' || issued === undefined) return undefined;
    const leftMs = issued.notAfterMs - now();
    const untilDueMs = isUnderWay(renewal) ? 0 : leftMs - renewalMs(issued);
    return Math.max(0, Math.min(leftMs, Math.max(Math.ceil(untilDueMs), checkMs)));
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

  #courseOf({ arn, createdAtMs }: Certificate): Course {
    const known = this.#courses.get(arn);
    if (known !== undefined) return known;
    const behavior = this.#options.behavior();
    const course: Course = {
      recordsAtMs: createdAtMs + behavior.recordDelayMs(),
      listedAtMs: createdAtMs + behavior.listDelayMs(),
      issueDelayMs: behavior.issueDelayMs(),
      failure: behavior.failure(),
      isFailedByCaa: behavior.isFailedByCaa(),
      spreadMs: behavior.spreadMs(),
    };
    this.#courses.set(arn, course);
    return course;
  }

  async #advance(arn: string): Promise<void> {
    const { certificates, now, isInUse } = this.#options;
    const certificate = certificates.find(arn);
    if (certificate?.status === 'PENDING_VALIDATION') {
      await this.#issue(certificate);
    } else if (certificate?.status === 'ISSUED' && certificate.issued !== undefined) {
      const { issued, renewal } = certificate;
      const leftMs = issued.notAfterMs - now();
      const isDue = leftMs <= renewalMs(issued) || isUnderWay(renewal);
      if (leftMs <= 0) this.#expire(certificate);
      else if (isDue && isInUse(arn)) await this.#renew(certificate);
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
    const course = this.#courseOf(certificate);
    course.validatedAtMs ??= now();
    if (now() < course.validatedAtMs + course.issueDelayMs) return;
    if (course.failure !== undefined) {
      certificates.change(arn, { status: 'FAILED', failureReason: course.failure });
      return;
    }
    const { decision, forbidden } = await this.#caa(certificate);
    if (decision === 'forbidden' && course.isFailedByCaa) {
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
    const { certificates, announce, now, behavior } = this.#options;
    const { arn, issued: former, renewal: known } = certificate;
    const beganAtMs = known?.status === 'PENDING_AUTO_RENEWAL' ? known.updatedAtMs : now();
    const isWaiting = !isUnderWay(known) || known?.status === 'PENDING_AUTO_RENEWAL';
    if (isWaiting && now() < beganAtMs + behavior().renewalDelayMs()) {
      const renewal = { status: 'PENDING_AUTO_RENEWAL' as const, validation: {}, updatedAtMs: beganAtMs };
      if (!isUnderWay(known)) certificates.change(arn, { renewal });
      return;
    }
    const validation = await this.#validation(certificate, {});
    const { decision } = isComplete(certificate, validation)
      ? await this.#caa(certificate)
      : { decision: 'unknown' };
    if (decision === 'allowed') {
      const issued = await this.#signed(certificate);
      const renewal = { status: 'SUCCESS' as const, validation, updatedAtMs: now() };
      certificates.change(arn, { issued, renewal });
      if (former) this.#former.set(arn, { issued: former, untilMs: now() + behavior().spreadMs() });
      return;
    }
    const reason = decision === 'forbidden' ? ('CAA_ERROR' as const) : undefined;
    if (
      known?.status !== 'PENDING_VALIDATION' ||
      known.reason !== reason ||
      !isSame(known.validation, validation)
    ) {
      const renewal = { status: 'PENDING_VALIDATION' as const, reason, validation, updatedAtMs: now() };
      certificates.change(arn, { renewal });
      announce(eventAbout('Renewal Action Required', { ...certificate, renewal }, now()));
    }
  }

  #expire(certificate: Certificate): void {
    const { certificates, announce, now } = this.#options;
    const { arn, renewal } = certificate;
    certificates.change(arn, {
      status: 'EXPIRED',
      ...(isUnderWay(renewal) && { renewal: { ...renewal, status: 'FAILED', updatedAtMs: now() } }),
    });
    announce(eventAbout('Expired', certificate, now()));
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
    const { authority, now, behavior } = this.#options;
    const issuedAtMs = now();
    const signed = await authority.sign(names, keyAlgorithm, issuedAtMs, behavior().validityMs());
    return { ...signed, issuedAtMs };
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

function isUnderWay(renewal: Certificate['renewal']): renewal is NonNullable<Certificate['renewal']> {
  return renewal?.status.startsWith('PENDING') === true;
}

/** How long before its end a certificate is renewed. */
function renewalMs({ notBeforeMs, notAfterMs }: Issued): number {
  return Math.min(RENEWAL_MS, (notAfterMs - notBeforeMs) * RENEWED_PART);
}

/** The event by which ACM tells the owner of a certificate that it expires since he does not act, or has expired. */
function eventAbout(
  what: 'Renewal Action Required' | 'Expired',
  certificate: Certificate,
  nowMs: number,
): AwsEvent {
  const { arn, names, renewal, issued } = certificate;
  const notAfterMs = issued?.notAfterMs ?? nowMs;
  return {
    source: 'aws.acm',
    'detail-type': `ACM Certificate ${what}`,
    resources: [arn],
    detail: {
      CertificateType: 'AMAZON_ISSUED',
      CommonName: names[0],
      DomainValidationMethod: 'DNS',
      ...(what === 'Renewal Action Required' && {
        RenewalStatusReason: renewal?.reason ?? 'PENDING_DOMAIN_VALIDATION',
      }),
      DaysToExpiry: Math.floor((notAfterMs - nowMs) / DAY_MS),
      CertificateExpirationDate: new Date(notAfterMs).toISOString().replace(/\.\d+Z$/, 'Z'),
      InUse: true,
      Exported: false,
    },
  };
}
