import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Reporter, TestSpecification, Vitest } from 'vitest/node';
import { readLedger } from '../../infra/local/iam/grant-ledger.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { GRANT_EXCEPTIONS, grantUsage, type StackGrants, stackGrants } from './grant-usage.ts';

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
