import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { endOnSignal, useTemporaryFolder } from './setup/end-of-run.ts';
import { isolatedFiles } from './setup/isolated-files.ts';
import { BrowserSearch, ClosingLine, GrantReport, ServiceTestsEnd, SkipReport } from './setup/reporters.ts';

/** Where the whole service is started and used from outside; everything else needs no running service. */
const SERVICE_TESTS = ['test/service/**/*.test.ts', 'test/infra/start/**/*.test.ts'];

/** They replace the AWS SDK in their process, all in the same way. */
const SIMULATION_TESTS = ['test/simulation/**/*.test.ts'];

/** Two packages have their tests with them, and can run them alone: `npm test -w local-aws`. */
const UNIT_TESTS = ['test/**/*.test.ts', 'infra/{local,client}/test/**/*.test.ts'];

const FRESH_MODULES = 'test/setup/fresh-modules.ts';

/** The slowest first; the short files of the last project keep every worker busy to the end. */
const PROJECTS_IN_ORDER = ['service', 'simulation', 'isolated', 'unit'];

/**
 * Runs the files of one project after those of another. A worker process ends as soon as the next file in the queue
 * belongs to another project, so mixing the projects would cost a start of a process for nearly every file.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (left, right) =>
        PROJECTS_IN_ORDER.indexOf(left.project.name) - PROJECTS_IN_ORDER.indexOf(right.project.name),
    );
  }
}

const grants = new GrantReport();
const skips = new SkipReport();

useTemporaryFolder();
endOnSignal();
// Tests talk to this machine only, which no proxy leads to.
delete process.env.NODE_USE_ENV_PROXY;

const ISOLATED_TESTS = isolatedFiles();

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    globalSetup: ['test/setup/before-all-tests.ts'],
    setupFiles: ['test/setup/function-environment.ts'],
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
    reporters: [
      'default',
      new BrowserSearch(),
      grants,
      new ServiceTestsEnd(),
      skips,
      new ClosingLine(skips, [grants, skips]),
    ],
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
          globalSetup: ['test/simulation/synthesized.ts'],
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
          include: UNIT_TESTS,
          exclude: [...configDefaults.exclude, ...SERVICE_TESTS, ...SIMULATION_TESTS, ...ISOLATED_TESTS],
        },
      },
    ],
  },
});
