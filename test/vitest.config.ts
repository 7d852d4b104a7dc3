import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './setup/closing-line.ts';
import { GrantReport } from './setup/grant-report.ts';
import { isolatedFiles } from './setup/isolated-files.ts';
import { SpreadServiceTests } from './setup/spread-service-tests.ts';

/** Where the whole service is started and used from outside; everything else needs no running service. */
const SERVICE_TESTS = ['test/service/**/*.test.ts', 'test/infra/start/**/*.test.ts'];

const grants = new GrantReport();

const ISOLATED_TESTS = isolatedFiles();

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    globalSetup: ['test/setup/before-all-tests.ts'],
    setupFiles: ['test/setup/function-environment.ts', 'test/setup/quiet-refusals.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Twice the cores of a small machine: files that wait for the service leave their core to others.
    maxWorkers: 4,
    sequence: { sequencer: SpreadServiceTests },
    reporters: ['default', grants, new ClosingLine(() => grants.faults.length)],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: SERVICE_TESTS,
          globalSetup: ['test/setup/start-shared-service.ts'],
          // Tests start processes of their own: seconds each, and several times that on a busy machine.
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SERVICE_TESTS, ...ISOLATED_TESTS],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: ISOLATED_TESTS, exclude: SERVICE_TESTS },
      },
    ],
  },
});
