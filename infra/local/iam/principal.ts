/** What conditions of policies compare: the values of condition keys such as `aws:RequestTag/team`. */
export interface RequestContext {
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** Who sent a request to the AWS endpoint. */
export interface Principal {
  /** AWS's message why the principal may not perform the action on the resource; undefined when it may. */
  denial(action: string, resource: string, context?: RequestContext): string | undefined;
}

/** The principal of requests that are not signed with a function's credentials. A developer may do everything. */
export const developer: Principal = { denial: () => undefined };
