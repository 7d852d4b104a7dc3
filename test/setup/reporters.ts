import { channel } from 'node:diagnostics_channel';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** Ends a run with one plain line that any tool can read: `317 passed, 0 failed`. */
export class ClosingLine implements Reporter {
  readonly #otherFaults: () => number;

  /** Beside tests, a run can fail by what other reporters find. */
  constructor(otherFaults: () => number) {
    this.#otherFaults = otherFaults;
  }

  onTestRunEnd(testModules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // An error outside every test file fails the run without being a test.
    let failed = errors.length + this.#otherFaults();
    for (const module of testModules) {
      const states = [...module.children.allTests()].map(test => test.result().state);
      const failedTests = states.filter(state => state === 'failed').length;
      passed += states.filter(state => state === 'passed').length;
      // A file that could not be loaded, or whose hook failed, has failed though no test of it did.
      failed += failedTests === 0 && !module.ok() ? 1 : failedTests;
    }
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}

/** Vitest loads its configuration and the global setups as separate modules; a channel is the same in both. */
const ended = channel('petstore:service-tests-ended');

/** Calls back when no file that uses the shared service is left to run; the rest of a run is half of its time. */
export function onServiceTestsEnd(callback: () => void): void {
  ended.subscribe(callback);
}

/** Announces the end of the last file of the project `service`. While files are watched none is the last: it may run again. */
export class ServiceTestsEnd implements Reporter {
  #left = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#left = specifications.filter(({ project }) => project.name === 'service').length;
  }

  onTestModuleEnd({ project }: TestModule): void {
    if (project.name !== 'service' || project.vitest.config.watch) return;
    this.#left -= 1;
    if (this.#left === 0) ended.publish({});
  }
}
