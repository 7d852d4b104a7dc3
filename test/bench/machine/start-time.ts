import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROJECT = resolve(import.meta.dirname, '../../..');

/**
 * Measures the seconds from `npm start`, with its own DynamoDB Local, to the first answered request. The stacks are
 * already synthesized, as after any start without changes since.
 */
export async function measureStartSeconds(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--memory', '--json'], {
    cwd: PROJECT,
    // npm describes the command line of the benchmark in these variables, which must not reach the service.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{')) continue;
      const { url, apiKey } = JSON.parse(line).production;
      const answer = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } });
      await answer.text();
      if (!answer.ok) throw new Error(`The first request was answered with ${answer.status}.`);
      return (performance.now() - startedAt) / 1000;
    }
    throw new Error('npm start ended before it was ready.');
  } finally {
    // Not every version of npm forwards signals, so the signal goes to the whole process group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
}
