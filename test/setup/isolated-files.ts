import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');

/** What a file does that another file in the same process would notice: it replaces modules, variables, clocks or classes. */
const REPLACES =
  /vi\.(resetModules|stubEnv|stubGlobal|mock|doMock|useFakeTimers)\b|\bprototype\b|process\.env\.\w+ =/;
/** A hook that a fixture registers when it is loaded: a second file in the same process would go without it. */
const REGISTERS_HOOK = /^(before|after)(Each|All)\(/m;
const IMPORTED = /from '(\.[^']+)'|import\('(\.[^']+)'\)/g;

/**
 * The test files that must not see what another one has replaced: those that replace something themselves or by a
 * fixture. They run in processes apart from the others, with fresh modules each (fresh-modules.ts).
 */
export function isolatedFiles(): string[] {
  const known = new Map<string, boolean>();
  const replaces = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false);
    const text = readFileSync(file, 'utf8');
    const isReplacing =
      REPLACES.test(text) ||
      (!file.endsWith('.test.ts') && REGISTERS_HOOK.test(text)) ||
      fixturesOf(file, text).some(replaces);
    known.set(file, isReplacing);
    return isReplacing;
  };
  return globSync('{test,infra/{local,client}/test}/**/*.test.ts', {
    cwd: PROJECT,
    exclude: ['**/node_modules/**'],
  })
    .map(file => join(PROJECT, file))
    .filter(replaces)
    .map(file => relative(PROJECT, file));
}

/** What a test file imports from a folder of tests. */
function fixturesOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)]
    .map(([, from, imported]) => resolve(dirname(file), from ?? imported ?? ''))
    .filter(path => relative(PROJECT, path).split('/').includes('test') && path.endsWith('.ts'));
}
