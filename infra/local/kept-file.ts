import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import { LocalRuntimeError } from './local-runtime-error.ts';

/**
 * A JSON file that only its owner can read, replaced as a whole so that a crash at any moment leaves the old content
 * or the new. Without a path nothing is kept.
 */
export class KeptFile<Schema extends z.ZodType> {
  readonly #path: string | undefined;
  readonly #schema: Schema;

  constructor(path: string | undefined, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** What was kept, or undefined when nothing was. */
  read(): z.output<Schema> | undefined {
    if (this.#path === undefined || !existsSync(this.#path)) {
      return undefined;
    }
    try {
      return this.#schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (cause) {
      throw new LocalRuntimeError(`${this.#path} is not as it was written: restore it or remove it.`, {
        cause,
      });
    }
  }

  keep(content: z.input<Schema>): void {
    if (this.#path !== undefined) {
      const unfinished = `${this.#path}.new`;
      writeFileSync(unfinished, JSON.stringify(content, undefined, 2), { mode: 0o600, flush: true });
      renameSync(unfinished, this.#path);
    }
  }
}
