/** An error that the developer can fix. Its message is one line that says how. */
export class LocalRuntimeError extends Error {
  override readonly name = 'LocalRuntimeError';
}
