import type * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { AcmError } from './acm-error.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { certificateDetail, certificateSummary } from './certificate-detail.ts';
import {
  AddTagsToCertificate,
  ListCertificates,
  OneCertificate,
  RequestCertificate,
} from './certificate-requests.ts';
import type { Certificate, Certificates } from './certificates.ts';
import type { Issuance } from './issuance.ts';

export interface CertificateOperationsOptions {
  readonly certificates: Certificates;
  readonly issuance: Issuance;
  readonly authority: CertificateAuthority;
  /** The ARNs of what uses a certificate, or did until a moment ago. */
  inUseBy(certificateArn: string): readonly string[];
  now(): number;
}

/** An operation of the ACM API; throws an AcmError when it cannot be. */
export interface AcmOperation {
  /** The permissions it takes, by action and resource. */
  permissions(sent: unknown): readonly (readonly [action: string, resource: string])[];
  perform(sent: unknown): unknown;
}

const TOKEN_VALIDITY_MS = 60 * 60 * 1000;
const MAX_CERTIFICATES = 2500;
/** ACM's quota unless it is raised. */
const MAX_NAMES = 10;
const MAX_TAGS = 50;

export function certificateOperations(options: CertificateOperationsOptions): Record<string, AcmOperation> {
  const { certificates, issuance, authority, inUseBy, now } = options;

  function existing(arn: string): Certificate {
    const certificate = certificates.find(arn);
    if (certificate === undefined) {
      throw new AcmError('ResourceNotFoundException', `Could not find certificate ${arn}.`);
    }
    return certificate;
  }

  /** What the same token asked for within the hour. */
  function requested(names: readonly string[], token: string | undefined): Certificate | undefined {
    return certificates
      .list()
      .find(
        ({ idempotencyToken, names: others, createdAtMs }) =>
          token !== undefined &&
          idempotencyToken === token &&
          createdAtMs > now() - TOKEN_VALIDITY_MS &&
          others.join() === names.join(),
      );
  }

  return {
    RequestCertificate: {
      permissions: sent => [
        ['acm:RequestCertificate', '*'],
        ...((sent as { Tags?: unknown }).Tags === undefined
          ? []
          : [['acm:AddTagsToCertificate', regionalArn('acm', 'certificate/*')] as const]),
      ],
      perform(sent) {
        const request = read(RequestCertificate, sent);
        const { IdempotencyToken: idempotencyToken, KeyAlgorithm: keyAlgorithm, Tags: tags = {} } = request;
        const names = [...new Set([request.DomainName, ...request.SubjectAlternativeNames])];
        const known = requested(names, idempotencyToken);
        if (known !== undefined) return { CertificateArn: known.arn };
        refuseAbove(names.length, MAX_NAMES, 'domain names in a certificate');
        refuseAbove(certificates.list().length + 1, MAX_CERTIFICATES, 'certificates');
        refuseTooManyTags(tags);
        const { arn } = certificates.add({ names, keyAlgorithm, idempotencyToken, tags, createdAtMs: now() });
        return { CertificateArn: arn };
      },
    },

    DescribeCertificate: ofOne('DescribeCertificate', OneCertificate, async ({ CertificateArn }) => {
      existing(CertificateArn);
      await issuance.check(CertificateArn);
      const certificate = existing(CertificateArn);
      const circumstances = {
        hasRecords: issuance.hasRecords(certificate),
        inUseBy: inUseBy(CertificateArn),
      };
      return { Certificate: certificateDetail(certificate, circumstances) };
    }),

    ListCertificates: {
      permissions: () => [['acm:ListCertificates', '*']],
      perform(sent) {
        const { CertificateStatuses, Includes, NextToken, MaxItems } = read(ListCertificates, sent);
        const rest = certificates
          .list()
          .filter(({ status }) => CertificateStatuses?.includes(status) ?? true)
          .filter(({ keyAlgorithm }) => Includes.keyTypes.includes(keyAlgorithm))
          .filter(({ arn }) => arn > NextToken);
        const shown = rest.slice(0, MaxItems);
        return {
          CertificateSummaryList: shown.map(shownOne => certificateSummary(shownOne, inUseBy(shownOne.arn))),
          // The ARN before the next page, so that a page has its place whatever is deleted.
          ...(rest.length > shown.length && { NextToken: shown.at(-1)?.arn }),
        };
      },
    },

    GetCertificate: ofOne('GetCertificate', OneCertificate, ({ CertificateArn }) => {
      const { issued } = existing(CertificateArn);
      if (issued === undefined) {
        const message = `The certificate ${CertificateArn} has not been issued yet.`;
        throw new AcmError('RequestInProgressException', message);
      }
      return { Certificate: issued.certificate, CertificateChain: authority.certificate };
    }),

    DeleteCertificate: ofOne('DeleteCertificate', OneCertificate, ({ CertificateArn }) => {
      existing(CertificateArn);
      if (inUseBy(CertificateArn).length > 0) {
        throw new AcmError('ResourceInUseException', `Certificate ${CertificateArn} is in use.`);
      }
      certificates.remove(CertificateArn);
      return {};
    }),

    ListTagsForCertificate: ofOne('ListTagsForCertificate', OneCertificate, ({ CertificateArn }) => ({
      Tags: Object.entries(existing(CertificateArn).tags).map(([Key, Value]) => ({ Key, Value })),
    })),

    AddTagsToCertificate: ofOne('AddTagsToCertificate', AddTagsToCertificate, ({ CertificateArn, Tags }) => {
      const tags = { ...existing(CertificateArn).tags, ...Tags };
      refuseTooManyTags(tags);
      certificates.change(CertificateArn, { tags });
      return {};
    }),
  };
}

/** An operation on a certificate, which is the resource of its permission. */
function ofOne<Schema extends z.ZodType<{ CertificateArn: string }>>(
  name: string,
  schema: Schema,
  perform: (request: z.output<Schema>) => unknown,
): AcmOperation {
  return {
    permissions: sent => [[`acm:${name}`, read(schema, sent).CertificateArn]],
    perform: sent => perform(read(schema, sent)),
  };
}

/** What was sent, as a schema reads it. A member that the schema does not list is not supported by the local runtime. */
function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') {
    const member = [...issue.path, issue.keys.join(', ')].join('.');
    throw new AcmError(
      'NotImplemented',
      `The parameter ${member} of the ACM API is not supported by the local runtime.`,
    );
  }
  const faults = issues.map(
    ({ path, message }) => `Value at '${camelCase(path.join('.'))}' failed to satisfy constraint: ${message}`,
  );
  throw new AcmError(
    'ValidationException',
    `${faults.length} validation error${faults.length > 1 ? 's' : ''} detected: ${faults.join('; ')}`,
  );
}

/** AWS names members this way in its messages. */
function camelCase(member: string): string {
  return member.charAt(0).toLowerCase() + member.slice(1);
}

function refuseAbove(count: number, limit: number, what: string): void {
  if (count > limit) {
    throw new AcmError('LimitExceededException', `The limit of ${limit} ${what} is exceeded.`);
  }
}

function refuseTooManyTags(tags: Readonly<Record<string, string>>): void {
  if (Object.keys(tags).length > MAX_TAGS) {
    throw new AcmError('TooManyTagsException', `A certificate has at most ${MAX_TAGS} tags.`);
  }
}
