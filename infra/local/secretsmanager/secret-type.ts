import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  type Declaration,
  nameOf,
  noEffect,
  type ResourceType,
  shortId,
} from '../cloudformation/resource-type.ts';

/** AWS::SecretsManager::Secret, whose value is declared or generated. */
export const Secret = z.strictObject({
  Name: z.string().optional(),
  SecretString: z.string().optional(),
  GenerateSecretString: z
    .strictObject({
      PasswordLength: z.coerce.number().int().min(1).max(4096).default(32),
      ExcludeCharacters: z.string().default(''),
      ExcludeLowercase: z.boolean().default(false),
      ExcludeNumbers: z.boolean().default(false),
      ExcludePunctuation: z.boolean().default(false),
      ExcludeUppercase: z.boolean().default(false),
      IncludeSpace: z.boolean().default(false),
      RequireEachIncludedType: z.boolean().default(true),
      GenerateStringKey: z.string().optional(),
      SecretStringTemplate: z.string().optional(),
    })
    .optional(),
  Description: noEffect,
  KmsKeyId: noEffect,
  Tags: noEffect,
});
export type GenerateSecretString = NonNullable<z.output<typeof Secret>['GenerateSecretString']>;

/** Secrets Manager adds a hyphen and six characters to the name. */
const SUFFIX_LENGTH = 6;

const arn = (declaration: Declaration) =>
  regionalArn(
    'secretsmanager',
    `secret:${nameOf(declaration, 'Name')}-${shortId(declaration, SUFFIX_LENGTH)}`,
  );

export const secretType: ResourceType = { properties: Secret, ref: arn, attributes: { Id: arn } };
