import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { client } from '../../service/http-client.ts';
import { projectCopy } from '../../service/project-copy.ts';
import { isOpen, startCommand, terminal } from './command.ts';

/** Replaces a file as many editors do: by moving a new one over it. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

test('the curl line of the banner works as it is; --watch deploys a changed source; a broken one leaves the running version; SIGTERM stops it with exit code 0', async () => {
  const project = projectCopy();
  const flags = ['--memory', '--dynamodb', inject('dynamoDbEndpoint'), '--watch', '--port', '0'];
  const started = startCommand(flags, terminal(), project);
  const reports = createInterface({ input: started.stderr })[Symbol.asyncIterator]();
  const reported = async (beginning: string) => {
    for (let line = await reports.next(); !line.done; line = await reports.next()) {
      if (line.value.startsWith(beginning)) return;
    }
    throw new Error(`The command ended without saying: ${beginning}`);
  };
  const printed = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  let banner = '';
  for (let line = await printed.next(); !line.done; line = await printed.next()) {
    banner += `${line.value}\n`;
    if (line.value.includes('Ctrl-C')) break;
  }
  expect(banner).toContain('in memory');
  const [curl = '', apiKey = '', url = ''] = /curl .* Bearer (\S+)' (\S+)\/pets$/m.exec(banner) ?? [];
  // No other file adds animals to the tables of production on the engine of the run.
  const { stdout: answer } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\n\r\n\[\]$/);
  const send = client(() => ({ url, apiKey }));
  const message = async () => (await send('GET /pets/1')).json<{ message: string }>().message;
  const file = join(project, 'functions/pets/get-pet.ts');
  const source = readFileSync(file, 'utf8');

  replaceFile(file, source.replace('PET_NOT_FOUND)', "'Changed while running.')"));
  await reported('Deployed the change');
  expect(await message()).toBe('Changed while running.');

  writeFileSync(file, `${source}\nconst pet = ;\n`);
  await reported('The change was not deployed');
  expect(await message()).toBe('Changed while running.');

  replaceFile(file, source);
  await reported('Deployed the change');
  expect(await message()).toBe('There is no animal with this id.');

  started.kill('SIGTERM');
  expect(await once(started, 'exit')).toEqual([0, null]);
  expect((await printed.next()).done).toBe(true);
  const addresses = banner.match(/http:\S+/g) ?? [];
  expect(addresses.length).toBeGreaterThan(3);
  for (const address of addresses) expect(await isOpen(address), address).toBe(false);
});

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
    ...['functions/pets/get-pet.ts', 'shared/http/json.ts', 'infra/openapi/tags.ts', 'infra/app.ts'].flatMap(
      path => [
        () => replaceFile(join(project, path), '// replaced'),
        () => writeFileSync(join(project, path), '// written'),
        () => replaceFile(join(project, path), '// replaced again'),
      ],
    ),
    () => mkdirSync(inFolder),
    () => writeFileSync(join(inFolder, 'create-cat.ts'), '// new'),
    () => rmSync(inFolder, { recursive: true }),
  ];
  for (const change of changes) {
    change();
    expect(await said(), String(change)).toBe('changed');
  }
});
