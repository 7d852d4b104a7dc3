import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgetSurvivors } from './kept-results.ts';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mutate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'cursor.json');
}

test('forgetSurvivors keeps what was caught by a test, and the rest of the file', () => {
  const file = temporaryFile();
  const results = (...statuses: string[]) => ({
    files: { 'shared/http/cursor.ts': { source: '…', mutants: statuses.map(status => ({ status })) } },
    testFiles: {},
  });
  writeFileSync(file, JSON.stringify(results('Killed', 'Survived', 'NoCoverage', 'Timeout', 'RuntimeError')));
  forgetSurvivors(file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(results('Killed'));
});

test('forgetSurvivors needs no earlier run', () => {
  expect(() => forgetSurvivors(temporaryFile())).not.toThrow();
});
