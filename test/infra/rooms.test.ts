import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');
const IMPORTED = /from '(\.[^']+)'|import\('(\.[^']+)'\)/g;

/** The folders of a tree with those that their files import from; `.` are the files beside the folders. */
function importedFolders(tree: string): Map<string, Set<string>> {
  const folderOf = (file: string) => dirname(file).split('/')[0] ?? '.';
  const imported = new Map<string, Set<string>>();
  for (const file of globSync('**/*.ts', { cwd: join(PROJECT, tree) })) {
    const folder = folderOf(file);
    const known = imported.get(folder) ?? new Set();
    imported.set(folder, known);
    for (const [, from, loaded] of readFileSync(join(PROJECT, tree, file), 'utf8').matchAll(IMPORTED)) {
      const target = join(dirname(file), from ?? loaded ?? '');
      if (!target.startsWith('..') && folderOf(target) !== folder) known.add(folderOf(target));
    }
  }
  return imported;
}

test.each(['shared/domains', 'infra/local'])(
  'the folders of %s import from each other in one direction only',
  tree => {
    const left = importedFolders(tree);
    expect(left.size).toBeGreaterThan(5);
    const isFree = (folder: string) => [...(left.get(folder) ?? [])].every(other => !left.has(other));
    for (
      let free = [...left.keys()].filter(isFree);
      free.length > 0;
      free = [...left.keys()].filter(isFree)
    ) {
      for (const folder of free) left.delete(folder);
    }
    expect([...left.keys()]).toEqual([]);
  },
);
