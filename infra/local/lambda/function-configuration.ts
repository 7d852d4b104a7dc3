import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseProperties, type ResourceLocation, refusal } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { functionArn, LambdaFunction } from './function-type.ts';

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
