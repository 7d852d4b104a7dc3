import { execFileSync } from 'node:child_process';
import { expect, vi } from 'vitest';
import type { RunningService } from './running-service.ts';
import { descendantsOf } from './running-service.ts';

/** DynamoDB Local runs under a supervisor of the service. */
function enginePid(service: RunningService): number {
  const below = descendantsOf(service.process.pid).join();
  const listing = execFileSync('ps', ['-o', 'pid=,comm=', '-p', below], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/));
  const [pid] = processes.find(([, command]) => command?.endsWith('java')) ?? [];
  return Number(pid);
}

/** SIGSTOP suspends the threads of a process one by one; on a busy machine some still answer for a while. */
function statesOfThreads(pid: number): Set<string | undefined> {
  const listing = execFileSync('ps', ['-L', '-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return new Set(
    listing
      .trim()
      .split('\n')
      .map(state => state[0]),
  );
}

/** Suspends DynamoDB Local while `act` runs, and returns what that returns. */
export async function duringOutage<Outcome>(
  service: RunningService,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const engine = enginePid(service);
  process.kill(engine, 'SIGSTOP');
  try {
    await vi.waitFor(() => expect(statesOfThreads(engine)).toEqual(new Set(['T'])), { timeout: 60_000 });
    return await act();
  } finally {
    process.kill(engine, 'SIGCONT');
  }
}
