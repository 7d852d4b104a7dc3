/** Why a task failed: what Retry and Catch of a state match by name. */
export class TaskError extends Error {
  override readonly name: string;
  /** Read by the interpreter: whether Retry and Catch apply at all. */
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  constructor(name: string, cause: string, { isTerminal = false } = {}) {
    super(cause);
    this.name = name;
    this.isRetryable = !isTerminal;
    this.isCatchable = !isTerminal;
  }
}
