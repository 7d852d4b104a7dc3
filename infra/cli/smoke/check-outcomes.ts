/** A check has found something else than the interface promises. The message says what was expected and what was seen. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** A check does not apply to this environment. The message says why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}
