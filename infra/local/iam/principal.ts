/** Who sent a request to the AWS endpoint. */
export interface Principal {
  /** Why the principal may not perform the action on the resource, in AWS's words, or undefined when it may. */
  denial(action: string, resource: string): string | undefined;
}

/** Whoever signs with a key that is no function's own is the person at the terminal, who may do everything. */
export const developer: Principal = { denial: () => undefined };
