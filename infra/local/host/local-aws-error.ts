/** An error that the developer can fix. Its message is one line that says how. */
export class LocalAwsError extends Error {
  override readonly name = 'LocalAwsError';
}
