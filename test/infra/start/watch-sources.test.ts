import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { projectCopy } from '../../service/project-copy.ts';
import { replaceFile } from './replace-file.ts';

/** Watches the sources of a copy of the project in a separate process, and prints a line at each change. */
const WATCH = `
  const { watchSources } = await import(process.argv[1]);
  watchSources(async () => console.log('changed'));
  console.log('watching');
`;

test('a file is watched however it is saved, also in a folder that is created later', async () => {
  const project = projectCopy();
  const module = join(project, 'infra/start/watch-sources.ts');
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
    () => rmSync(inFolder, { recursive: true }),
  ];
  for (const change of changes) {
    change();
    expect(await said(), String(change)).toBe('changed');
  }
});
