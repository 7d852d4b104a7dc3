import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { required } from '../environment.ts';

/** Reads a text file that is deployed beside the function's code. */
export function shippedFile(name: string): string {
  return readFileSync(join(required('LAMBDA_TASK_ROOT'), name), 'utf8');
}
