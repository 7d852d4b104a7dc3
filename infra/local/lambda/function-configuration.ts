import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  nameOf,
  noEffect,
  parseProperties,
  type Resource,
  type ResourceLocation,
  type ResourceType,
  refusal,
} from '../cloudformation/resource-type.ts';

/** AWS::Lambda::Function. The code runs on the Node.js of this process, on any architecture. */
const LambdaFunction = z.strictObject({
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

/**
 * The ARN of a function by any name that Lambda accepts: my-function, function:my-function,
 * 000000000000:function:my-function, or the ARN; each with or without the qualifier :$LATEST. Other qualifiers stay in
 * the ARN, for which there is no function: the local AWS has no versions.
 */
export function arnOfFunction(nameOrArn: string, qualifier = '$LATEST'): string {
  const name = nameOrArn.replace(/^(.*:)?function:/, '').replace(/:\$LATEST$/, '');
  return functionArn(qualifier === '$LATEST' ? name : `${name}:${qualifier}`);
}

/** A declared function with Lambda's defaults. */
export interface FunctionConfiguration {
  readonly declaredAt: ResourceLocation;
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly logGroup: string;
  readonly handlerFile: string;
  readonly handlerName: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly reservedConcurrency: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Changes with the code or the configuration, but not with the location of the assembly. */
  readonly fingerprint: string;
}

const HANDLER_FILE_EXTENSIONS = ['.js', '.mjs', '.cjs'];

/** The functions that the resources declare. Their code is among the assets of the assembly. */
export function declaredFunctions(
  resources: readonly Resource[],
  assets: ReadonlyMap<string, string>,
): FunctionConfiguration[] {
  return resources
    .filter(({ type }) => type === 'AWS::Lambda::Function')
    .map(resource => {
      const properties = parseProperties(LambdaFunction, resource.properties, resource);
      const [fileName = '', handlerName = ''] = properties.Handler.split('.');
      const folder = assets.get(properties.Code.S3Key);
      if (folder === undefined) {
        throw refusal(resource, `the assembly has no asset ${properties.Code.S3Key}`);
      }
      const handlerFile = HANDLER_FILE_EXTENSIONS.map(extension => join(folder, fileName + extension)).find(
        existsSync,
      );
      if (handlerFile === undefined) {
        throw refusal(resource, `${folder} has no ${fileName}.js, .mjs or .cjs`);
      }
      const name = resource.physicalId;
      const { stack, logicalId, type } = resource;
      return {
        declaredAt: { stack, logicalId, type },
        name,
        arn: functionArn(name),
        roleArn: properties.Role,
        logGroup: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
        handlerFile,
        handlerName,
        timeoutSeconds: properties.Timeout,
        memoryMb: properties.MemorySize,
        reservedConcurrency: properties.ReservedConcurrentExecutions,
        environment: properties.Environment?.Variables ?? {},
        // The S3 key in the properties contains the hash of the code.
        fingerprint: JSON.stringify(resource.properties),
      };
    });
}
