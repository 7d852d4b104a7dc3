import { afterAll, expect, inject, test, vi } from 'vitest';
import { readCloudAssembly } from '../../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../../infra/local/cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../../infra/local/resource-types.ts';
import type { Verdict } from './judge-by-tests.ts';
import { type JudgingFile, judgingFiles } from './judging-files.ts';
import { MutatedAssembly } from './mutated-assembly.ts';
import type { TemplateMutant } from './template-mutant.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The ids of the mutants that this process judges. */
    mutants: readonly string[];
  }
  interface TaskMeta {
    /** What became of a mutant. */
    verdict?: Verdict;
  }
}

const assembly = new MutatedAssembly(inject('assembly'));
afterAll(() => assembly[Symbol.dispose]());

const files = judgingFiles();
/** The files in the order in which they are asked, by the type of the resource: the last one that caught a mutant first. */
const order = new Map<string, readonly JudgingFile[]>();

async function catcherOf(mutant: TemplateMutant): Promise<string | undefined> {
  const asked = order.get(mutant.type) ?? files;
  for (const file of asked) {
    const titles = file.titlesFor(mutant);
    const title = titles === undefined ? undefined : await failingTest(file, titles);
    if (title === undefined) continue;
    order.set(mutant.type, [file, ...asked.filter(other => other !== file)]);
    return `${file.name}: ${title}`;
  }
  return refusal();
}

/** The title of the first test that fails, of those whose titles contain the text. */
async function failingTest({ path }: JudgingFile, titles = ''): Promise<string | undefined> {
  try {
    // As fresh as the modules of the tests, which import the same one.
    const { collectTests } = await import('./collected-tests.ts');
    const tests = await collectTests(assembly.folder, () => import(path));
    if (tests.length === 0) return 'it has no tests';
    for (const { title, run } of tests.filter(collected => collected.title.includes(titles))) {
      try {
        await run();
      } catch {
        return title;
      }
    }
  } catch {
    return 'its tests cannot be collected';
  }
}

/** Every run of the service and its tests begins with this, so a template that is refused here reaches nobody. */
function refusal(): string | undefined {
  try {
    for (const stack of readCloudAssembly(assembly.folder).stacks) resolveStack(stack, RESOURCE_TYPES);
  } catch (error) {
    return `the local runtime: ${(error as Error).message}`;
  }
}

const judged = new Set(inject('mutants'));

test('the templates without a fault pass', async () => {
  assembly.write();
  vi.resetModules();
  // Of the slow files, the tests that are about one function stand for all.
  const aboutFunction = assembly.mutants.find(({ type }) => type === 'AWS::Lambda::Function');
  for (const file of files) {
    const titles = aboutFunction && file.titlesFor(aboutFunction);
    expect(await failingTest(file, titles), file.name).toBeUndefined();
  }
  expect(refusal()).toBeUndefined();
});

test.for(assembly.mutants.filter(({ id }) => judged.has(id)))('$id', async (mutant, { task }) => {
  assembly.write(mutant);
  vi.resetModules();
  task.meta.verdict = { id: mutant.id, caughtBy: await catcherOf(mutant) };
});
