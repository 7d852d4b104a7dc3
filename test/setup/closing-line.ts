import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that any tool can read: `317 passed, 0 failed`. */
export class ClosingLine implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // A file that could not be loaded, and an error outside every test, fail the run without being a test.
    let failed = errors.length + testModules.filter(({ children }) => children.size === 0).length;
    for (const module of testModules) {
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
      }
    }
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
