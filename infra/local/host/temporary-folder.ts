import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, startTimeOf } from '../processes.ts';

/** The name says whose folder it is: process id and start time, which is 0 on systems that do not tell it. */
const NAME = /^local-runtime-(\d+)-(\d+)-/;

/** Creates a temporary folder of this process. */
export function temporaryFolder(): string {
  removeLeftFolders();
  return mkdtempSync(join(tmpdir(), `local-runtime-${process.pid}-${startOf(process.pid)}-`));
}

/** Removes the temporary folders that ended processes of this user have left behind: after SIGKILL they could not. */
export function removeLeftFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || (isRunning(Number(pid)) && start === startOf(Number(pid)))) continue;
    const folder = join(tmpdir(), name);
    // Another process may have removed it since.
    const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid;
    if (owner === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
  }
}

function startOf(pid: number): string {
  return startTimeOf(pid) ?? '0';
}
