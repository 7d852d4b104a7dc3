import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file as many editors do: by moving a new one over it. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
