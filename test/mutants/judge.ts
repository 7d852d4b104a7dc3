import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { RESOURCE_TYPES } from '../../infra/local/cloudformation/resource-types.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import type { Verdict } from './judge-by-tests.ts';
import { type JudgingFile, judgingFiles } from './judging-files.ts';
import { mutated, type Template, type TemplateMutant } from './template-mutant.ts';
import { templateMutants } from './template-mutants.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Which mutants this process judges: each `of`-th one, from `index` on, whose id contains `only`. */
    share: { readonly index: number; readonly of: number; readonly only: string };
  }
  interface TaskMeta {
    /** What became of a mutant. */
    verdict?: Verdict;
  }
}

const STACKS = ['Petstore-Production', 'Petstore-Staging'] as const;

const original = inject('assembly');
const share = inject('share');

/** An assembly like the original, whose templates are rewritten for each mutant. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of readdirSync(original)) symlinkSync(join(original, name), join(folder, name));
const templates = STACKS.map(stack => {
  const file = `${stack}.template.json`;
  rmSync(join(folder, file));
  const template: Template = JSON.parse(readFileSync(join(original, file), 'utf8'));
  return { file: join(folder, file), template, mutants: mutantsById(template) };
});

function mutantsById(template: Template): ReadonlyMap<string, TemplateMutant> {
  return new Map(templateMutants(template).map(mutant => [mutant.id, mutant]));
}

/** Writes both templates with the same fault: a fault in the code of the stack is in every environment. */
function writeTemplates(id: string): void {
  for (const { file, template, mutants } of templates) {
    const mutant = mutants.get(id);
    writeFileSync(file, JSON.stringify(mutant ? mutated(template, mutant) : template));
  }
}

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
    const tests = await collectTests(folder, () => import(path));
    if (tests.length === 0) return 'no tests';
    for (const { title, run } of tests.filter(collected => collected.title.includes(titles))) {
      try {
        await run();
      } catch {
        return title;
      }
    }
  } catch {
    return 'the tests cannot be collected';
  }
}

/** Every run of the service and its tests begins with this, so a template that is refused here reaches nobody. */
function refusal(): string | undefined {
  try {
    for (const stack of readCloudAssembly(folder).stacks) resolveStack(stack, RESOURCE_TYPES);
  } catch (error) {
    return `the local runtime: ${(error as Error).message}`;
  }
}

const own = [...(templates[0]?.mutants.values() ?? [])]
  .filter(({ id }) => id.includes(share.only))
  .filter((_, position) => position % share.of === share.index);

test('the templates without a fault pass', async () => {
  writeTemplates('');
  vi.resetModules();
  for (const file of files) expect(await failingTest(file), file.name).toBeUndefined();
  expect(refusal()).toBeUndefined();
});

test.for(own)('$id', async (mutant, { task }) => {
  writeTemplates(mutant.id);
  vi.resetModules();
  task.meta.verdict = { id: mutant.id, caughtBy: await catcherOf(mutant) };
});
