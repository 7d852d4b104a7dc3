import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../dynamodb/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The endpoint of a DynamoDB Local that keeps nothing; every test file makes its own tables in it. */
    dynamoDbEndpoint: string;
  }
}

/** Starts the engine of the run, unless the setup of another project has. Returns what stops it. */
export async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const root = vitest.getRootProject();
  if (root.getProvidedContext().dynamoDbEndpoint !== undefined) return async () => {};
  const engine = startDynamoDbLocal(undefined, () => {});
  root.provide('dynamoDbEndpoint', await engine.endpoint);
  return engine.stop;
}
