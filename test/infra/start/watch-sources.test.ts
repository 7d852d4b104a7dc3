import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, onTestFinished, test } from 'vitest';
import { client } from '../../service/http-client.ts';
import { projectCopy } from '../../service/project-copy.ts';
import { isOpen, startCommand, terminal } from './command.ts';

/** Replaces a file as many editors do: by moving a new one over it. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function expectAddresses(service: Record<string, unknown>): void {
  expect(Object.keys(service)).toEqual(['production', 'staging', 'awsEndpoint', 'dns', 'edge', 'dashboard']);
  const keyOf = (prefix: string) => expect.stringMatching(`^${prefix}[0-9A-Za-z]{34}$`);
  const urlOf = (stage: string) => expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/${stage}/v1$`);
  expect(service.production).toEqual({ url: urlOf('production'), apiKey: keyOf('pet_live_') });
  expect(service.staging).toEqual({ url: urlOf('staging'), apiKey: keyOf('pet_test_') });
  expect(service.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
}

test('--json prints one line and nothing else; --watch deploys a changed source; a broken one leaves the running version; SIGTERM stops it with exit code 0', async () => {
  const project = projectCopy();
  const flags = ['--memory', '--dynamodb', inject('dynamoDbEndpoint'), '--json', '--watch', '--port', '0'];
  const started = startCommand(flags, terminal(), project);
  const reports = createInterface({ input: started.stderr })[Symbol.asyncIterator]();
  const reported = async (beginning: string) => {
    for (let line = await reports.next(); !line.done; line = await reports.next()) {
      if (line.value.startsWith(beginning)) return;
    }
    throw new Error(`The command ended without saying: ${beginning}`);
  };
  const printed = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const { value: line = '' } = await printed.next();
  const service = JSON.parse(line);
  expectAddresses(service);
  const send = client(() => service.staging);
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
  const { production, awsEndpoint, dashboard } = service;
  for (const url of [production.url, awsEndpoint, dashboard]) expect(await isOpen(url), url).toBe(false);
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
