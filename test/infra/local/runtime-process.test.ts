import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';
import { writeZooAssembly } from './zoo-assembly.ts';

const RUN_RUNTIME = new URL('./run-runtime.ts', import.meta.url);

/** The next message of the process that has this field. */
async function messageOf(child: ChildProcess, name: 'awsEndpoint' | 'line'): Promise<string> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) {
    if (name in message) return message[name];
  }
  throw new Error(`The process ended without its ${name}.`);
}

test('the death of the engine is reported, and the process still stops by itself', async () => {
  const dataFolder = temporaryFolder();
  const child = fork(RUN_RUNTIME, [writeZooAssembly(temporaryFolder()), dataFolder], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await messageOf(child, 'awsEndpoint');
  const reported = messageOf(child, 'line');
  process.kill(Number(readFileSync(join(dataFolder, 'dynamodb/engine.pid'), 'utf8')), 'SIGKILL');
  expect(await reported).toBe('DynamoDB Local stopped: start again.');
  child.kill('SIGTERM');
  // The process exits by itself: nothing that was started keeps it alive.
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
});
