import { arch, cpus } from 'node:os';
import { synthesize } from '../../infra/start/synthesize.ts';
import { chosenNames, parseOptions, reportProgress, runScript, writeResult } from '../script.ts';
import { startBareEngine } from './bare-engine.ts';
import { budgets, type Results } from './budgets.ts';
import { coldBundles, measureColdStarts } from './cold-start.ts';
import { type DashboardEffort, measureDashboard } from './dashboard.ts';
import { type MachineEffort, measureOneMachine } from './one-machine.ts';
import { measureOperationCosts } from './operation-costs.ts';
import { budgetTable, tables } from './report.ts';
import { checkSameResponses } from './same-responses.ts';
import { startStub } from './stub.ts';
import { deployedStack, variants } from './variants.ts';
import { measureWarmInvocations, type WarmEffort } from './warm-invocations.ts';

const PARTS = ['same', 'cold', 'warm', 'dynamodb', 'machine', 'dashboard'] as const;
type Part = (typeof PARTS)[number];

const HELP = `Measures the service beside its alternatives (frameworks, a handler written by hand), and prints tables.

Usage: npm run bench -- [options]

  --quick           fewer rounds and smaller tables: a rough preview
  --only <parts>    measure only these parts, separated by commas: ${PARTS.join(', ')}
  --json <file>     where to write the results (default .cache/bench.json)
  --help            show this

Ratios are to the bare handler: written by hand with nothing but @aws-sdk/client-dynamodb and the same
calls, as one minified ES module. CPU time counts all threads of a process. All variants are measured
alternately in one run, and ratios are medians over the rounds. The dashboard is measured in Chromium, with 2,000
domains, 5,000 keys and 5,000 orders. "same" only compares what the variants do. A run takes 15 minutes, --quick a
quarter of that; on a busy machine it takes twice as long and the numbers are less reliable. It exits with 1 when a
budget is missed.
`;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string', default: '.cache/bench.json' },
} as const;

/** How many rounds and how much data a run of the benchmark uses. */
interface Effort {
  readonly coldRounds: number;
  readonly warm: WarmEffort;
  /** Pets in the table when the operations are measured, the smaller number first. */
  readonly tableSizes: readonly number[];
  readonly machine: MachineEffort;
  readonly dashboard: DashboardEffort;
}

/** Takes 15 minutes on 2 idle cores, and twice that on busy ones. */
const EFFORT: Effort = {
  coldRounds: 12,
  warm: { generations: 2, warmUp: 1500, blocks: 10, invocationsPerBlock: 100 },
  tableSizes: [1000, 100_000],
  // V8 optimizes the code of each of the ten execution environments by itself: the rate rises for half a minute.
  machine: { starts: 3, warmUpMs: 30_000, blocks: 6, blockMs: 3000 },
  dashboard: { idleMs: 60_000 },
};

/** Takes four minutes, which is too short for the optimizing compiler to finish: the warm ratios are rough. */
const QUICK_EFFORT: Effort = {
  coldRounds: 3,
  warm: { generations: 1, warmUp: 800, blocks: 5, invocationsPerBlock: 50 },
  tableSizes: [1000, 10_000],
  machine: { starts: 1, warmUpMs: 2000, blocks: 2, blockMs: 2000 },
  dashboard: { idleMs: 10_000 },
};

const reportPart = (part: Part) => (done: string) => reportProgress(`${part}: ${done}`);

await runScript(HELP, async args => {
  const { quick: isQuick, only, json: jsonFile } = parseOptions(args, OPTIONS);
  const parts = chosenNames('--only', only, PARTS);
  const effort = isQuick ? QUICK_EFFORT : EFFORT;
  const results: Results = {};
  reportProgress('Synthesizing the stacks …');
  const stack = deployedStack(await synthesize());

  if (parts.some(part => part === 'same' || part === 'cold' || part === 'warm')) {
    const allVariants = variants(stack);
    const stub = await startStub();
    try {
      const requests = await checkSameResponses(allVariants, stub);
      reportProgress(
        `All variants give the same responses to ${requests} requests, with the same calls to DynamoDB.`,
      );
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
  if (parts.includes('dashboard')) {
    results.dashboard = await measureDashboard(stack.table, effort.dashboard, reportPart('dashboard'));
  }

  if (Object.keys(results).length === 0) return;
  const checkedBudgets = budgets(results);
  process.stdout.write(`${tables(results)}\n\n${budgetTable(checkedBudgets)}\n\n`);
  const machine = { node: process.version, architecture: arch(), processors: cpus().length };
  writeResult(jsonFile, { machine, isQuick, ...results, budgets: checkedBudgets });
  process.stdout.write(`The results are in ${jsonFile}.\n`);
  if (checkedBudgets.some(({ isKept }) => !isKept)) process.exitCode = 1;
});
