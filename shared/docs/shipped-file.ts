import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { required } from '../environment.ts';

/** Reads a file that is deployed beside the function's code. */
export function shippedFile(name: string): Buffer {
  return readFileSync(join(required('LAMBDA_TASK_ROOT'), name));
}
