import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { nearestFirst } from './nearest-first.ts';

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
    setupFiles: [
      'test/setup/function-environment.ts',
      'test/setup/quiet-refusals.ts',
      'test/setup/fresh-modules.ts',
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
  },
});
