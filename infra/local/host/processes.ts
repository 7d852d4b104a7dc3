import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process with this id is running, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // A zombie has ended, but its parent has not asked for its exit code. In a container that may never happen.
  return statOf(pid)[0] !== 'Z';
}

/**
 * The start time of a process in the system's units, which distinguishes it from a later process with the same id;
 * undefined on systems without /proc.
 */
export function startTimeOf(pid: number): string | undefined {
  return statOf(pid)[19];
}

/** The fields of proc(5) stat from the state on, which is field 3; none on systems without /proc. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the name in parentheses, which may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The command line of a process, or an empty string when it is not running. */
export function commandLineOf(pid: number): string {
  try {
    return existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
