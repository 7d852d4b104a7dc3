import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test lacks on this machine. */
    needs?: string;
  }
}

/** The options of a test, or of a group, that is skipped where the machine lacks something; the run says what. */
export function needs(what: string, isThere: boolean): TestOptions {
  return isThere ? {} : { skip: true, meta: { needs: what } };
}
