import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');

/** What a file does that another file in the same process would notice: it replaces modules, variables, clocks or classes. */
const REPLACES =
  /vi\.(resetModules|stubEnv|stubGlobal|mock|doMock|useFakeTimers)\b|\bprototype\b|process\.env\.\w+ =/;
const IMPORTED = /from '(\.[^']+)'|import\('(\.[^']+)'\)/g;

/**
 * The test files that need a process of their own: those that replace something themselves or by a fixture. The others
 * share processes, and so load the AWS SDK once and not once per file, which is a quarter of their time.
 */
export function isolatedFiles(): string[] {
  const known = new Map<string, boolean>();
  const replaces = (file: string): boolean => {
    const answered = known.get(file);
    if (answered !== undefined) return answered;
    known.set(file, false);
    const text = readFileSync(file, 'utf8');
    const isReplacing = REPLACES.test(text) || fixturesOf(file, text).some(replaces);
    known.set(file, isReplacing);
    return isReplacing;
  };
  return globSync('test/**/*.test.ts', { cwd: PROJECT })
    .map(file => join(PROJECT, file))
    .filter(replaces)
    .map(file => relative(PROJECT, file));
}

/** What a test file imports from test/. */
function fixturesOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)]
    .map(([, from, imported]) => resolve(dirname(file), from ?? imported ?? ''))
    .filter(path => path.startsWith(join(PROJECT, 'test/')) && path.endsWith('.ts'));
}
