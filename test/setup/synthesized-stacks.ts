import type { TestProject } from 'vitest/node';
import { synthesize } from '../../infra/start/synthesize.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the cloud assembly of both stacks, synthesized once per run. */
    assembly: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('assembly', await synthesize());
}
