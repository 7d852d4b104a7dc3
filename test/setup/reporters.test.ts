import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { SkipReport } from './reporters.ts';

/** A module whose tests were all skipped: each by its name, with what it needs. */
function moduleOf(tests: Readonly<Record<string, string | undefined>>): TestModule {
  const skipped = Object.entries(tests).map(([fullName, needs]) => ({ fullName, meta: () => ({ needs }) }));
  return { ok: () => true, children: { allTests: () => skipped as unknown as TestCase[] } } as never;
}

/** What a report prints of a module, and the tests that fail the run. */
function reported(tests: Readonly<Record<string, string | undefined>>, CI: string) {
  vi.stubEnv('CI', CI);
  const { exitCode } = process;
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = exitCode;
  });
  const report = new SkipReport();
  report.onTestRunEnd([moduleOf(tests)], [], 'passed');
  return { lines: printed.mock.calls.map(([line]) => line), faults: report.faults };
}

const SKIPPED = { curls: 'curl', clicks: 'a browser', taps: 'a browser', sleeps: undefined };

test('skipped tests are named by what they need, and fail no run of a developer', () => {
  expect(reported(SKIPPED, '')).toEqual({
    lines: [
      'skipped, for want of curl: curls\n',
      'skipped, for want of a browser: clicks, taps\n',
      'skipped, without a reason: sleeps\n',
    ],
    faults: [],
  });
});

test('in CI, every skipped test fails the run but samples', () => {
  expect(reported(SKIPPED, 'true').faults).toEqual(['clicks', 'taps', 'sleeps']);
});
