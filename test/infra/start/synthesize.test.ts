import { execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, inject, onTestFinished, test } from 'vitest';
import { SOURCES } from '../../../infra/start/synthesize.ts';
import { compileCacheOf, PROJECT, projectFolder } from '../../service/running-service.ts';
import { replaceFile } from './command.ts';

/** A copy of the project that is removed after the test. */
function projectCopy(): string {
  const folder = projectFolder(inject('assembly'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const SYNTHESIZE = `
  const { synthesize } = await import(process.argv[1]);
  await synthesize(console.error).then(console.log, ({ name, message }) => console.log(name + ': ' + message));
`;

/** What synthesize() of a project returns, or the name and message of its error. */
const synthesized = async (project: string) => (await runSynthesize(project)).stdout.trim();

async function runSynthesize(project: string) {
  const file = join(project, 'infra/start/synthesize.ts');
  const args = ['--input-type=module', '-e', SYNTHESIZE, file];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCacheOf(project),
    NODE_COMPILE_CACHE_PORTABLE: '1',
  };
  return promisify(execFile)(process.execPath, args, { env });
}

test('every file that the app is made of is a source of the assembly', async () => {
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: ['infra/app.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(file => !SOURCES.some(source => matchesGlob(file, source)))).toEqual([]);
});

const assembliesIn = (project: string) => readdirSync(join(project, '.cache/assemblies')).toSorted();

test('unchanged sources are not synthesized again, files outside of the stacks do not count, and what a killed process has left is removed', async () => {
  const project = projectCopy();
  appendFileSync(join(project, 'infra/start/start.ts'), '\nthis is not TypeScript');
  const first = await synthesized(project);
  const left = ['assemblies/0123456789abcdef', 'bundles/files'].map(name =>
    join(project, '.cache', `${name}.${2 ** 22 + 1}`),
  );
  for (const folder of left) mkdirSync(folder, { recursive: true });
  expect(await synthesized(project)).toBe(first);
  expect(left.filter(existsSync)).toEqual([]);
  // A developer may have changed sources since the run began; then there are two assemblies.
  expect(assembliesIn(project)).toContain(basename(first));
  expect(assembliesIn(project)).toContain(basename(inject('assembly')));
});

/** An app that writes an assembly at once: what is synthesized does not matter to the cache. */
const QUICK_APP = `node -e "fs.mkdirSync(process.env.CDK_OUTDIR); fs.writeFileSync(process.env.CDK_OUTDIR + '/manifest.json', '{}')"`;

test('a changed source is synthesized into another folder, with a message, and no unfinished folder is left', async () => {
  const project = projectCopy();
  writeFileSync(join(project, 'cdk.json'), JSON.stringify({ app: QUICK_APP }));
  const { stdout, stderr } = await runSynthesize(project);
  const before = stdout.trim();
  expect(stderr).toMatch(
    /^Bundling the functions and synthesizing the stacks(; the first time takes longest)? …\n$/,
  );
  expect((await runSynthesize(project)).stderr).toBe('');
  appendFileSync(join(project, 'functions/pets/list-pets.ts'), '\n// changed');
  const after = await synthesized(project);
  expect(after).not.toBe(before);
  expect(readdirSync(after)).toContain('manifest.json');
  expect(assembliesIn(project)).toEqual(expect.arrayContaining([basename(before), basename(after)]));
  expect(assembliesIn(project).filter(name => name.includes('.'))).toEqual([]);
});

/** The quick app, during which somebody saves a source, once. */
const SAVED_MEANWHILE = QUICK_APP.replace(
  /"$/,
  `; if (fs.existsSync('.save')) { fs.rmSync('.save'); fs.appendFileSync('functions/pets/list-pets.ts', '// saved') }"`,
);

test('an assembly is discarded if a source changed during synthesis', async () => {
  const project = projectCopy();
  const source = join(project, 'functions/pets/list-pets.ts');
  const text = readFileSync(source);
  writeFileSync(join(project, 'cdk.json'), JSON.stringify({ app: SAVED_MEANWHILE }));
  writeFileSync(join(project, '.save'), '');
  const mixed = await synthesized(project);
  expect(readdirSync(mixed)).toContain('manifest.json');
  expect(await synthesized(project)).not.toBe(mixed);
  writeFileSync(source, text);
  expect(await synthesized(project)).not.toBe(mixed);
});

// How npm start reports a broken function: test/service/outage-and-crash.test.ts.
test('a stack that is not TypeScript is a SynthesisError with the reason, and leaves no folder', async () => {
  const project = projectCopy();
  appendFileSync(join(project, 'infra/stack/pets.ts'), 'const table: = 1;');
  const assemblies = assembliesIn(project);
  const message = await synthesized(project);
  expect(message).toMatch(/^SynthesisError: The stack can't be synthesized:\n/);
  expect(message).toContain('pets.ts');
  expect(assembliesIn(project)).toEqual(assemblies);
});

/** Watches the sources of a copy of the project in a separate process, and prints a line at each change. */
const WATCH = `
  const { watchSources } = await import(process.argv[1]);
  watchSources(async () => console.log('changed'));
  console.log('watching');
`;

test('watchSources notices every way of saving a source, also in a new folder, and nothing else', async () => {
  const project = projectCopy();
  const module = join(project, 'infra/start/synthesize.ts');
  const watching = spawn(process.execPath, ['--input-type=module', '-e', WATCH, module]);
  onTestFinished(() => {
    watching.kill();
  });
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();
  const said = async () => (await lines.next()).value;
  expect(await said()).toBe('watching');
  const inFolder = join(project, 'functions/cats');
  const changes = [
    ...[
      'functions/pets/list-pets.ts',
      'shared/http/json.ts',
      'infra/openapi/pages.ts',
      'infra/app.ts',
    ].flatMap(path => [
      () => replaceFile(join(project, path), '// replaced'),
      () => writeFileSync(join(project, path), '// written'),
      () => replaceFile(join(project, path), '// replaced again'),
    ]),
    () => mkdirSync(inFolder),
    () => writeFileSync(join(inFolder, 'create-cat.ts'), '// new'),
    () => writeFileSync(join(inFolder, 'create-cat.ts'), '// written'),
    () => renameSync(inFolder, join(project, '.cats')),
  ];
  for (const change of changes) {
    change();
    expect(await said(), String(change)).toBe('changed');
  }

  for (const path of ['infra/settings/staging.json', 'shared/domains/guide.md']) {
    writeFileSync(join(project, path), 'no source');
  }
  await sleep(500);
  watching.kill();
  expect(await said()).toBeUndefined();
});
