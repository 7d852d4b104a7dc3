import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { HELP } from '../../../infra/start/options.ts';
import { AS_NPM_DOES, NPM_START, PROJECT } from '../../service/running-service.ts';
import { expectNothingLeftBy, outcomeOf, startCommand, terminal } from './command.ts';

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

/** Starts a service as npm does, on the engine of the run: no other file adds animals to its tables there. */
function startUnderNpm() {
  const flags = ['--memory', '--port', '0', '--dynamodb', inject('dynamoDbEndpoint')];
  const npm = spawn(process.execPath, [...AS_NPM_DOES, ...NPM_START, ...flags], {
    cwd: PROJECT,
    env: terminal(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    npm.kill('SIGKILL');
  });
  return npm;
}

test('the curl line of the banner works as it is; SIGKILL of npm then leaves no process', async () => {
  const npm = startUnderNpm();
  const lines = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
  let text = '';
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    text += `${line.value}\n`;
    if (line.value.includes('Ctrl-C')) break;
  }
  const [curl = ''] = /^ +curl .*$/m.exec(text) ?? [];
  const { stdout: answer } = await promisify(execFile)('sh', ['-c', `${curl.trim()} -s`]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\n\r\n\[\]$/);
  expect(text).toContain('in memory');
  await expectNothingLeftBy(npm);
  expect((await lines.next()).done).toBe(true);
});

test('SIGKILL of npm while the service is starting leaves no process', async () => {
  const npm = startUnderNpm();
  await once(npm.stderr, 'data');
  await expectNothingLeftBy(npm);
});
