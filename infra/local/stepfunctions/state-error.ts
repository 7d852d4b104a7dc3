/** An error of a state, known by its name: what Retry and Catch match, and what a failed execution reports. */
export class StateError extends Error {
  override readonly name: string;

  constructor(name: string, cause: string) {
    super(cause);
    this.name = name;
  }
}

/** An error that neither Retry nor Catch handles: it always fails the execution. */
export const runtimeError = (cause: string) => new StateError('States.Runtime', cause);

/** Step Functions' limit for the input, the parameters and the result of a state, as JSON text in UTF-8. */
export const DATA_LIMIT_BYTES = 262_144;

/** The data as JSON text. Throws States.DataLimitExceeded if that is larger than the limit. */
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
