import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const LAUNCHER = resolve(import.meta.dirname, '../../../../infra/petstore.js');

test.skipIf(process.platform !== 'linux')('1: the disk that the output goes to is full', () => {
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--help'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^Error: The output cannot be written: ENOSPC[^\n]*\n$/);
  expect(status).toBe(1);
});
