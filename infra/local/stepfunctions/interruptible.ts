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
