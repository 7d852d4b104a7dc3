import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Checks every import against the table "Import rules" of CONTRIBUTING.md, which is the only place that states them. */
const PROJECT = resolve(import.meta.dirname, '..');

const packageJsonOf = (folder: string) =>
  JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8'));

interface Import {
  readonly from: string;
  /** A path of the project, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

const STATEMENT =
  /^(?:import|export)\s+(?<type>type\s)?[^;'"]*?from '(?<from>[^']+)';|import\('(?<loaded>[^']+)'\)|^import '(?<only>[^']+)'/gm;

function importsOf(file: string): Import[] {
  return [...readFileSync(join(PROJECT, file), 'utf8').matchAll(STATEMENT)].map(({ groups = {} }) => {
    const name = groups.from ?? groups.loaded ?? groups.only ?? '';
    const to = name.startsWith('.') ? relative(PROJECT, resolve(PROJECT, dirname(file), name)) : name;
    return { from: file, to, isType: groups.type !== undefined };
  });
}

const FILES = globSync('{functions,shared,infra,test}/**/*.{ts,tsx,js}', { cwd: PROJECT }).filter(
  file => !/node_modules|infra\/client\/dist/.test(file),
);
const IMPORTS = new Map(FILES.map(file => [file, importsOf(file)]));

interface Rule {
  readonly of: string;
  readonly may: readonly string[];
  readonly not: readonly string[];
  /** Packages that a module imported from `shared` may not load, directly or through others. */
  readonly without: readonly string[];
}

/** The rows `folder | may import`: patterns in backticks, after the words "not" and "without" those that are forbidden. */
const RULES: Rule[] =
  readFileSync(join(PROJECT, '.github/CONTRIBUTING.md'), 'utf8')
    .split('\n## ')
    .find(section => section.startsWith('Import rules'))
    ?.split('\n')
    .flatMap(line => {
      const [, folders = '', targets = ''] = line.split('|');
      const [allowed = '', ...rest] = targets.split(/\b(?=not `|without `)/);
      const patterns = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern);
      const after = (word: string) => rest.filter(part => part.startsWith(word)).flatMap(patterns);
      return patterns(folders).map(of => ({
        of,
        may: patterns(allowed),
        not: after('not'),
        without: after('without'),
      }));
    }) ?? [];

const covers = (pattern: string, path: string) =>
  pattern.endsWith('/') ? path.startsWith(pattern) : matchesGlob(path, pattern);

/** What others may import of the package that is in the project: what its `exports` name. */
const LOCAL_AWS = 'infra/local/';
const ENTRY_POINTS = Object.values<string>(packageJsonOf(LOCAL_AWS).exports).map(path =>
  join(LOCAL_AWS, path),
);

const isInside = (path: string) =>
  path.startsWith(LOCAL_AWS) && !ENTRY_POINTS.some(pattern => matchesGlob(path, pattern));

function ruleFor(file: string): Rule | undefined {
  return RULES.filter(({ of }) => covers(of, file)).sort((a, b) => b.of.length - a.of.length)[0];
}

/** Whether a module loads the package at run time. */
function loads(module: string, packageName: string, seen = new Set<string>()): boolean {
  if (seen.has(module)) return false;
  seen.add(module);
  return (IMPORTS.get(module) ?? []).some(
    ({ to, isType }) => !isType && (to.startsWith(packageName) || loads(to, packageName, seen)),
  );
}

function faultOf({ from, to, isType }: Import): string | undefined {
  if (!FILES.includes(to)) return undefined;
  const rule = ruleFor(from);
  if (!rule) return `${from}: no row of the table covers it`;
  if (isInside(to) && !from.startsWith(LOCAL_AWS)) return `${from} imports ${to}, which is no entry point`;
  const isOwn = covers(rule.of, to);
  if (rule.not.some(pattern => covers(pattern, to))) return `${from} imports ${to}`;
  if (!isOwn && !rule.may.some(pattern => covers(pattern, to))) return `${from} imports ${to}`;
  const loaded =
    isType || !to.startsWith('shared/')
      ? undefined
      : rule.without.find(packageName => loads(to, packageName));
  return loaded && `${from} imports ${to}, which loads ${loaded}`;
}

/** The folders of a tree, and the files beside them, that import from each other in a circle. */
function circularFolders(tree: string): string[] {
  const folderOf = (path: string) => relative(tree, path).split('/')[0] ?? path;
  const left = new Map<string, Set<string>>();
  for (const file of FILES.filter(file => file.startsWith(`${tree}/`))) {
    const targets = IMPORTS.get(file)?.filter(({ to }) => to.startsWith(`${tree}/`)) ?? [];
    const known = left.get(folderOf(file)) ?? new Set();
    for (const { to } of targets) if (folderOf(to) !== folderOf(file)) known.add(folderOf(to));
    left.set(folderOf(file), known);
  }
  const isFree = (folder: string) => [...(left.get(folder) ?? [])].every(other => !left.has(other));
  for (let free = [...left.keys()].filter(isFree); free.length > 0; free = [...left.keys()].filter(isFree)) {
    for (const folder of free) left.delete(folder);
  }
  return [...left.keys()];
}

describe('import rules', () => {
  test('every import is allowed by the table in CONTRIBUTING', () => {
    expect(RULES.length).toBeGreaterThan(10);
    expect([...IMPORTS.values()].flat().flatMap(imported => faultOf(imported) ?? [])).toEqual([]);
  });

  test.each(['infra', 'infra/cli', 'infra/local', 'infra/operator', 'shared', 'shared/domains'])(
    'the folders of %s import in one direction only',
    tree => {
      expect(circularFolders(tree)).toEqual([]);
    },
  );

  test('functions and shared import zod/mini, which is a quarter of zod', () => {
    const bundled = [...IMPORTS.values()].flat().filter(({ from }) => /^(functions|shared)\//.test(from));
    expect(bundled.filter(({ to, isType }) => to === 'zod' && !isType)).toEqual([]);
  });

  test('what the product loads is installed without the development dependencies', () => {
    const [ofProject, ofLocalAws] = ['.', LOCAL_AWS].map(folder => packageJsonOf(folder).dependencies);
    const missing = [...IMPORTS.values()].flat().filter(({ from, to, isType }) => {
      if (isType || /(^|\/)test(ing)?\//.test(from) || FILES.includes(to) || /^node:|^#/.test(to))
        return false;
      const [packageName = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(to) ?? [];
      return !Object.hasOwn(from.startsWith(LOCAL_AWS) ? ofLocalAws : ofProject, packageName);
    });
    expect(missing).toEqual([]);
  });

  test('the client package has no dependencies', () => {
    const imported = FILES.filter(file => file.startsWith('infra/client/src/')).flatMap(importsOf);
    expect(imported.filter(({ to }) => !to.startsWith('infra/client/src/'))).toEqual([]);
  });
});
