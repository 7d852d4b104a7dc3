import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../../infra/local/dynamodb/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a DynamoDB Local that keeps nothing; every test file makes its own tables in it. */
    dynamoDbEndpoint: string;
  }
}

export async function startEngine(project: TestProject): Promise<() => Promise<void>> {
  const engine = startDynamoDbLocal(undefined, () => {});
  project.provide('dynamoDbEndpoint', await engine.endpoint);
  return engine.stop;
}
