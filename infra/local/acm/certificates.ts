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
  status: z.enum(['PENDING_VALIDATION', 'ISSUED', 'EXPIRED', 'FAILED', 'VALIDATION_TIMED_OUT']),
  failureReason: z.enum(['CAA_ERROR']).optional(),
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
      status: z.enum(['PENDING_VALIDATION', 'SUCCESS']),
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
  #certificates: readonly Certificate[];

  constructor(file?: string, given: Partial<Surroundings> = {}) {
    this.#file = new KeptFile(file, Content);
    this.#newId = surroundings(given).newId;
    this.#certificates = this.#file.read()?.certificates ?? [];
  }

  /** All certificates, ordered by ARN. */
  list(): readonly Certificate[] {
    return this.#certificates.toSorted((a, b) => (a.arn < b.arn ? -1 : 1));
  }

  find(arn: string): Certificate | undefined {
    return this.#certificates.find(certificate => certificate.arn === arn);
  }

  add(newCertificate: NewCertificate): Certificate {
    const arn = regionalArn('acm', `certificate/${this.#newId('uuid')}`);
    const certificate: Certificate = { ...newCertificate, arn, status: 'PENDING_VALIDATION', validation: {} };
    this.#replace([...this.#certificates, certificate]);
    return certificate;
  }

  /** Changes a certificate. One that was removed meanwhile is not restored. */
  change(arn: string, change: Partial<Certificate>): void {
    this.#replace(
      this.#certificates.map(certificate =>
        certificate.arn === arn ? { ...certificate, ...change } : certificate,
      ),
    );
  }

  remove(arn: string): void {
    this.#replace(this.#certificates.filter(certificate => certificate.arn !== arn));
  }

  #replace(certificates: readonly Certificate[]): void {
    this.#file.keep({ certificates });
    this.#certificates = certificates;
  }
}

/** Whether a certificate covers a name: *.zoo.example covers lion.zoo.example and itself, but not zoo.example. */
export function covers({ names }: Pick<Certificate, 'names'>, domainName: string): boolean {
  const wildcard = domainName.replace(/^[^.]+/, '*');
  return names.some(name => name === domainName || name === wildcard);
}
