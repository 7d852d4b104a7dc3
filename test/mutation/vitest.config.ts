import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Stryker runs the tests of a changed file in one process, one after the other. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/{functions,shared}/**/*.test.ts'],
    globalSetup: ['test/setup/before-all-tests.ts'],
    setupFiles: ['test/setup/function-environment.ts', 'test/setup/fresh-modules.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
  },
});
