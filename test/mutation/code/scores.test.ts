import { describe, expect, test } from 'vitest';
import { fileScores, type MutantResult, shortfalls } from './scores.ts';
import type { Subject } from './subjects.ts';

const SUBJECT: Subject = { name: 'cursor', sources: [], tests: [] };

const result = (status: string, line = 1) =>
  ({
    fileName: '/project/shared/http/cursor.ts',
    status,
    location: { start: { line, column: 0 }, end: { line, column: 9 } },
    mutatorName: 'StringLiteral',
    replacement: '""',
  }) as MutantResult;

describe('the scores', () => {
  test('count what tests have noticed, by failing, not ending or being unable to run', () => {
    const statuses = ['Killed', 'Timeout', 'RuntimeError', 'Survived', 'NoCoverage', 'Ignored'];
    const [score] = fileScores(
      SUBJECT,
      statuses.map(status => result(status)),
      '/project',
    );
    expect(score).toMatchObject({ file: 'shared/http/cursor.ts', caught: 3, survived: 2, scorePercent: 60 });
  });

  test('do not count a change as caught when Stryker could not run the tests', () => {
    const crashed = { ...result('RuntimeError'), statusReason: 'Test runner crashed. Tried twice …' };
    expect(fileScores(SUBJECT, [crashed], '/project')).toMatchObject([{ caught: 0, survived: 1 }]);
  });

  test('fall short below 90 %', () => {
    const results = [...Array.from({ length: 9 }, () => result('Killed')), result('Survived')];
    const ninety = fileScores(SUBJECT, results, '/project');
    expect(shortfalls(ninety, [SUBJECT])).toEqual([]);
    const below = fileScores(SUBJECT, [...results, result('Survived')], '/project');
    expect(shortfalls(below, [SUBJECT])).toEqual(['shared/http/cursor.ts: the score is 81.8 %']);
  });

  test('of a strict subject fall short with any survivor, which is named by its line', () => {
    const strict: Subject = { ...SUBJECT, isStrict: true };
    const results = [...Array.from({ length: 99 }, () => result('Killed')), result('Survived', 28)];
    expect(shortfalls(fileScores(strict, results, '/project'), [strict])).toEqual([
      'shared/http/cursor.ts:28: StringLiteral survives and is not explained beside it',
    ]);
  });
});
