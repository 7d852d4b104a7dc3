import { format } from 'node:util';
import { type ProvidedContext, inject as provided } from 'vitest';

// biome-ignore lint/performance/noBarrelFile: it stands in for the module that these are of.
export { expect, onTestFinished, vi } from 'vitest';

/**
 * Stands in for Vitest in the tests of the stack: describe and test only collect, so that the judge can run the same
 * assertions over one template after another within a process. Assertions are Vitest's own.
 */
export interface CollectedTest {
  readonly title: string;
  run(): unknown;
}

type Body = (...values: never[]) => unknown;

let collected: CollectedTest[] = [];
let prefix = '';
let assembly: string | undefined;

/** The tests of a file, which `load` imports, over the templates in the folder of an assembly. */
export async function collectTests(folder: string, load: () => Promise<unknown>): Promise<CollectedTest[]> {
  assembly = folder;
  collected = [];
  await load();
  return collected;
}

export function inject<Key extends keyof ProvidedContext>(key: Key): ProvidedContext[Key] {
  if ((key === 'assembly' || key === 'mutated') && assembly !== undefined)
    return assembly as ProvidedContext[Key];
  return provided(key);
}

function addGroup(title: string, body: Body, values: readonly unknown[] = []): void {
  const outer = prefix;
  prefix = `${prefix}${format(title, ...values)} > `;
  body(...(values as never[]));
  prefix = outer;
}

function addTest(title: string, body: Body, values: readonly unknown[] = []): void {
  collected.push({ title: `${prefix}${format(title, ...values)}`, run: () => body(...(values as never[])) });
}

/** Calls `add` for each row of a table: a list is spread over the parameters. */
function each(add: typeof addTest) {
  return (table: readonly unknown[]) => (title: string, body: Body) => {
    for (const row of table) add(title, body, Array.isArray(row) ? row : [row]);
  };
}

export const describe = Object.assign((title: string, body: Body) => addGroup(title, body), {
  each: each(addGroup),
});

export const test = Object.assign((title: string, body: Body) => addTest(title, body), {
  each: each(addTest),
});
