import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import { LocalRuntimeError } from './local-runtime-error.ts';

/**
 * A JSON file that only its owner can read. It is replaced atomically: after a crash it has the old or the new content.
 * Without a path nothing is kept.
 */
export class KeptFile<Schema extends z.ZodType> {
  readonly #path: string | undefined;
  readonly #schema: Schema;

  constructor(path: string | undefined, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** The kept content, or undefined when there is none. */
  read(): z.output<Schema> | undefined {
    if (this.#path === undefined || !existsSync(this.#path)) {
      return undefined;
    }
    try {
      return this.#schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (cause) {
      throw new LocalRuntimeError(
        `${this.#path} was changed by somebody else and cannot be read: restore it or remove it.`,
        {
          cause,
        },
      );
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
