import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SUBJECTS } from './subjects.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

describe('what npm run mutate changes', () => {
  test.each(SUBJECTS)('$name: every source and every test is there', ({ sources, tests }) => {
    for (const pattern of [...sources, ...tests]) {
      expect(globSync(pattern, { cwd: PROJECT }), pattern).not.toEqual([]);
    }
  });
});
