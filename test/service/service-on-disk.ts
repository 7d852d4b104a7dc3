import { rmSync } from 'node:fs';
import { afterAll, inject } from 'vitest';
import { projectFolder, type RunningService, startService } from './running-service.ts';

/** A copy of the project for the tests of a file, with the data of its service, whose last start is killed after them. */
export function serviceOnDisk(flags: readonly string[] = []) {
  const project = projectFolder(inject('assembly'));
  let last: RunningService | undefined;
  afterAll(() => {
    last?.process.kill('SIGKILL');
    rmSync(project, { recursive: true, force: true });
  });
  return {
    project,
    async start(): Promise<RunningService> {
      last = await startService(flags, { project });
      return last;
    },
  };
}
