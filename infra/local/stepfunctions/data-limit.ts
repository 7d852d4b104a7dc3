import { StateError } from './state-error.ts';

/** Step Functions' limit for the input, the parameters and the result of a state, as JSON text in UTF-8. */
export const DATA_LIMIT_BYTES = 262_144;

/** The data as JSON text. Fails with States.DataLimitExceeded where that is larger than the limit. */
export function jsonWithinLimit(data: unknown, subject: string): string {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > DATA_LIMIT_BYTES) {
    throw new StateError(
      'States.DataLimitExceeded',
      `${subject} has a size exceeding the maximum number of bytes service limit (${DATA_LIMIT_BYTES}).`,
    );
  }
  return text;
}
