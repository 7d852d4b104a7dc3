import { basename, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What the script has started or read before Stryker starts this in a copy of the project. */
const { sources, tests, provided } = JSON.parse(
  process.env.PETSTORE_MUTATE ?? '{"sources":[],"tests":[],"provided":{}}',
);

export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  test: {
    include: tests,
    provide: provided,
    sequence: { sequencer: nearestFirst(sources) },
    setupFiles: ['test/setup/function-environment.ts', 'test/setup/fresh-modules.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
  },
});

/**
 * Runs the tests that are named after a changed file before the others: they notice most changes, and the first test
 * that fails ends the run, so the others are not even loaded.
 */
function nearestFirst(sources: readonly string[]) {
  const names = sources.map(source => basename(source, '.ts'));
  const isNear = ({ moduleId }: TestSpecification) => names.includes(basename(moduleId, '.test.ts'));
  return class NearestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return [...files.filter(isNear), ...files.filter(file => !isNear(file))];
    }
  };
}
