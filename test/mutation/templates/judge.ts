import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { readCloudAssembly } from '../../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../../infra/local/cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../../infra/local/resource-types.ts';
import type { Verdict } from './judge-by-tests.ts';
import type { TemplateMutant } from './template-mutant.ts';
import { MutatedAssembly } from './template-mutants.ts';

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

const PROJECT = resolve(import.meta.dirname, '../../..');

interface JudgingFile {
  /** Relative to the project. */
  readonly name: string;
  /** The tests of the file whose titles contain this text judge the mutant; undefined if none does. */
  titlesFor(mutant: TemplateMutant): string | undefined;
}

const READS_TEMPLATE = /from '[./a-z]*\/templates\.ts'/;

/** Tests that would notice no change, because both templates have it. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'test/infra/stack/petstore-stack.test.ts':
    'compares the templates of two environments, which have the same fault',
};

/** Tests that take seconds: they judge only what they are about. */
const SLOW: Readonly<Record<string, JudgingFile['titlesFor']>> = {
  'test/infra/stack/bundles.test.ts': ({ type, resource }) =>
    type === 'AWS::Lambda::Function' ? resource : undefined,
  'test/infra/stack/domain-flow.test.ts': ({ type }) =>
    ['AWS::Lambda::Function', 'AWS::StepFunctions::StateMachine'].includes(type) ? '' : undefined,
};

/** The test files that assert something about the synthesized templates, the slow ones last. */
function judgingFiles(): JudgingFile[] {
  const names = globSync(['test/infra/stack/**/*.test.ts', 'test/infra/openapi/**/*.test.ts'], {
    cwd: PROJECT,
  })
    .filter(name => EXCLUDED[name] === undefined)
    .filter(name => READS_TEMPLATE.test(readFileSync(resolve(PROJECT, name), 'utf8')))
    .toSorted((a, b) => Number(a in SLOW) - Number(b in SLOW) || a.localeCompare(b));
  return names.map(name => ({ name, titlesFor: SLOW[name] ?? (() => '') }));
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
async function failingTest({ name }: JudgingFile, titles = ''): Promise<string | undefined> {
  try {
    // As fresh as the modules of the tests, which import the same one.
    const { collectTests } = await import('./collected-tests.ts');
    const tests = await collectTests(assembly.folder, () => import(resolve(PROJECT, name)));
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
    return `the local AWS: ${(error as Error).message}`;
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
