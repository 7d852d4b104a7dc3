import { execFileSync } from 'node:child_process';

/** The children of a process, and their children in any depth. */
export function descendantsOf(pid: number | undefined): number[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] => {
    const children = processes.filter(([, ppid]) => ppid === parent).map(([child = 0]) => child);
    return [...children, ...children.flatMap(below)];
  };
  return below(pid);
}
