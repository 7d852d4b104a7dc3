import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../host/temporary-folder.ts';

function folderOf(pid: number): string {
  const folder = mkdtempSync(join(tmpdir(), `local-runtime-${pid}-1-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ENDED = 2 ** 22 + 1;

test.each([
  ['an ended process', ENDED],
  ['an earlier process of the same id', process.pid],
])('a folder that %s has left is deleted by the next start, and no other', (_, pid) => {
  const left = folderOf(pid);
  const folders = [temporaryFolder(), temporaryFolder()];
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  expect([left, ...folders].map(folder => existsSync(folder))).toEqual([false, true, true]);
});

test('a folder that another user has left stays, because only that user may be able to delete it', () => {
  const left = folderOf(ENDED);
  const [owner = 0, getuid] = [process.getuid?.(), vi.spyOn(process, 'getuid')];
  onTestFinished(() => getuid.mockRestore());
  getuid.mockReturnValue(owner + 1);
  rmSync(temporaryFolder(), { recursive: true });
  expect(existsSync(left)).toBe(true);
});
