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

/** Thrown inside of an execution that is over: it was stopped, or its deadline has passed. */
export class Interrupted extends Error {}

/** Settles as the promise does, or rejects as soon as the signal is aborted. */
export async function interruptible<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const interrupt = () => reject(new Interrupted());
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    const value = await Promise.race([aborted, promise]);
    // What ends by the same signal may have ended first.
    if (signal.aborted) throw new Interrupted();
    return value;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
