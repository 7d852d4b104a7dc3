import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descendantsOf } from '../../infra/local/processes.ts';

/** Longer than a service takes to stop, which writes to the folder until then. */
const REMOVAL_DELAY_S = 10;

/** Waits for the end of a pipe that only the process of the run holds open; the signals that end that mean nothing to it. */
const REMOVE_LEFT_FOLDER = `trap '' HUP INT TERM; read -r _; [ ! -e "$1" ] || { sleep ${REMOVAL_DELAY_S}; rm -rf "$1"; }`;

/**
 * Gives all processes of a run one folder for temporary files. It is removed when the run ends, whatever ends it. What a
 * worker has not removed by then would stay: Vitest kills its workers, which therefore run no code at their exit.
 */
export function useTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-run-'));
  process.env.TMPDIR = folder;
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Something still writes to it: the process below removes it.
    }
  });
  const remover = spawn('/bin/sh', ['-c', REMOVE_LEFT_FOLDER, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // npm test would not return before it ends, if it held the terminal.
    detached: true,
  });
  remover.unref();
  (remover.stdin as unknown as NodeJS.ReadStream).unref();
}

const PARENT_CHECK_MS = 100;

/** Ends a run and all its processes on a signal, and when its npm is gone: after SIGKILL, npm can't forward a signal. */
export function endOnSignal(): void {
  // Vitest handles the first signal only, and every Ctrl-C is two: npm forwards it as well.
  for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => endWithDescendants(() => process.exit(128 + number)));
  }
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) endWithDescendants(() => process.exit(1));
  }, PARENT_CHECK_MS).unref();
}

/** Ends the process of a test file as soon as the run is gone, even amid a test. */
export function endWithRun(): void {
  // Vitest forbids its workers process.exit().
  process.once('disconnect', () => endWithDescendants(() => process.kill(process.pid, 'SIGKILL')));
}

/** Commands and browsers that tests start don't notice by themselves that the test is gone. */
function endWithDescendants(end: () => void): void {
  for (const pid of descendantsOf(process.pid)) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended in the meantime.
    }
  }
  end();
}
