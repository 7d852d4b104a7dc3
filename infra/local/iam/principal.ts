/** What the conditions of policies are evaluated against. */
export interface RequestContext {
  /** Values by condition key, as IAM names it: `aws:RequestTag/team`, `aws:TagKeys`, `acm:ValidationMethod`. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** Who sent a request to the AWS endpoint. */
export interface Principal {
  /** AWS's message why the principal may not perform the action on the resource; undefined when it may. */
  denial(action: string, resource: string, context?: RequestContext): string | undefined;
}

/** The principal of requests that are not signed with a function's credentials. A developer may do everything. */
export const developer: Principal = { denial: () => undefined };
