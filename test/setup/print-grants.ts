import { existsSync, readFileSync } from 'node:fs';
import { readLedger } from '../../infra/local/testing/grant-ledger.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { GRANT_EXCEPTIONS, grantUsage, stackGrants } from './grant-usage.ts';
import { LEDGER_FILE } from './reporters.ts';

/** `npm run grants`: every grant of every role, how often the last run of tests used it (DynamoDB's: in how many execution environments; the simulation's: in how many processes), and what is wrong. */
if (!existsSync(LEDGER_FILE)) {
  process.stderr.write('There is no record of calls yet: run npm test first.\n');
  process.exit(1);
}
const ledger = readLedger(readFileSync(LEDGER_FILE, 'utf8'));
const { rows, faults, unused } = grantUsage(stackGrants(await synthesize()), ledger, GRANT_EXCEPTIONS);
const sorted = rows.toSorted((a, b) => a.grant.localeCompare(b.grant));
const width = Math.max(...sorted.map(({ times }) => String(times).length));
for (const { grant, times, reason } of sorted) {
  const why = times === 0 && reason !== undefined ? ` (${reason})` : '';
  process.stdout.write(`${String(times).padStart(width)}  ${grant}${why}\n`);
}
for (const fault of [...faults, ...unused]) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length + unused.length === 0 ? 0 : 1;
