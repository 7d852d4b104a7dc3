import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

/** AWS::Lambda::Function. The code runs on the Node.js of this process, on any architecture. */
export const LambdaFunction = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string(), S3ObjectVersion: noEffect }),
  Handler: z.string().regex(/^[^.]+\.[^.]+$/, 'want file.function, such as index.handler'),
  Runtime: z.string().startsWith('nodejs', 'only Node.js is supported'),
  Role: z.string(),
  // Lambda's own defaults.
  Timeout: z.coerce.number().default(3),
  MemorySize: z.coerce.number().default(128),
  ReservedConcurrentExecutions: z.coerce.number().optional(),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
  LoggingConfig: z
    .strictObject({
      LogGroup: z.string().optional(),
      ApplicationLogLevel: noEffect,
      LogFormat: noEffect,
      SystemLogLevel: noEffect,
    })
    .optional(),
  PackageType: z.literal('Zip').optional(),
  Architectures: noEffect,
  Description: noEffect,
  EphemeralStorage: noEffect,
  KmsKeyArn: noEffect,
  RecursiveLoop: noEffect,
  RuntimeManagementConfig: noEffect,
  Tags: noEffect,
  TracingConfig: noEffect,
});

export const functionArn = (name: string) => regionalArn('lambda', `function:${name}`);

export const functionType: ResourceType = {
  properties: LambdaFunction,
  ref: declaration => nameOf(declaration, 'FunctionName'),
  attributes: { Arn: declaration => functionArn(nameOf(declaration, 'FunctionName')) },
};
