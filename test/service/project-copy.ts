import { rmSync } from 'node:fs';
import { inject, onTestFinished } from 'vitest';
import { projectFolder } from './project-folder.ts';

/** A copy of the project that is removed after the test. */
export function projectCopy(): string {
  const folder = projectFolder(inject('assembly'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
