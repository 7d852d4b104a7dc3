import type { TestProject } from 'vitest/node';
import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { type DeclaredTable, declaredTables } from '../../infra/local/dynamodb/tables.ts';
import { RESOURCE_TYPES } from '../../infra/local/resource-types.ts';
import { synthesize } from '../../infra/start/synthesize.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the cloud assembly of both stacks, synthesized once per run. */
    assembly: string;
    /** The tables of staging by logical id, read from the assembly once per run. */
    tables: Readonly<Record<string, DeclaredTable>>;
  }
}

const STACK = 'Petstore-Staging';

export async function synthesizeStacks(project: TestProject): Promise<void> {
  const assembly = await synthesize();
  project.provide('assembly', assembly);
  project.provide('tables', tablesOf(assembly));
}

export function tablesOf(assembly: string): Record<string, DeclaredTable> {
  const artifact = readCloudAssembly(assembly).stacks.find(({ name }) => name === STACK);
  if (!artifact) throw new Error(`The assembly has no stack ${STACK}.`);
  const { resources } = resolveStack(artifact, RESOURCE_TYPES);
  return Object.fromEntries(
    resources.flatMap(resource => declaredTables([resource]).map(table => [resource.logicalId, table])),
  );
}
