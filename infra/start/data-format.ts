import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Raised when the layout of the tables changes, so that older data can no longer be read. */
const DATA_FORMAT = '3';

/** The data folder holds data that this version of the service cannot read. */
export class DataFormatError extends Error {
  override readonly name = 'DataFormatError';
}

/** Refuses a data folder that an earlier version has written, and marks a new one as of this version. */
export function requireDataFormat(dataFolder: string): void {
  const file = join(dataFolder, 'data-format');
  const isNew = !existsSync(join(dataFolder, 'dynamodb'));
  if (isNew) {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, DATA_FORMAT);
    return;
  }
  const format = existsSync(file) ? readFileSync(file, 'utf8').trim() : '1';
  if (format === DATA_FORMAT) return;
  throw new DataFormatError(
    `The data in ${dataFolder} is from another version of the service (format ${format}, not ${DATA_FORMAT}). Delete that folder to start with empty tables, or use --memory.`,
  );
}
