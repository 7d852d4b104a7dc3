import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '..');

/** What the functions are built from. */
const SOURCES = ['functions/**/*.ts', 'shared/**/*.ts'];

const HASH_DIGITS = 12;

/** The version of this checkout, such as 1.0.0+0123456789ab: that of package.json, and a hash of the functions' sources. */
export function sourceVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: PROJECT }).toSorted()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(PROJECT, file)));
  }
  return `${version}+${hash.digest('hex').slice(0, HASH_DIGITS)}`;
}
