import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './setup/closing-line.ts';
import { GrantReport } from './setup/grant-report.ts';
import { isolatedFiles } from './setup/isolated-files.ts';
import { ProjectByProject } from './setup/project-by-project.ts';
import { ServiceTestsEnd } from './setup/service-tests-end.ts';
import { keepTemporaryFilesTogether } from './setup/temporary-files.ts';

/** Where the whole service is started and used from outside; everything else needs no running service. */
const SERVICE_TESTS = ['test/service/**/*.test.ts', 'test/infra/start/**/*.test.ts'];

/** They replace the AWS SDK in their process, all in the same way. */
const SIMULATION_TESTS = ['test/simulation/**/*.test.ts'];

const FRESH_MODULES = 'test/setup/fresh-modules.ts';

const grants = new GrantReport();

keepTemporaryFilesTogether();

const ISOLATED_TESTS = isolatedFiles();

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    globalSetup: ['test/setup/before-all-tests.ts'],
    setupFiles: ['test/setup/function-environment.ts', 'test/setup/quiet-refusals.ts'],
    // No measure of speed: it ends a test that hangs, also on a machine that is ten times busier than usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // One more than the machine has cores, so that a file that waits leaves its core to another. Each further process would
    // only load the same modules once more, and all of them use the same service and the same engine.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // A process runs many files of one project: it then loads Vitest and the AWS SDK once, not once per file.
    isolate: false,
    sequence: { sequencer: ProjectByProject },
    reporters: ['default', grants, new ServiceTestsEnd(), new ClosingLine(() => grants.faults.length)],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: SERVICE_TESTS,
          globalSetup: ['test/setup/start-shared-service.ts'],
          setupFiles: [FRESH_MODULES],
          // Tests start processes of their own: seconds each, and several times that on a busy machine.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: SIMULATION_TESTS,
          setupFiles: ['test/simulation/vitest-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ISOLATED_TESTS,
          exclude: [...SERVICE_TESTS, ...SIMULATION_TESTS],
          setupFiles: [FRESH_MODULES],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SERVICE_TESTS, ...SIMULATION_TESTS, ...ISOLATED_TESTS],
        },
      },
    ],
  },
});
