import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { PROJECT } from './running-service.ts';

/**
 * The project in a folder of its own, gone when the test is over: with data of its own, and sources that a test may
 * change. The assembly of the sources as they are is there already.
 */
export function projectCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['cdk.json', 'package.json', 'package-lock.json', 'infra', 'functions', 'shared']) {
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const assembly = inject('assembly');
  cpSync(assembly, join(folder, '.cache', 'assemblies', basename(assembly)), { recursive: true });
  return folder;
}
