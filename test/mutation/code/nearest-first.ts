import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the tests that are named after a changed file before the others: they notice most changes, and the first test
 * that fails ends the run, so the others are not even loaded.
 */
export function nearestFirst(sources: readonly string[]) {
  const names = sources.map(source => basename(source, '.ts'));
  const isNear = ({ moduleId }: TestSpecification) => names.includes(basename(moduleId, '.test.ts'));
  return class NearestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return [...files.filter(isNear), ...files.filter(file => !isNear(file))];
    }
  };
}
