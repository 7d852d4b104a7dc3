import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../script-options.ts';
import { readOptions } from './options.ts';
import { SUBJECTS } from './subjects.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

describe('what npm run mutate changes', () => {
  test.each(SUBJECTS)('$name: every source and every test is there', ({ sources, tests }) => {
    for (const pattern of [...sources, ...tests]) {
      expect(globSync(pattern, { cwd: PROJECT }), pattern).not.toEqual([]);
    }
  });

  test('is everything by default, and --only chooses', () => {
    expect(readOptions([]).subjects).toEqual(SUBJECTS);
    expect(readOptions(['--only', 'cursor,numbers']).subjects.map(({ name }) => name)).toEqual([
      'cursor',
      'numbers',
    ]);
  });

  test.each([['--only', 'nothing'], ['--workers', '0'], ['--fast']])('rejects %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  });
});
