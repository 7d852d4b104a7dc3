import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { KEY_ALGORITHMS } from './certificate-authority.ts';

const ValidationStatus = z.enum(['PENDING_VALIDATION', 'SUCCESS', 'FAILED']);
export type ValidationStatus = z.infer<typeof ValidationStatus>;

/** The validation status by name. A name without one is pending. */
const Validation = z.record(z.string(), ValidationStatus);

/** A certificate; times in milliseconds since 1970. The first name is the domain name, the others are alternative names. */
const Certificate = z.strictObject({
  arn: z.string(),
  names: z.array(z.string()).readonly(),
  keyAlgorithm: z.enum(KEY_ALGORITHMS),
  idempotencyToken: z.string().optional(),
  tags: z.record(z.string(), z.string()),
  createdAtMs: z.number(),
  status: z.enum(['PENDING_VALIDATION', 'ISSUED', 'EXPIRED', 'FAILED', 'REVOKED', 'VALIDATION_TIMED_OUT']),
  failureReason: z.enum(['CAA_ERROR', 'ADDITIONAL_VERIFICATION_REQUIRED', 'OTHER']).optional(),
  revokedAtMs: z.number().optional(),
  validation: Validation,
  issued: z
    .strictObject({
      certificate: z.string(),
      privateKey: z.string(),
      serial: z.string(),
      issuedAtMs: z.number(),
      notBeforeMs: z.number(),
      notAfterMs: z.number(),
    })
    .optional(),
  renewal: z
    .strictObject({
      status: z.enum(['PENDING_AUTO_RENEWAL', 'PENDING_VALIDATION', 'SUCCESS', 'FAILED']),
      reason: z.enum(['CAA_ERROR']).optional(),
      validation: Validation,
      updatedAtMs: z.number(),
    })
    .optional(),
});
export type Certificate = Readonly<z.infer<typeof Certificate>>;

type NewCertificate = Pick<
  Certificate,
  'names' | 'keyAlgorithm' | 'idempotencyToken' | 'tags' | 'createdAtMs'
>;

const Content = z.object({ certificates: z.array(Certificate).readonly() });

/**
 * The certificates of the account, kept in a file of the form {"certificates": [{"arn": "…", "names": ["…"], …}]},
 * written before a change takes effect.
 */
export class Certificates {
  readonly #file: KeptFile<typeof Content>;
  readonly #newId: Surroundings['newId'];
  readonly #byArn: Map<string, Certificate>;
  #listed: readonly Certificate[] | undefined;

  constructor(file?: string, given: Partial<Surroundings> = {}) {
    this.#file = new KeptFile(file, Content);
    this.#newId = surroundings(given).newId;
    const kept = this.#file.read()?.certificates ?? [];
    this.#byArn = new Map(kept.map(certificate => [certificate.arn, certificate]));
  }

  /** All certificates, ordered by ARN. */
  list(): readonly Certificate[] {
    this.#listed ??= [...this.#byArn.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1));
    return this.#listed;
  }

  find(arn: string): Certificate | undefined {
    return this.#byArn.get(arn);
  }

  add(newCertificate: NewCertificate): Certificate {
    const arn = regionalArn('acm', `certificate/${this.#newId('uuid')}`);
    const certificate: Certificate = { ...newCertificate, arn, status: 'PENDING_VALIDATION', validation: {} };
    this.put(certificate);
    return certificate;
  }

  /** Changes a certificate. One that was removed meanwhile is not restored. */
  change(arn: string, change: Partial<Certificate>): void {
    const present = this.find(arn);
    if (present !== undefined) this.put({ ...present, ...change });
  }

  /** Adds or replaces a certificate. */
  put(certificate: Certificate): void {
    this.#keep(new Map([[certificate.arn, certificate]]));
    this.#byArn.set(certificate.arn, certificate);
    this.#listed = undefined;
  }

  remove(arn: string): void {
    this.#keep(new Map([[arn, undefined]]));
    this.#byArn.delete(arn);
    this.#listed = undefined;
  }

  #keep(changes: ReadonlyMap<string, Certificate | undefined>): void {
    this.#file.keep(() => {
      const all = new Map<string, Certificate | undefined>([...this.#byArn, ...changes]);
      return { certificates: [...all.values()].filter(certificate => certificate !== undefined) };
    });
  }
}

/** Whether a certificate covers a name: *.zoo.example covers lion.zoo.example and itself, but not zoo.example. */
export function covers({ names }: Pick<Certificate, 'names'>, domainName: string): boolean {
  const wildcard = domainName.replace(/^[^.]+/, '*');
  return names.some(name => name === domainName || name === wildcard);
}
