import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { dirname } from 'node:path';
import { SynthesisError, synthesize } from '../../infra/start/synthesize.ts';
import { UsageError } from '../script-options.ts';
import { coldBundles } from './cold/cold-bundles.ts';
import { measureColdStarts } from './cold/cold-start.ts';
import { measureOperationCosts } from './dynamodb/operation-costs.ts';
import { SUSTAINED_CREATES } from './dynamodb/sustained-creates.ts';
import { EFFORT, QUICK_EFFORT } from './effort.ts';
import { startBareEngine } from './machine/bare-engine.ts';
import { measureOneMachine } from './machine/one-machine.ts';
import { type BenchOptions, HELP, type Part, readOptions } from './options.ts';
import { budgets } from './report/budgets.ts';
import { ratioChart } from './report/ratio-chart.ts';
import { budgetTable, tables } from './report/tables.ts';
import type { Results } from './results.ts';
import { checkSameAnswers } from './same-answers/check-same-answers.ts';
import { startStub } from './stub/stub.ts';
import { deployedStack } from './variants/deployed-functions.ts';
import { variants } from './variants/variants.ts';
import { measureWarmInvocations } from './warm/warm-invocations.ts';

const startedAt = Date.now();

/** Progress goes to standard error, because the results on standard output may be piped. */
const report = (line: string) =>
  process.stderr.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
const reportPart = (part: Part) => (done: string) => report(`${part}: ${done}`);

async function bench({ isQuick, parts, jsonFile, svgFile }: BenchOptions): Promise<void> {
  const effort = isQuick ? QUICK_EFFORT : EFFORT;
  const results: Results = {};
  report('Synthesizing the stacks …');
  const stack = deployedStack(await synthesize());

  if (parts.includes('cold') || parts.includes('warm')) {
    const allVariants = variants(stack);
    const stub = await startStub();
    try {
      const requests = await checkSameAnswers(allVariants, stub);
      report(`All variants answer ${requests} requests alike, with the same calls to DynamoDB.`);
      if (parts.includes('cold')) {
        results.cold = await measureColdStarts(
          coldBundles(allVariants, stub.endpoint),
          effort.coldRounds,
          reportPart('cold'),
        );
      }
      if (parts.includes('warm')) {
        results.warm = await measureWarmInvocations(
          allVariants,
          stub.endpoint,
          effort.warm,
          reportPart('warm'),
        );
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
        effort.tableSizes,
        reportPart('dynamodb'),
      );
    } finally {
      await engine.stop();
    }
  }
  if (parts.includes('machine')) {
    results.machine = await measureOneMachine(
      stack.table('PetsTable'),
      effort.machine,
      reportPart('machine'),
    );
  }

  const checkedBudgets = budgets(results);
  process.stdout.write(`${tables(results)}\n\n${budgetTable(checkedBudgets)}\n\n`);
  const machine = { node: process.version, architecture: arch(), processors: cpus().length };
  mkdirSync(dirname(jsonFile), { recursive: true });
  writeFileSync(
    jsonFile,
    `${JSON.stringify({ machine, isQuick, ...results, sustainedCreates: SUSTAINED_CREATES, budgets: checkedBudgets }, null, 2)}\n`,
  );
  const chart = ratioChart(results);
  if (chart) {
    mkdirSync(dirname(svgFile), { recursive: true });
    writeFileSync(svgFile, chart);
  }
  process.stdout.write(`The results are in ${jsonFile}${chart ? `, drawn in ${svgFile}` : ''}.\n`);
  if (checkedBudgets.some(({ isKept }) => !isKept)) process.exitCode = 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else await bench(options);
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof SynthesisError;
  process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
