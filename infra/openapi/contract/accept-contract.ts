import { readFileSync, writeFileSync } from 'node:fs';
import { contractChanges } from './contract-changes.ts';
import { currentContract, RELEASED_CONTRACT_FILE, releasedContract, textOf } from './released-contract.ts';

/**
 * npm run contract: accepts the contract of the sources as the released one, unless clients would lose something.
 * With --check it writes nothing and fails if the file does not have the whole contract, since what the file lacks is
 * not protected.
 */
const current = currentContract();
const losses = contractChanges(releasedContract(), current, new Date().toISOString().slice(0, 10));

if (losses.length > 0) {
  fail(['Clients of the released contract would lose something:', ...losses.map(loss => `  ${loss}`)]);
} else if (!process.argv.includes('--check')) {
  writeFileSync(RELEASED_CONTRACT_FILE, textOf(current));
} else if (readFileSync(RELEASED_CONTRACT_FILE, 'utf8') !== textOf(current)) {
  fail(['The contract has grown. Accept it with: npm run contract']);
}

function fail(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}
