import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { KeptFile } from '../../../../infra/local/host/data-folder.ts';
import { LocalRuntimeError } from '../../../../infra/local/host/local-runtime-error.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const Animals = z.array(z.string());

test('kept content is read again, and only the owner can read it', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'animals.json');
  expect(new KeptFile(path, Animals).read()).toBeUndefined();
  new KeptFile(path, Animals).keep(['lion']);
  new KeptFile(path, Animals).keep(['lion', 'zebra']);
  expect(new KeptFile(path, Animals).read()).toEqual(['lion', 'zebra']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['animals.json']);
});

test('an incomplete file of a crashed write is not read', () => {
  const path = join(temporaryFolder(), 'animals.json');
  const file = new KeptFile(path, Animals);
  file.keep(['lion']);
  writeFileSync(`${path}.new`, '["li');
  expect(file.read()).toEqual(['lion']);
  file.keep(['zebra']);
  expect(file.read()).toEqual(['zebra']);
});

test.each(['', '{}', '["lion"'])('a file that somebody changed to %j is rejected by name', content => {
  const path = join(temporaryFolder(), 'animals.json');
  writeFileSync(path, content);
  expect(() => new KeptFile(path, Animals).read()).toThrow(
    new LocalRuntimeError(
      `${path} was changed by somebody else and cannot be read: restore it or remove it.`,
    ),
  );
});

test('without a path nothing is kept', () => {
  const file = new KeptFile(undefined, Animals);
  file.keep(['lion']);
  expect(file.read()).toBeUndefined();
});
