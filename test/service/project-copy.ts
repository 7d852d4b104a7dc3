import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { PROJECT } from './running-service.ts';

/**
 * Copies the project into a temporary folder, with its own data and with sources that a test may change. The folder
 * already has the assembly of the unchanged sources, and is removed after the test.
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
