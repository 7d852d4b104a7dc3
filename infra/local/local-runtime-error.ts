/** A failure that the person at the terminal can act on. Its message is one line that says what to do. */
export class LocalRuntimeError extends Error {
  override readonly name = 'LocalRuntimeError';
}
