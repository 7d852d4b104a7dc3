import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives all processes of a run one folder for temporary files and removes it when the run ends. What a worker has not
 * removed by then would stay: Vitest kills its workers, which therefore run no code at their exit.
 */
export function keepTemporaryFilesTogether(): void {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
