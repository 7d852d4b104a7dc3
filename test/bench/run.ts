import { arch, cpus } from 'node:os';
import { deployedStack } from '../../infra/local/testing/deployed-stack.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { chosenNames, parseOptions, reportProgress, runScript, writeResult } from '../script.ts';
import { startBareEngine } from './bare-engine.ts';
import { budgets, type Results } from './budgets.ts';
import { coldBundles, measureColdStarts } from './cold-start.ts';
import { measureOperationCosts } from './operation-costs.ts';
import { budgetTable, tables } from './report.ts';
import { checkSameResponses } from './same-responses.ts';
import { startStub } from './stub.ts';
import { variants } from './variants.ts';
import { measureWarmInvocations } from './warm-invocations.ts';

const PARTS = ['same', 'cold', 'warm', 'dynamodb'] as const;
type Part = (typeof PARTS)[number];

const HELP = `Measures the service beside its alternatives (frameworks, a handler written by hand), and prints tables.

Usage: npm run bench -- [options]

  --only <parts>    measure only these parts, separated by commas: ${PARTS.join(', ')}
  --json <file>     where to write the results (default .cache/bench.json)
  --help            show this

Ratios are to the bare handler: written by hand with nothing but @aws-sdk/client-dynamodb and the same
calls, as one minified ES module. CPU time counts all threads of a process. All variants are measured
alternately in one run, and ratios are medians over the rounds. "same" only compares what the variants do. On a busy
machine a run takes twice as long and the numbers are less reliable. It exits with 1 when a budget is missed.
`;

const OPTIONS = {
  only: { type: 'string' },
  json: { type: 'string', default: '.cache/bench.json' },
} as const;

const reportPart = (part: Part) => (done: string) => reportProgress(`${part}: ${done}`);

await runScript(HELP, async args => {
  const { only, json: jsonFile } = parseOptions(args, OPTIONS);
  const parts = chosenNames('--only', only, PARTS);
  const results: Results = {};
  reportProgress('Synthesizing the stacks …');
  const stack = deployedStack(await synthesize(), 'Petstore-Production');

  if (parts.some(part => part === 'same' || part === 'cold' || part === 'warm')) {
    const allVariants = variants(stack);
    const stub = await startStub();
    try {
      const requests = await checkSameResponses(allVariants, stub);
      reportProgress(
        `All variants give the same responses to ${requests} requests, with the same calls to DynamoDB.`,
      );
      if (parts.includes('cold')) {
        results.cold = await measureColdStarts(coldBundles(allVariants, stub.endpoint), reportPart('cold'));
      }
      if (parts.includes('warm')) {
        results.warm = await measureWarmInvocations(allVariants, stub.endpoint, reportPart('warm'));
      }
    } finally {
      stub.stop();
    }
  }
  if (parts.includes('dynamodb')) {
    const engine = await startBareEngine();
    try {
      results.dynamodb = await measureOperationCosts(
        engine,
        stack.table('PetsTable'),
        stack.table('ApiKeysTable'),
        reportPart('dynamodb'),
      );
    } finally {
      await engine.stop();
    }
  }

  if (Object.keys(results).length === 0) return;
  const checkedBudgets = budgets(results);
  process.stdout.write(`${tables(results)}\n\n${budgetTable(checkedBudgets)}\n\n`);
  const machine = { node: process.version, architecture: arch(), processors: cpus().length };
  writeResult(jsonFile, { machine, ...results, budgets: checkedBudgets });
  process.stdout.write(`The results are in ${jsonFile}.\n`);
  if (checkedBudgets.some(({ isKept }) => !isKept)) process.exitCode = 1;
});
