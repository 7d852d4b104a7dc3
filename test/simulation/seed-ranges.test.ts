import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../script-options.ts';
import { readOptions } from './run-options.ts';
import { SeedProgress } from './seed-ranges.ts';

function progressFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-seeds-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'simulation.json');
}

const clean = (first: number, count: number) => ({
  range: { first, count },
  wentLive: 2,
  longestHistory: first,
  violations: [],
});

describe('SeedProgress', () => {
  test('divides a range into pieces', () => {
    const progress = new SeedProgress(progressFile(), 'a');
    expect(progress.missing({ first: 1, count: 5 }, 2)).toEqual([
      { first: 1, count: 2 },
      { first: 3, count: 2 },
      { first: 5, count: 1 },
    ]);
  });

  test('goes on with what an earlier process has left, in whatever order that was run', () => {
    const file = progressFile();
    const earlier = new SeedProgress(file, 'a');
    earlier.record(clean(5, 2));
    earlier.record(clean(1, 2));
    const progress = new SeedProgress(file, 'a');
    expect(progress.missing({ first: 1, count: 8 }, 10)).toEqual([
      { first: 3, count: 2 },
      { first: 7, count: 2 },
    ]);
    expect(progress.doneOf({ first: 2, count: 4 })).toBe(2);
    expect(progress).toMatchObject({ wentLive: 4, longestHistory: 5 });
    progress.record(clean(3, 2));
    progress.record(clean(7, 2));
    expect(new SeedProgress(file, 'a').missing({ first: 1, count: 8 }, 10)).toEqual([]);
  });

  test('keeps the violations', () => {
    const file = progressFile();
    new SeedProgress(file, 'a').record({ ...clean(1, 2), violations: [{ seed: 2, what: 'lost' }] });
    expect(new SeedProgress(file, 'a').violations).toEqual([{ seed: 2, what: 'lost' }]);
  });

  test('begins anew with other sources', () => {
    const file = progressFile();
    new SeedProgress(file, 'a').record(clean(1, 2));
    expect(new SeedProgress(file, 'b').doneOf({ first: 1, count: 2 })).toBe(0);
  });
});

describe('readOptions', () => {
  test('has defaults', () => {
    expect(readOptions([])).toMatchObject({ seeds: 1000, first: 1, isAnew: false, help: false });
  });

  test.each([['--seeds', '0'], ['--seeds', 'many'], ['--first', '-1'], ['--processes', '0'], ['--speed']])(
    'refuses %s %s',
    (...args) => {
      expect(() => readOptions(args)).toThrow(UsageError);
    },
  );
});
