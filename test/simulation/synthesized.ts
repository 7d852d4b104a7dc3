import type { TestProject } from 'vitest/node';
import { synthesize } from '../../infra/start/synthesize.ts';
import { MANAGED_ZONE } from './managed-zone.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the cloud assembly of the simulation. */
    simulatedAssembly: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('simulatedAssembly', await synthesize(undefined, { managedZoneIds: [MANAGED_ZONE.id] }));
}
