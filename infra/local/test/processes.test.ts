import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandLineOf, isRunning, startTimeOf } from '../processes.ts';
import { needs } from '../testing/needs.ts';

/** Starts a process that never asks for the exit codes of its children, and returns the id of a child that has ended. */
async function zombie(): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 600'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const pid = Number(line);
  // The shell would ask for the exit code of a child that ends before the shell has become another program.
  await expect.poll(() => commandLineOf(parent.pid ?? 0)).toMatch(/^sleep/);
  parent.stdin.end();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
  return pid;
}

describe('a process is running', () => {
  test('while it runs, also one of another user', () => {
    expect(isRunning(process.pid)).toBe(true);
    expect(isRunning(1)).toBe(true);
  });

  test('no longer when it has ended', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(isRunning(child.pid ?? 0)).toBe(false);
  });

  test(
    'no longer when its parent has not noticed its end',
    needs('/proc', existsSync('/proc/self')),
    async () => {
      const pid = await zombie();
      expect(startTimeOf(pid)).toMatch(/^\d+$/);
      expect(isRunning(pid)).toBe(false);
    },
  );
});
