import { join } from 'node:path';
import { createVitest, type TestCase, type Vite } from 'vitest/node';
import { PROJECT } from './judging-files.ts';

export interface Verdict {
  readonly id: string;
  /** Undefined for a survivor. */
  readonly caughtBy: string | undefined;
}

const JUDGE = 'test/mutants/judge.ts';
const COLLECTOR = join(PROJECT, 'test/mutants/collected-tests.ts');

/** What stack tests import as Vitest is the collector; the judge and the collector itself import Vitest. */
const collecting: Vite.Plugin = {
  name: 'petstore-collected-tests',
  enforce: 'pre',
  resolveId(id, importer = '') {
    const isOfMutants = importer.includes('/test/mutants/');
    return id === 'vitest' && importer.includes('/test/') && !isOfMutants ? COLLECTOR : undefined;
  },
};

/** Runs the tests of the stack over every mutant whose id contains a text, in some processes at once. */
export async function judgeByTests(
  assembly: string,
  only: string,
  processes: number,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: PROJECT,
      watch: false,
      isolate: false,
      maxWorkers: processes,
      testTimeout: 600_000,
      reporters: [
        {
          onTestCaseResult(testCase: TestCase) {
            if (testCase.result().state === 'failed') console.log(testCase.name, testCase.result().errors);
            const { verdict } = testCase.meta();
            if (verdict === undefined) return;
            verdicts.push(verdict);
            onVerdict(verdict);
          },
        },
      ],
      projects: Array.from({ length: processes }, (_, index) => ({
        plugins: [collecting],
        root: PROJECT,
        test: {
          name: String(index),
          include: [JUDGE],
          setupFiles: [],
          testTimeout: 600_000,
          isolate: false,
          provide: { assembly, share: { index, of: processes, only } },
        },
      })),
    },
  );
  await vitest.start();
  await vitest.close();
  return verdicts;
}
