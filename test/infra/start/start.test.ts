import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../infra/local/processes.ts';
import { HELP } from '../../../infra/start/options.ts';
import { NPM_START, PROJECT } from '../../service/running-service.ts';
import { outcomeOf, startCommand, terminal } from './command.ts';

/** The children of a process, and their children in any depth. */
function descendantsOf(pid: number | undefined): number[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const children = processes.filter(([, ppid]) => ppid === pid).map(([child = 0]) => child);
  return [...children, ...children.flatMap(descendantsOf)];
}

async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('--help prints every option on standard output', async () => {
  expect(await outcomeOf(startCommand(['--help']))).toEqual({ output: HELP, complaints: '', exitCode: 0 });
  for (const flag of ['--port', '--memory', '--json', '--watch', '--dynamodb']) expect(HELP).toContain(flag);
});

test('a mistake in the options ends with one line that names it and exit code 2', async () => {
  const { output, complaints, exitCode } = await outcomeOf(startCommand(['--port', 'http']));
  expect([output, exitCode]).toEqual(['', 2]);
  expect(complaints).toBe('--port must be a number from 0 to 65535, not "http".\n');
});

test('a port in use ends with one clear line and exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const flags = ['--memory', '--dynamodb', inject('dynamoDbEndpoint')];
  const started = startCommand([...flags, '--port', String(port)]);
  const { output, complaints, exitCode } = await outcomeOf(started);
  expect([output, exitCode]).toEqual(['', 1]);
  expect(complaints.trim().split('\n').slice(1)).toEqual([
    `Port ${port} is in use: choose another with --port.`,
  ]);
});

test('a machine without Java gets one line that says what to install or to use instead, and exit code 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const command of ['sh', 'kill']) {
    const [path = ''] = execFileSync(
      '/bin/sh',
      ['-c', `command -v -p ${command} | grep / || echo /bin/${command}`],
      {
        encoding: 'utf8',
      },
    ).split('\n');
    symlinkSync(path, join(folder, command));
  }
  const { JAVA_HOME, ...withoutJava } = terminal({ PATH: folder });
  const started = startCommand(['--memory', '--port', '0'], withoutJava);
  const { output, complaints, exitCode } = await outcomeOf(started);
  expect([output, exitCode]).toEqual(['', 1]);
  const [, ...lines] = complaints.trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(/Java 17.*install.*--dynamodb/)]);
});

test('--json prints one line and nothing else; SIGTERM stops all processes with exit code 0', async () => {
  const started = startCommand(['--memory', '--json', '--port', '0']);
  const outcome = outcomeOf(started);
  const [line] = await once(createInterface({ input: started.stdout }), 'line');
  const { production, staging, awsEndpoint, dashboard } = JSON.parse(line);
  const below = descendantsOf(started.pid);
  expect(below).not.toEqual([]);
  started.kill('SIGTERM');
  const { output, exitCode } = await outcome;

  expect([output, exitCode]).toEqual([`${line}\n`, 0]);
  expect(Object.keys(JSON.parse(line))).toEqual([
    'production',
    'staging',
    'awsEndpoint',
    'dns',
    'edge',
    'dashboard',
  ]);
  const keyOf = (prefix: string) => expect.stringMatching(`^${prefix}[0-9A-Za-z]{34}$`);
  const urlOf = (stage: string) => expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/${stage}/v1$`);
  expect(production).toEqual({ url: urlOf('production'), apiKey: keyOf('pet_live_') });
  expect(staging).toEqual({ url: urlOf('staging'), apiKey: keyOf('pet_test_') });
  expect(dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  for (const url of [production.url, awsEndpoint, dashboard]) expect(await isOpen(url), url).toBe(false);
  expect(below.filter(isRunning)).toEqual([]);
});

test('the curl line of the banner works as it is; Ctrl-C stops all processes with exit code 0', async () => {
  const started = startCommand(['--memory', '--port', '0']);
  let text = '';
  for await (const line of createInterface({ input: started.stdout })) {
    text += `${line}\n`;
    if (line.includes('Ctrl-C')) break;
  }
  const [curl = ''] = /^ +curl .*$/m.exec(text) ?? [];
  const { stdout: answer } = await promisify(execFile)('sh', ['-c', `${curl.trim()} -s`]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\n\r\n\[\]$/);
  expect(text).toContain('in memory');

  const below = descendantsOf(started.pid);
  started.kill('SIGINT');
  expect(await once(started, 'exit')).toEqual([0, null]);
  expect(below.filter(isRunning)).toEqual([]);
});

/** Runs the command as its child, as npm does, and passes on no signal when it is killed. */
const NPM = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(child.pid);
`;

test.each(['ready', 'starting'])('SIGKILL of npm while the service is %s leaves no process', async phase => {
  const command = [...NPM_START, '--memory', '--json', '--port', '0'];
  const npm = spawn(process.execPath, ['-e', NPM, ...command], {
    cwd: PROJECT,
    env: terminal({ npm_lifecycle_event: 'start' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  if (phase === 'ready') await lines.next();
  else await once(npm.stderr, 'data');
  const below = [pid, ...descendantsOf(pid)];
  npm.kill('SIGKILL');
  await expect.poll(() => below.filter(isRunning), { timeout: 60_000 }).toEqual([]);
});
