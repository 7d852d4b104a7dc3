import type { Verdict } from './judge-by-tests.ts';

/** The rows of the table in the section on survivors: a name, perhaps with one asterisk for any text, and a reason. */
const ROW = /^\| `([^`]+)` \| (.+) \|$/gm;

export interface ListedSurvivor {
  readonly name: string;
  readonly reason: string;
}

export function listedSurvivors(readme: string): ListedSurvivor[] {
  const [, section = ''] = readme.split('\n## Survivors\n');
  // An example in a block of code is no row of the table.
  return [...section.replaceAll(/```[\s\S]*?```/g, '').matchAll(ROW)].map(([, name = '', reason = '']) => ({
    name,
    reason,
  }));
}

/** What differs between the survivors and their list, in one line each. */
export function differences(verdicts: readonly Verdict[], listed: readonly ListedSurvivor[]): string[] {
  const isNamed = (id: string) => listed.some(({ name }) => isNamedBy(name, id));
  return verdicts.flatMap(({ id, caughtBy }) => {
    if (caughtBy === undefined && !isNamed(id)) return `${id}: survives, and is not listed`;
    return caughtBy !== undefined && isNamed(id) ? `${id}: is listed, but caught by ${caughtBy}` : [];
  });
}

/** Whether a name of the list stands for the mutant. */
export function isNamedBy(name: string, id: string): boolean {
  const [start = '', end] = name.split('*');
  return end === undefined ? id === name : id.startsWith(start) && id.endsWith(end);
}
