import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

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

/** The children of a process, and their children in any depth. */
export function descendantsOf(pid: number | undefined): number[] {
  const processes = parents();
  const below = (parent: number | undefined): number[] =>
    processes.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Every process with the one that started it. */
function parents(): [pid: number, parent: number][] {
  const listed = hasProc()
    ? idsIn('/proc').map(pid => [pid, statOf(pid)[1]])
    : ps('-A', '-o', 'pid=,ppid=').map(line => line.split(/\s+/));
  return listed.map(([pid, parent]) => [Number(pid), Number(parent)]);
}

/** Whether a signal has suspended all threads of a process: the system stops them one by one. */
export function isSuspended(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  const states = hasProc()
    ? idsIn(threads).map(thread => statOf(thread, threads)[0])
    : ps('-o', 'stat=', '-p', String(pid)).map(([state]) => state);
  return states.length > 0 && states.every(state => state === 'T');
}

/** The fields of proc(5) stat from the state on, which is field 3; none on systems without /proc. */
function statOf(pid: number, folder = '/proc'): string[] {
  try {
    const stat = readFileSync(`${folder}/${pid}/stat`, 'utf8');
    // Field 2 is the name in parentheses, which may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The command line of a process, or an empty string when it is not running. */
export function commandLineOf(pid: number): string {
  if (!hasProc()) return ps('-o', 'command=', '-p', String(pid)).join();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function hasProc(): boolean {
  return existsSync('/proc/self/stat');
}

/** The names of a folder of /proc that are ids. */
function idsIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The lines of ps(1), where there is no /proc, as on macOS; none when no process is meant. */
function ps(...options: string[]): string[] {
  try {
    const listing = execFileSync('ps', options, { encoding: 'utf8' }).trim();
    return listing.split('\n').map(line => line.trim());
  } catch {
    return [];
  }
}
