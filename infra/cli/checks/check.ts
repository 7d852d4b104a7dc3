/**
 * One thing that must hold of an environment, for `petstore smoke`, `doctor` and `accept`. It gets what it needs as `Parts`.
 * It returns what it has found, nothing if all is well, or throws: Broken, Skipped, or whatever kept it from looking.
 */
export interface Check<Parts> {
  readonly name: string;
  /** Whether there is nothing to check on one machine. */
  readonly only?: 'aws';
  /** It creates pets, so smoke leaves it out in production. */
  readonly writes?: 'pets';
  /** The permissions at AWS that it takes, beside that to invoke the function. */
  readonly permissions?: readonly string[];
  /** `note` says what was checked, where the name of the check does not. */
  run(parts: Parts, note: (fact: string) => void): Promise<Finding> | Promise<void>;
}

/**
 * What a check has found. A warning is something that works, and is not as it should be. Undecided is what only a person,
 * or somebody with more permissions, can say. A check is unable to look if it was denied or failed itself.
 */
export interface Finding {
  readonly is: 'ok' | 'warning' | 'broken' | 'undecided' | 'skipped' | 'unable';
  /** What was found, or why nothing was. */
  readonly message?: string;
  readonly remedy?: string;
  /** What was measured and seen, a line each. */
  readonly facts?: readonly string[];
}

export const ok = (message?: string, facts?: readonly string[]): Finding => ({
  is: 'ok',
  ...(message !== undefined && { message }),
  ...(facts && { facts }),
});
export const warning = (message: string, remedy: string): Finding => ({ is: 'warning', message, remedy });
/** Something that does not work, or that would lose data. */
export const failure = (message: string, remedy: string): Finding => ({ is: 'broken', message, remedy });
export const failed = (message: string, facts?: readonly string[]): Finding => ({
  is: 'broken',
  message,
  ...(facts && { facts }),
});
export const undecided = (message: string, facts?: readonly string[]): Finding => ({
  is: 'undecided',
  message,
  ...(facts && { facts }),
});
/** The check does not apply to this environment. The message says why. */
export const skipped = (message: string): Finding => ({ is: 'skipped', message });

/** A check has found something else than what must hold. The message says what was expected and what was found. */
export class Broken extends Error {
  override readonly name: string = 'Broken';
  /** The X-Request-Id of the unexpected response, if it had one. */
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
