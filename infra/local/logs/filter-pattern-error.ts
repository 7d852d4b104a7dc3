/** Why a filter pattern cannot be read. */
export class FilterPatternError extends Error {
  override readonly name = 'FilterPatternError';
  /** Whether AWS accepts the pattern, and the local runtime does not support it. */
  readonly isUnsupported: boolean;

  constructor(message: string, { isUnsupported = false } = {}) {
    super(message);
    this.isUnsupported = isUnsupported;
  }
}
