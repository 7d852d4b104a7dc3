import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataFormatError, requireDataFormat } from '../../../infra/start/data-format.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

test('a new data folder is marked, and accepted from then on', () => {
  const folder = join(temporaryFolder(), '.local');
  requireDataFormat(folder);
  mkdirSync(join(folder, 'dynamodb'));
  requireDataFormat(folder);
  expect(readFileSync(join(folder, 'data-format'), 'utf8')).toBe('3');
});

test.each([
  ['without a mark', undefined],
  ['of another format', '1'],
])('a data folder %s is refused, with what to do, and left as it is', (_, format) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dynamodb'));
  if (format) writeFileSync(join(folder, 'data-format'), format);
  expect(() => requireDataFormat(folder)).toThrow(DataFormatError);
  expect(() => requireDataFormat(folder)).toThrow(
    /Delete that folder to start with empty tables, or use --memory/,
  );
});
