import { join, resolve } from 'node:path';
import { createVitest, type TestCase, type Vite } from 'vitest/node';

const PROJECT = resolve(import.meta.dirname, '../../..');

export interface Verdict {
  readonly id: string;
  /** Undefined for a survivor. */
  readonly caughtBy: string | undefined;
}

const JUDGE = 'test/mutation/templates/judge.ts';
const COLLECTOR = join(PROJECT, 'test/mutation/templates/collected-tests.ts');

/** What the tests of the stack import as Vitest is the collector. */
const collecting: Vite.Plugin = {
  name: 'petstore-collected-tests',
  enforce: 'pre',
  resolveId(id, importer = '') {
    const isOfMutants = importer.includes('/test/mutation/templates/');
    return id === 'vitest' && importer.includes('/test/') && !isOfMutants ? COLLECTOR : undefined;
  },
};

/** Runs the tests of the stack over each of the mutants, in some processes at once. */
export async function judgeByTests(
  assembly: string,
  mutants: readonly string[],
  workers: number,
  onVerdict: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const failures: string[] = [];
  const vitest = await createVitest('test', {
    config: false,
    root: PROJECT,
    watch: false,
    maxWorkers: workers,
    reporters: [
      {
        onTestCaseResult(testCase: TestCase) {
          const { verdict } = testCase.meta();
          for (const { message } of testCase.result().errors ?? [])
            failures.push(`${testCase.name}: ${message}`);
          if (verdict === undefined) return;
          verdicts.push(verdict);
          onVerdict(verdict);
        },
      },
    ],
    // A project for each process: a test file is never divided between processes.
    projects: Array.from({ length: workers }, (_, index) => ({
      root: PROJECT,
      plugins: [collecting],
      test: {
        name: String(index),
        include: [JUDGE],
        isolate: false,
        testTimeout: 600_000,
        // Some tests of the stack import modules of the service, which read this when they are loaded.
        env: { AWS_REGION: 'us-east-1' },
        provide: { assembly, mutants: mutants.filter((_, position) => position % workers === index) },
      },
    })),
  });
  await vitest.start();
  await vitest.close();
  if (failures.length > 0) throw new Error(`The judge itself failed:\n${failures.join('\n')}`);
  return verdicts;
}
