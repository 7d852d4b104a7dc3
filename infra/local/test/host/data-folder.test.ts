import { chmodSync, existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { KeptFile, openDataFolder, temporaryDataFolder } from '../../host/data-folder.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { startTimeOf } from '../../processes.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

test('a folder is for its owner only, also one that others could read', () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  openDataFolder(folder).release();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a folder in use is rejected with the pid, and can be opened after its release', () => {
  const folder = temporaryFolder();
  const first = openDataFolder(folder);
  expect(() => openDataFolder(folder)).toThrow(LocalAwsError);
  expect(() => openDataFolder(folder)).toThrow(`(pid ${process.pid})`);
  first.release();
  openDataFolder(folder).release();
  expect(readdirSync(folder).sort()).toEqual(['dynamodb', 'logs']);
});

test.each([
  ['a process that has ended', JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1' })],
  ['an earlier process of the same id', JSON.stringify({ pid: process.pid, startTime: '1' })],
  ['an unreadable holder', '{'],
])('the lock of %s is taken over', (_, content) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), content);
  openDataFolder(folder).release();
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

test('the start time distinguishes processes with the same id', () => {
  expect(startTimeOf(process.pid)).toMatch(/^\d+$/);
  expect(startTimeOf(2 ** 22 + 1)).toBeUndefined();
});

test('a temporary folder is deleted by its release', () => {
  const { logFolder, release } = temporaryDataFolder();
  expect(existsSync(logFolder)).toBe(true);
  release();
  expect(existsSync(logFolder)).toBe(false);
});

test('opening a folder deletes the temporary folders that killed processes have left', () => {
  const left = mkdtempSync(join(tmpdir(), `local-runtime-${2 ** 22 + 1}-1-`));
  openDataFolder(temporaryFolder()).release();
  expect(existsSync(left)).toBe(false);
});

const Pets = z.array(z.string());

test('kept content is read again, and only the owner can read it', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'pets.json');
  expect(new KeptFile(path, Pets).read()).toBeUndefined();
  new KeptFile(path, Pets).keep(['lion']);
  new KeptFile(path, Pets).keep(['lion', 'zebra']);
  expect(new KeptFile(path, Pets).read()).toEqual(['lion', 'zebra']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['pets.json']);
});

test('an incomplete file of a crashed write is not read', () => {
  const path = join(temporaryFolder(), 'pets.json');
  const file = new KeptFile(path, Pets);
  file.keep(['lion']);
  writeFileSync(`${path}.new`, '["li');
  expect(file.read()).toEqual(['lion']);
  file.keep(['zebra']);
  expect(file.read()).toEqual(['zebra']);
});

test.each(['', '{}', '["lion"'])('a file with the content %j is rejected by name', content => {
  const path = join(temporaryFolder(), 'pets.json');
  writeFileSync(path, content);
  expect(() => new KeptFile(path, Pets).read()).toThrow(
    new LocalAwsError(`${path} cannot be read: restore it or remove it.`),
  );
});

test('without a path nothing is kept', () => {
  const file = new KeptFile(undefined, Pets);
  file.keep(['lion']);
  expect(file.read()).toBeUndefined();
});
