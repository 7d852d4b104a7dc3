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
