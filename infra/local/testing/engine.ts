import type { TestProject } from 'vitest/node';
import { type Engine, startEngine } from '../dynamodb/engine.ts';
import type { EngineName } from '../dynamodb/engine-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The endpoint of an engine that keeps nothing; every test file makes its own tables in it. */
    dynamoDbEndpoint: string;
  }
}

export { type Engine, type EngineName, startEngine };

/** The default engine, unless a variable names another: two engines are two oracles. */
export const ENGINE_OF_THE_RUN = process.env.PETSTORE_ENGINE as EngineName | undefined;

/** Starts the engine of the run, unless the setup of another project has. Returns what stops it. */
export async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const root = vitest.getRootProject();
  if (root.getProvidedContext().dynamoDbEndpoint !== undefined) return async () => {};
  const engine = startEngine({ name: ENGINE_OF_THE_RUN });
  root.provide('dynamoDbEndpoint', await engine.endpoint);
  return engine.stop;
}
