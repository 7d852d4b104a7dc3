#!/usr/bin/env node
// JavaScript, not TypeScript: it also runs on versions of Node.js that cannot strip types.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
// The Node.js 24 that `npm ci` installs.
const ownNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

if (Number(major) < 24 && existsSync(ownNode) && realpathSync(ownNode) !== realpathSync(process.execPath)) {
  const child = spawn(ownNode, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches both processes: the child handles it, and this one waits for the child. Other signals reach this one.
  process.on('SIGINT', () => {});
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  const [status, signal] = await once(child, 'exit');
  // The convention of shells for a process that a signal ended: 128 plus the number of the signal.
  process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
} else {
  await import('../start/require-node-24.js');
  const { runPetstore } = await import('./petstore.ts');
  await runPetstore();
}
