import { channel } from 'node:diagnostics_channel';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** Vitest loads its configuration and the global setups as separate modules; a channel is the same in both. */
const ended = channel('petstore:service-tests-ended');

/** Calls back when no file that uses the shared service is left to run; the rest of a run is half of its time. */
export function onServiceTestsEnd(callback: () => void): void {
  ended.subscribe(callback);
}

/** Announces the end of the last file of the project `service`. While files are watched none is the last: it may run again. */
export class ServiceTestsEnd implements Reporter {
  #left = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#left = specifications.filter(({ project }) => project.name === 'service').length;
  }

  onTestModuleEnd({ project }: TestModule): void {
    if (project.name !== 'service' || project.vitest.config.watch) return;
    this.#left -= 1;
    if (this.#left === 0) ended.publish({});
  }
}
