import { availableParallelism } from 'node:os';
import { watchedStacks } from '../../infra/stack/other-environments/assembly.ts';
import { parseOptions, reportProgress, runScript, UsageError, wholeNumber } from '../../script.ts';
import { judgeByTests, type Verdict } from './judge-by-tests.ts';
import { MutatedAssembly, oneOfEachRule } from './template-mutants.ts';

const HELP = `Breaks the synthesized templates in one place at a time, and reports which faults no test catches.

Usage: npm run template-mutants -- [options]

  --quick           one mutant of each rule instead of all
  --only <text>     only mutants whose name contains this text
  --list            print the names of the mutants, and judge none
  --workers <n>     processes that judge at the same time (default: one per processor, here ${availableParallelism()})
  --help            show this

Exit codes: 0 all mutants are caught, 1 one survives, 2 wrong usage.
`;

const OPTIONS = {
  quick: { type: 'boolean' },
  only: { type: 'string', default: '' },
  list: { type: 'boolean' },
  workers: { type: 'string', default: String(availableParallelism()) },
} as const;

/** What became of a mutant, on one line. */
const lineOf = ({ id, caughtBy = 'survives' }: Verdict) => `${id}: ${caughtBy.replace(/\n.*/s, '')}`;

await runScript(HELP, async args => {
  const { quick, only, list, ...options } = parseOptions(args, OPTIONS);
  const workers = wholeNumber('--workers', options.workers, 1, 99);
  reportProgress('Synthesizing the stacks …');
  const original = watchedStacks();
  using assembly = new MutatedAssembly(original);
  const named = assembly.mutants.filter(({ id }) => id.includes(only));
  const mutants = quick ? oneOfEachRule(named) : named;
  if (mutants.length === 0) throw new UsageError(`No mutant has a name with "${only}" in it.`);
  if (list) {
    process.stdout.write(mutants.map(({ id }) => `${id}\n`).join(''));
    return;
  }

  reportProgress(`${mutants.length} mutants are judged by the tests of the stack …`);
  let count = 0;
  const verdicts = await judgeByTests(
    original,
    mutants.map(({ id }) => id),
    workers,
    verdict => {
      count += 1;
      reportProgress(`${count} of ${mutants.length}  ${lineOf(verdict)}`);
    },
  );
  const survivors = verdicts.filter(({ caughtBy }) => caughtBy === undefined);
  process.stdout.write(
    `${verdicts.length} mutants: ${verdicts.length - survivors.length} caught, ${survivors.length} survive.\n`,
  );
  for (const { id } of survivors) process.stdout.write(`  ${id}\n`);
  if (survivors.length > 0) process.exitCode = 1;
});
