import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { inject } from 'vitest';
import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../infra/local/resource-types.ts';
import { type AwsAccess, awsClientOptions } from './running-service.ts';

/** Invokes a function that CloudFormation names, such as one that a schedule invokes, and returns its response. */
export async function invoked(
  service: AwsAccess,
  stack: string,
  logicalIdPrefix: string,
  event: object = {},
): Promise<Record<string, unknown>> {
  const lambda = new LambdaClient(awsClientOptions(service));
  const FunctionName = functionName(stack, logicalIdPrefix);
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  lambda.destroy();
  return JSON.parse(Payload?.transformToString() ?? 'null');
}

function functionName(stack: string, logicalIdPrefix: string): string {
  const artifact = readCloudAssembly(inject('assembly')).stacks.find(({ name }) => name === stack);
  const declared = artifact && resolveStack(artifact, RESOURCE_TYPES).resources;
  const found = declared?.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith(logicalIdPrefix),
  );
  if (!found) throw new Error(`${stack} has no function ${logicalIdPrefix}….`);
  return found.physicalId;
}
