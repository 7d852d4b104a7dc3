import type { Reporter, TestModule } from 'vitest/node';

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
