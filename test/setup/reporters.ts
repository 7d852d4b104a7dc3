import { channel } from 'node:diagnostics_channel';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { readLedger } from '../../infra/local/iam/grant-ledger.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { GRANT_EXCEPTIONS, grantUsage, type StackGrants, stackGrants } from './grant-usage.ts';

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

/** The calls of all roles in the last run of all tests; `npm run grants` prints it. */
export const LEDGER_FILE = resolve(import.meta.dirname, '../../.cache/grant-ledger.jsonl');

/**
 * Fails a run of all tests in which a role made a call that it is not granted, or never used a grant. Services that tests
 * start find the file of this run's ledger in an environment variable and write their calls to it.
 */
export class GrantReport implements Reporter {
  /** Of this run alone: there may be another one at the same time. */
  readonly #ledgerFile = `${LEDGER_FILE}.${process.pid}`;
  #vitest: Vitest | undefined;
  /** Undefined unless all tests run. */
  #stacks: readonly StackGrants[] | undefined;
  faults: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    mkdirSync(dirname(LEDGER_FILE), { recursive: true });
    writeFileSync(this.#ledgerFile, '');
    process.on('exit', () => rmSync(this.#ledgerFile, { force: true }));
    process.env.PETSTORE_GRANT_LEDGER = this.#ledgerFile;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const { config } = this.#vitest ?? {};
    if (config === undefined || config.watch || config.testNamePattern || config.project.length > 0) return;
    const all = await this.#vitest?.globTestSpecifications();
    if (all?.length !== specifications.length) return;
    this.#stacks = stackGrants(await synthesize());
  }

  onTestRunEnd(): void {
    if (this.#stacks === undefined) return;
    copyFileSync(this.#ledgerFile, LEDGER_FILE);
    const ledger = readLedger(readFileSync(this.#ledgerFile, 'utf8'));
    this.faults = grantUsage(this.#stacks, ledger, GRANT_EXCEPTIONS).faults;
    if (this.faults.length === 0) return;
    process.exitCode = 1;
    process.stderr.write(`\nThe grants of the roles and the calls of this run differ (npm run grants):\n`);
    for (const fault of this.faults) process.stderr.write(`  ${fault}\n`);
  }
}
