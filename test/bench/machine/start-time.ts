import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROJECT = resolve(import.meta.dirname, '../../..');

/**
 * Seconds from `npm start`, by npm itself and with its own DynamoDB, to the first answered request. The stacks are
 * synthesized already, as they are for everyone who changed nothing since the last start.
 */
export async function measureStartSeconds(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--memory', '--json'], {
    cwd: PROJECT,
    // What npm tells the bench of its own command line is not for the service.
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
    // npm passes a signal on, but not in every version: the whole group is told.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
}
