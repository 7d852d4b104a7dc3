import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { type Declaration, noEffect, type ResourceType, shortId } from '../cloudformation/resource-type.ts';

/** AWS::KMS::Key, for symmetric encryption. The local runtime encrypts nothing: the key has no effect. */
const Key = z.strictObject({
  KeyPolicy: z.unknown(),
  Description: noEffect,
  EnableKeyRotation: noEffect,
  Enabled: noEffect,
  KeySpec: z.literal('SYMMETRIC_DEFAULT').optional(),
  KeyUsage: z.literal('ENCRYPT_DECRYPT').optional(),
  MultiRegion: z.literal(false).optional(),
  PendingWindowInDays: noEffect,
  RotationPeriodInDays: noEffect,
  Tags: noEffect,
});

/** On AWS a key has a UUID. */
const idOf = (declaration: Declaration) => shortId(declaration, 32);

export const keyType: ResourceType = {
  properties: Key,
  ref: idOf,
  attributes: {
    Arn: declaration => regionalArn('kms', `key/${idOf(declaration)}`),
    KeyId: idOf,
  },
};
