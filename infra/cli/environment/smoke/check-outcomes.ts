/** A check has found something else than the interface promises. The message says what was expected and what was seen. */
export class Broken extends Error {
  override readonly name = 'Broken';
  /** The X-Request-Id of the answer that was not as expected, if it had one. */
  readonly requestId: string | undefined;

  constructor(message: string, requestId?: string) {
    super(message);
    this.requestId = requestId;
  }
}

/** A check does not apply to this environment. The message says why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}
