import { relative } from 'node:path';
import type { MutantResult } from './scores.ts';

/** How often a line says how far the subject is: a subject has up to a thousand changes. */
const LINE_EVERY = 25;

/** A reporter of Stryker's, on standard error: what is not caught as soon as it is known, and how far the subject is. */
class Progress {
  #count = 0;
  #tested = 0;
  #caught = 0;

  onMutationTestingPlanReady({ mutantPlans }: { mutantPlans: readonly unknown[] }): void {
    this.#count = mutantPlans.length;
  }

  onMutantTested(result: MutantResult): void {
    const { fileName, location, mutatorName, replacement = '', status, statusReason = '' } = result;
    this.#tested += 1;
    if (status === 'Killed') this.#caught += 1;
    else if (status !== 'Ignored') {
      const at = `${relative(process.cwd(), fileName)}:${location.start.line}`;
      const why = status === 'RuntimeError' ? ` (${statusReason})` : '';
      this.#write(`${status}: ${at}: ${mutatorName}: ${`${replacement}${why}`.replaceAll(/\s+/g, ' ')}`);
    }
    if (this.#tested % LINE_EVERY === 0 || this.#tested === this.#count) {
      this.#write(`${this.#tested} of ${this.#count} changes tried, ${this.#caught} caught`);
    }
  }

  #write(line: string): void {
    process.stderr.write(`        ${line}\n`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'progress-lines', injectableClass: Progress }];
