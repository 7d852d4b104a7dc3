#!/usr/bin/env node
// JavaScript, not TypeScript: it must also run on versions of Node.js that cannot read the rest.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
// The Node.js 24 that `npm ci` brings along.
const ownNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

if (Number(major) < 24 && existsSync(ownNode) && realpathSync(ownNode) !== realpathSync(process.execPath)) {
  // Ctrl-C reaches both processes; only the other one knows how to end.
  process.on('SIGINT', () => {});
  const { status, signal } = spawnSync(ownNode, process.argv.slice(1), { stdio: 'inherit' });
  // As a shell does: 128 and the number of the signal.
  process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
} else {
  await import('../require-node-24.js');
  await import('./petstore.ts');
}
