import { type ChildProcess, execFileSync } from 'node:child_process';

/** The children of a process, and their children in any depth. */
export function descendantsOf(pid: number | undefined): number[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] =>
    processes.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}

/**
 * Stops a service as Ctrl-C does: the terminal sends the signal to every process, and npm passes it on besides. The two are
 * of different kinds here, since the system may deliver two of one kind as one.
 */
export function sendCtrlC(service: ChildProcess): void {
  service.kill('SIGINT');
  service.kill('SIGTERM');
}
