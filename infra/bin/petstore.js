#!/usr/bin/env node
// JavaScript, not TypeScript: it also runs on versions of Node.js that cannot strip types.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
// The Node.js 24 that `npm ci` installs.
const ownNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

if (Number(major) < 24 && existsSync(ownNode) && realpathSync(ownNode) !== realpathSync(process.execPath)) {
  // Ctrl-C reaches both processes: the child handles it, and this one waits for the child.
  process.on('SIGINT', () => {});
  const { status, signal } = spawnSync(ownNode, process.argv.slice(1), { stdio: 'inherit' });
  // The convention of shells for a process that a signal ended: 128 plus the number of the signal.
  process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
} else {
  await import('../start/require-node-24.js');
  const { runPetstore } = await import('./petstore.ts');
  await runPetstore();
}
