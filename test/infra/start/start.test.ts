import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { descendantsOf, isRunning } from '../../../infra/local/processes.ts';
import { temporaryFolder } from '../../../infra/local/testing/temporary-folder.ts';
import { HELP } from '../../../infra/start/options.ts';
import { DataFormatError, requireDataFormat } from '../../../infra/start/start-service.ts';
import { sendCtrlC } from '../../service/running-service.ts';
import { expectNothingLeftBy, outcomeOf, startCommand, terminal } from './command.ts';

test('--help prints the help on standard output', async () => {
  expect(await outcomeOf(startCommand(['--help']))).toEqual({ output: HELP, complaints: '', exitCode: 0 });
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
  const last = complaints.split('\n').findLast(line => line !== '' && !line.endsWith(' …'));
  expect(last).toBe(`Port ${port} is in use: choose another with --port.`);
});

test('DynamoDB Local without Java gets one line that says what to install or to use instead, and exit code 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const command of ['sh', 'kill']) {
    const search = `command -v -p ${command} | grep / || echo /bin/${command}`;
    const [path = ''] = execFileSync('/bin/sh', ['-c', search], { encoding: 'utf8' }).split('\n');
    symlinkSync(path, join(folder, command));
  }
  const { JAVA_HOME, ...withoutJava } = terminal({ PATH: folder });
  const flags = ['--memory', '--port', '0', '--engine', 'dynamodb-local'];
  const started = startCommand(flags, { environment: withoutJava });
  const { output, complaints, exitCode } = await outcomeOf(started);
  expect([output, exitCode]).toEqual(['', 1]);
  const [, ...lines] = complaints.trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(/Java 17.*install.*--dynamodb/)]);
});

/** Waits until a service that is being started has started its engine: its shell, the engine and the watchdog. */
async function untilEngineStarts(service: ChildProcess, ownProcesses: number): Promise<void> {
  await expect
    .poll(() => descendantsOf(service.pid).length, { interval: 10 })
    .toBeGreaterThanOrEqual(ownProcesses + 3);
}

test('Ctrl-C while the service is starting stops all processes with exit code 0, and nothing is printed', async () => {
  const started = startCommand(['--memory', '--port', '0']);
  const outcome = outcomeOf(started);
  await untilEngineStarts(started, 0);
  const below = descendantsOf(started.pid);
  sendCtrlC(started);
  expect(await outcome).toMatchObject({ output: '', exitCode: 0 });
  expect((await outcome).complaints.trim().split('\n')).toHaveLength(1);
  expect(below.filter(isRunning)).toEqual([]);
});

test('SIGKILL of npm while the service is starting leaves no process', async () => {
  const npm = startCommand(['--memory', '--port', '0'], { isUnderNpm: true });
  await untilEngineStarts(npm, 1);
  await expectNothingLeftBy(npm);
});

test('a new data folder is marked, and accepted from then on', () => {
  const folder = join(temporaryFolder(), '.local');
  requireDataFormat(folder);
  mkdirSync(join(folder, 'dynamodb'));
  requireDataFormat(folder);
  expect(readFileSync(join(folder, 'data-format'), 'utf8')).toBe('5');
});

test.each([
  ['without a mark', undefined, 'unknown'],
  ['of another format', '3', '3'],
])(
  'a data folder %s is refused with the command that starts a new one, and left as it is',
  (_, format, named) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'dynamodb'));
    if (format) writeFileSync(join(folder, 'data-format'), format);
    const before = readdirSync(folder, { recursive: true });
    expect(() => requireDataFormat(folder)).toThrow(DataFormatError);
    expect(() => requireDataFormat(folder)).toThrow(
      `Start a new folder: mv '${folder}' '${folder}-${named}'. Or use --memory.`,
    );
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  },
);
