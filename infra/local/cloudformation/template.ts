import * as z from 'zod';

const ResourceDeclaration = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  // The order of creation, and the policies for updates and deletions, have no effect in the local runtime.
  DependsOn: z.unknown().optional(),
  DeletionPolicy: z.unknown().optional(),
  UpdateReplacePolicy: z.unknown().optional(),
  UpdatePolicy: z.unknown().optional(),
  CreationPolicy: z.unknown().optional(),
  Metadata: z.unknown().optional(),
});

const Output = z.strictObject({
  Value: z.unknown(),
  Description: z.unknown().optional(),
  Export: z.unknown().optional(),
  Condition: z.string().optional(),
});

const Parameter = z.looseObject({ Type: z.string(), Default: z.unknown().optional() });

/** A CloudFormation template. Rules check the parameters that a deployment is given; the local runtime is given none. */
export const Template = z.strictObject({
  AWSTemplateFormatVersion: z.unknown().optional(),
  Description: z.unknown().optional(),
  Metadata: z.unknown().optional(),
  Rules: z.unknown().optional(),
  Parameters: z.record(z.string(), Parameter).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(z.string(), ResourceDeclaration),
  Outputs: z.record(z.string(), Output).default({}),
});
export type Template = z.output<typeof Template>;
