import type { TestProject } from 'vitest/node';
import { startEngine } from './dynamodb-engine.ts';
import { synthesizeStacks } from './synthesized-stacks.ts';

/** Both take seconds, and most of that in processes of their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [stopEngine] = await Promise.all([startEngine(project), synthesizeStacks(project)]);
  return stopEngine;
}
