import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFunctions } from '../../../infra/stack/function-bundles.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'functions/pets/list-pets.ts': `import { LIMIT } from "../../shared/limit.ts"; export const handler = () => LIMIT;`,
  'functions/pets/feed-pets.ts': `import { told } from 'words'; export const handler = () => told();`,
  'shared/limit.ts': 'export const LIMIT = 100;',
  'shared/aws/lean/sha256.ts': `export const hash = 'ours';`,
  'shared/aws/lean/substitutes.json': '{ "@smithy/core/checksum": "./shared/aws/lean/sha256.ts" }',
  'node_modules/words/package.json': '{ "name": "words", "main": "index.js" }',
  'shared/aws/lean/checksum.ts': `export const hash = 'by another name';`,
  'node_modules/words/index.js': `import { hash } from '@smithy/core/checksum'; export const told = () => hash;`,
};

const LIST_PETS = 'pets/list-pets';
const FEED_PETS = 'pets/feed-pets';

/** A project with two functions, bundled once. One depends on a file of the project through a package. */
function bundledProject() {
  const project = mkdtempSync(join(tmpdir(), 'petstore-bundles-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), content);
  };
  for (const [file, content] of Object.entries(FILES)) write(file, content);
  const folder = (name: string) => join(project, 'bundles', name);
  const bundle = (name: string, earlier?: string) =>
    bundleFunctions(project, folder(name), earlier && folder(earlier)).toSorted();
  expect(bundle('first')).toEqual([FEED_PETS, LIST_PETS]);
  return {
    write,
    remove: (file: string) => rmSync(join(project, file)),
    bundle,
    /** The code of a function in a folder of bundles. */
    code: (name: string, path: string) => readFileSync(join(folder(name), path, 'index.cjs'), 'utf8'),
  };
}

test.each([
  ['the function itself', 'functions/pets/list-pets.ts', 'export const handler = () => 7;', [LIST_PETS]],
  ['a constant that another file inlines', 'shared/limit.ts', 'export const LIMIT = 50;', [LIST_PETS]],
  [
    'a substitute for a part of a package',
    'shared/aws/lean/sha256.ts',
    `export const hash = 'new';`,
    [FEED_PETS],
  ],
  [
    'the list of substitutes',
    'shared/aws/lean/substitutes.json',
    '{ "@smithy/core": "./shared/aws/lean" }',
    [FEED_PETS, LIST_PETS],
  ],
  ['the packages', 'package-lock.json', '{ "changed": true }', [FEED_PETS, LIST_PETS]],
  ['the compiler options', 'tsconfig.json', '{ "compilerOptions": {} }', [FEED_PETS, LIST_PETS]],
  ['a file of no function', 'shared/unused.ts', 'export {};', []],
])(
  'after a change of %s, bundles the functions that depend on it and copies the others',
  (_, file, content, expected) => {
    const { write, bundle, code } = bundledProject();
    write(file, content);
    expect(bundle('second', 'first')).toEqual(expected);
    bundle('from nothing');
    for (const path of [LIST_PETS, FEED_PETS]) {
      expect(code('second', path), path).toBe(code('from nothing', path));
    }
  },
);

test('copies a bundle that was copied itself', () => {
  const { write, bundle, code } = bundledProject();
  write('shared/limit.ts', 'export const LIMIT = 50;');
  bundle('second', 'first');
  write('shared/limit.ts', 'export const LIMIT = 51;');
  expect(bundle('third', 'second')).toEqual([LIST_PETS]);
  expect(code('third', FEED_PETS)).toBe(code('first', FEED_PETS));
  expect(code('third', LIST_PETS)).toContain('51');
});

test('bundles a new function, and leaves out one that is gone', () => {
  const { write, remove, bundle, code } = bundledProject();
  write('functions/pets/create-pet.ts', 'export const handler = () => 201;');
  remove('functions/pets/feed-pets.ts');
  expect(bundle('second', 'first')).toEqual(['pets/create-pet']);
  expect(code('second', 'pets/create-pet')).toContain('201');
  expect(() => code('second', FEED_PETS)).toThrow('ENOENT');
});
