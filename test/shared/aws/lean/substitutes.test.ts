import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { bundleFunctions } from '../../../../infra/stack/function-bundles.ts';
import { invoke, jsonBody, proxyEvent } from '../../../functions/proxy-event.ts';
import { tableLike } from '../../../setup/stack-tables.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const LEAN = 'shared/aws/lean';
const SUBSTITUTES: Record<string, string> = JSON.parse(
  readFileSync(join(PROJECT, LEAN, 'substitutes.json'), 'utf8'),
);

const folder = mkdtempSync(join(tmpdir(), 'petstore-lean-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Bundles two functions of a copy of the project, with the folder or without. */
function bundled(name: string, hasLean: boolean) {
  const project = join(folder, name);
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'shared'];
  for (const path of [...copied, 'functions/pets/create-pet.ts', 'functions/pets/list-pets.ts']) {
    const filter = (source: string) => hasLean || source !== join(PROJECT, LEAN);
    cpSync(join(PROJECT, path), join(project, path), { recursive: true, filter });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  const bundles = join(project, 'bundles');
  bundleFunctions(project, bundles);
  const { functions } = JSON.parse(readFileSync(join(bundles, 'origins.json'), 'utf8'));
  const fileOf = (path: string) => join(bundles, path, 'index.cjs');
  return {
    bytes: readFileSync(fileOf('pets/create-pet')).length,
    /** The files of the folder that the bundle of createPet was made of. */
    leanFiles: Object.keys(functions['pets/create-pet']).filter(file => file.startsWith(LEAN)),
    handlerOf: (path: string) => createRequire(import.meta.url)(fileOf(path)).handler,
  };
}

const lean = bundled('lean', true);
const plain = bundled('plain', false);

describe.each([
  ['with the folder', lean],
  ['without the folder', plain],
])('a bundle %s', (_, { handlerOf }) => {
  test('creates and lists a pet', async () => {
    vi.stubEnv('PETS_TABLE', await tableLike('PetsTable'));
    vi.stubEnv('IDEMPOTENCY_KEYS_TABLE', await tableLike('PetsCreations'));
    vi.stubEnv('PET_SHARDS', '1');
    vi.stubEnv('CURSOR_SECRET', 'a secret of the test');
    const rex = { name: 'Rex', categoryId: 1n, status: 'available' };
    const create = handlerOf('pets/create-pet');
    const request = jsonBody('{ "name": "Rex", "categoryId": 1 }');
    const once = proxyEvent({ ...request, headers: { ...request.headers, 'Idempotency-Key': 'once' } });
    const created = await invoke(create, once);
    expect(created).toMatchObject({ status: 201, body: rex });
    const replayed = await invoke(create, once);
    expect(replayed).toMatchObject({ status: 201, body: created.body });
    const list = await invoke(handlerOf('pets/list-pets'), proxyEvent());
    expect(list).toMatchObject({ status: 200, body: [created.body] });
  });
});

test('every substitute is in a bundle: the SDK still imports what it replaces', () => {
  const expected = Object.values(SUBSTITUTES).map(path => path.replace('./', ''));
  expect(lean.leanFiles.toSorted()).toEqual(expected.toSorted());
});

test('a bundle without the folder has no substitute, and at least half as many bytes more', () => {
  expect(plain.leanFiles).toEqual([]);
  expect(plain.bytes).toBeGreaterThan(1.5 * lean.bytes);
});
