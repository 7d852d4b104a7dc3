import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRequestId } from '../../../shared/operator/contract.ts';
import { localFolder, writePrivately } from '../../operator/connection/running-file.ts';

/**
 * The seed of a new key whose response was lost. The key follows from it, so it waits for the repetition in a file that only
 * this user can read, and not in a line for the shell, whose history and whose list of processes others may see.
 */
const fileOf = (id: string) => join(localFolder(), `seed-of-${id}.json`);

/** Keeps the seed of a change that may have been made. */
export function keepSeed(requestId: string): void {
  const { requestId: id, seed } = partsOf(requestId);
  try {
    if (seed !== undefined) writePrivately(fileOf(id), { seed });
  } catch {
    // The repetition then says that the key is lost, and how to replace it.
  }
}

/** The id of a change that is repeated, with its seed if it has one. */
export function withKeptSeed(requestId: string): string {
  const { requestId: id, seed } = partsOf(requestId);
  if (seed !== undefined) return requestId;
  try {
    return `${id}.${JSON.parse(readFileSync(fileOf(id), 'utf8')).seed}`;
  } catch {
    return id;
  }
}

/** Deletes the seed when the outcome of its change is known. */
export function forgetSeed(requestId: string): void {
  rmSync(fileOf(partsOf(requestId).requestId), { force: true });
}

/** The request id without its seed, as it may be printed. */
export function printableId(requestId: string): string {
  return partsOf(requestId).requestId;
}

function partsOf(requestId: string) {
  return readRequestId(requestId) ?? { requestId, seed: undefined };
}
