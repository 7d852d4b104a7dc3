import type { TestProject } from 'vitest/node';
import { type DeclaredTable, declaredTables, readResources } from '../../infra/local/template.ts';
import { setup as startEngine } from '../../infra/local/testing/engine.ts';
import { synthesize } from '../../infra/start/synthesize.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the cloud assembly of both stacks, synthesized once per run. */
    assembly: string;
    /** The tables of staging by logical id, read from the assembly once per run. */
    tables: Readonly<Record<string, DeclaredTable>>;
  }
}

/** Both take seconds, and most of that in processes of their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [stopEngine] = await Promise.all([startEngine(project), synthesizeStacks(project)]);
  return stopEngine;
}

const STACK = 'Petstore-Staging';

async function synthesizeStacks(project: TestProject): Promise<void> {
  const assembly = await synthesize(line => process.stderr.write(`${line}\n`));
  project.provide('assembly', assembly);
  project.provide('tables', tablesOf(assembly));
}

export function tablesOf(assembly: string): Record<string, DeclaredTable> {
  return Object.fromEntries(
    readResources(assembly, STACK).flatMap(resource =>
      declaredTables([resource]).map(table => [resource.logicalId, table]),
    ),
  );
}
