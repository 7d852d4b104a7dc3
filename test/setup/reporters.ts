import { channel } from 'node:diagnostics_channel';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import { readLedger } from '../../infra/local/testing/grant-ledger.ts';
import { findBrowser } from '../find-browser.ts';
import { TOOLS_OF_SAMPLES } from '../machine.ts';
import { GRANT_EXCEPTIONS, grantUsage, stackGrants } from './grant-usage.ts';

/** Beside tests, a run can fail by what a reporter finds. */
interface Judge {
  readonly faults: readonly string[];
}

/** Ends a run with one plain line that any tool can read: `317 passed, 0 failed, 6 skipped`. */
export class ClosingLine implements Reporter {
  readonly #judges: readonly Judge[];
  readonly #skips: SkipReport;
  #isWatching = false;
  #counted: { readonly passed: number; readonly failed: number } | undefined;

  constructor(skips: SkipReport, judges: readonly Judge[]) {
    this.#skips = skips;
    this.#judges = judges;
  }

  onInit({ config }: Vitest): void {
    this.#isWatching = config.watch;
    // After what Vitest says of a setup or of the end that failed.
    if (!this.#isWatching) process.on('exit', exitCode => this.#write(exitCode));
  }

  onTestRunEnd(testModules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // An error outside every test file fails the run without being a test.
    let failed = errors.length + this.#judges.flatMap(({ faults }) => faults).length;
    for (const module of testModules) {
      const states = [...module.children.allTests()].map(test => test.result().state);
      const failedTests = states.filter(state => state === 'failed').length;
      passed += states.filter(state => state === 'passed').length;
      // A file that could not be loaded, or whose hook failed, has failed though no test of it did.
      failed += failedTests === 0 && !module.ok() ? 1 : failedTests;
    }
    this.#counted = { passed, failed };
    if (this.#isWatching) this.#write(0);
  }

  #write(exitCode: number): void {
    if (this.#counted === undefined && exitCode === 0) return;
    const { passed, failed } = this.#counted ?? { passed: 0, failed: 0 };
    const skipped = this.#skips.tests.length;
    const closing = `${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`;
    process.stdout.write(`${skipped === 0 ? closing : `${closing}, ${skipped} skipped`}\n`);
  }
}

/** More are named by their files only. */
const MOST_NAMED = 5;

/** Says which tests were skipped and what they need. In CI only samples of documents may be. */
export class SkipReport implements Reporter {
  #vitest: Vitest | undefined;
  tests: readonly TestCase[] = [];
  faults: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(testModules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const pattern = this.#vitest?.config.testNamePattern;
    // Vitest counts as skipped what the pattern leaves out, what a failed hook kept from running, and what is left of a run
    // that is canceled.
    const isSelected = ({ fullName }: TestCase) => !pattern || pattern.test(fullName.replaceAll(' > ', ' '));
    this.tests = testModules.flatMap(module =>
      [...module.children.allTests('skipped')]
        .filter(isSelected)
        .filter(test => test.meta().needs !== undefined || (module.ok() && reason !== 'interrupted')),
    );
    for (const [need, tests = []] of Object.entries(Object.groupBy(this.tests, needOf))) {
      process.stdout.write(`skipped, ${need}: ${namesOf(tests)}\n`);
    }
    if (!process.env.CI) return;
    this.faults = this.tests.filter(test => !isSample(test)).map(({ fullName }) => fullName);
    if (this.faults.length === 0) return;
    process.exitCode = 1;
    process.stderr.write(
      `With CI set, no test may be skipped but ${TOOLS_OF_SAMPLES.join(' and ')} samples.\n`,
    );
  }
}

function needOf(test: TestCase): string {
  const { needs } = test.meta();
  return needs === undefined ? 'without a reason' : `for want of ${needs}`;
}

function namesOf(tests: readonly TestCase[]): string {
  if (tests.length <= MOST_NAMED) return tests.map(({ fullName }) => fullName).join(', ');
  const files = new Set(tests.map(({ module }) => module.relativeModuleId));
  return `${tests.length} tests in ${[...files].join(', ')}`;
}

function isSample(test: TestCase): boolean {
  return TOOLS_OF_SAMPLES.includes(test.meta().needs ?? '');
}

/**
 * Finds the browser before the first test, once for all, if a file of the run uses one. Looking for it takes a second, and
 * unpacking it a few more.
 */
export class BrowserSearch implements Reporter {
  #found: Promise<string | undefined> | undefined;

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    if (!specifications.some(({ moduleId }) => USES_BROWSER.test(readFileSync(moduleId, 'utf8')))) return;
    this.#found ??= findBrowser(line => process.stderr.write(`${line}\n`));
    const browser = await this.#found;
    if (browser) process.env.CHROMIUM = browser;
  }
}

const USES_BROWSER = /from '.*\/browser\.ts'/;

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

/** The calls of all roles in the last run of all tests; `npm run grants` prints it. */
export const LEDGER_FILE = resolve(import.meta.dirname, '../../.cache/grant-ledger.jsonl');

/**
 * Fails a run in which a role made a call that it is not granted and, if all tests ran, one in which a grant was never used.
 * Services that tests start find the file of this run's ledger in an environment variable and write their calls to it.
 */
export class GrantReport implements Reporter {
  /** Of this run alone: there may be another one at the same time. */
  #ledgerFile = '';
  #vitest: Vitest | undefined;
  #areAllTests = false;
  faults: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#ledgerFile = join(tmpdir(), 'grant-ledger.jsonl');
    writeFileSync(this.#ledgerFile, '');
    process.env.PETSTORE_GRANT_LEDGER = this.#ledgerFile;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const { config } = this.#vitest ?? {};
    if (config === undefined || config.watch || config.testNamePattern || config.project.length > 0) return;
    const all = await this.#vitest?.globTestSpecifications();
    this.#areAllTests = all?.length === specifications.length;
  }

  onTestRunEnd(testModules: readonly TestModule[]): void {
    const assembly = this.#vitest?.getRootProject().getProvidedContext().assembly;
    const written = readFileSync(this.#ledgerFile, 'utf8');
    const isNothingToJudge = written === '' && !this.#areAllTests;
    if (assembly === undefined || this.#vitest?.config.watch || isNothingToJudge) return;
    const { faults, unused } = grantUsage(stackGrants(assembly), readLedger(written), GRANT_EXCEPTIONS);
    this.faults = faults;
    if (this.#areAllTests) {
      mkdirSync(dirname(LEDGER_FILE), { recursive: true });
      copyFileSync(this.#ledgerFile, LEDGER_FILE);
      // A test that didn't run to its end may have used the others.
      if (allUsesHaveRun(testModules)) this.faults = [...faults, ...unused];
      else
        process.stdout.write(
          'Unused grants are looked for when every test of the service and of the simulation passes.\n',
        );
    }
    if (this.faults.length === 0) return;
    process.exitCode = 1;
    process.stderr.write(`\nThe grants of the roles and the calls of this run differ (npm run grants):\n`);
    for (const fault of this.faults) process.stderr.write(`  ${fault}\n`);
  }
}

/** Whether every test of the running service and of the simulation has passed. Samples are in several languages, for the same grants. */
function allUsesHaveRun(testModules: readonly TestModule[]): boolean {
  return testModules
    .filter(({ project }) => ['service', 'simulation'].includes(project.name))
    .flatMap(module => [...module.children.allTests()])
    .every(test => test.result().state === 'passed' || isSample(test));
}
