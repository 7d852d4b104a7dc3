import * as z from 'zod';
import { KEY_ALGORITHMS } from './certificate-authority.ts';

/** RFC 5280's limit of a common name; a longer name has to be an alternative name. */
const LONGEST_COMMON_NAME = 64;
const LONGEST_NAME = 253;
const MAX_ITEMS = 1000;

const DOMAIN_NAME = /^(\*\.)?(((?!-)[a-z0-9-]{0,62}[a-z0-9])\.)+((?!-)[a-z0-9-]{1,62}[a-z0-9])$/;

const domainName = (longest: number) =>
  z
    .string()
    .max(longest, `Member must have length less than or equal to ${longest}`)
    .toLowerCase()
    .regex(DOMAIN_NAME, `Member must satisfy regular expression pattern: ${DOMAIN_NAME.source}`);

const CertificateArn = z
  .string()
  .regex(
    /^arn:[\w+=/,.@-]+:acm:[\w+=/,.@-]*:[0-9]+:[\w+=,.@-]+(\/[\w+=,.@-]+)*$/,
    'Member must be the ARN of a certificate',
  );

const TAG_TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

const Tags = z
  .array(
    z.strictObject({
      Key: z.string().min(1).max(128).regex(TAG_TEXT),
      Value: z.string().max(256).regex(TAG_TEXT).default(''),
    }),
  )
  .min(1)
  .transform(tags => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));

export const RequestCertificate = z.strictObject({
  DomainName: domainName(LONGEST_COMMON_NAME),
  SubjectAlternativeNames: z.array(domainName(LONGEST_NAME)).max(100).default([]),
  ValidationMethod: z.literal('DNS', 'the local runtime supports only the validation method DNS'),
  IdempotencyToken: z
    .string()
    .regex(/^\w{1,32}$/, 'Member must satisfy regular expression pattern: \\w+ and be of 1 to 32 characters')
    .optional(),
  KeyAlgorithm: z.enum(KEY_ALGORITHMS).default('RSA_2048'),
  Options: z
    .strictObject({
      CertificateTransparencyLoggingPreference: z.enum(['ENABLED', 'DISABLED']).optional(),
      Export: z.literal('DISABLED').optional(),
    })
    .optional(),
  Tags: Tags.optional(),
});

export const OneCertificate = z.strictObject({ CertificateArn });

export const ListCertificates = z.strictObject({
  CertificateStatuses: z.array(z.string()).optional(),
  // Unless it is asked for others, ACM lists the certificates with RSA keys of up to 2048 bits only.
  Includes: z
    .strictObject({ keyTypes: z.array(z.string()).default(['RSA_1024', 'RSA_2048']) })
    .default({ keyTypes: ['RSA_1024', 'RSA_2048'] }),
  NextToken: z.string().default(''),
  MaxItems: z.int().min(1).max(MAX_ITEMS).default(MAX_ITEMS),
});
