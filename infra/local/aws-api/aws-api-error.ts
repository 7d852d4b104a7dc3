/** An error of an AWS API. Clients recognize it by its name; its HTTP status is in the table of its service. */
export class AwsApiError<Name extends string = string> extends Error {
  override readonly name: Name;
  /** After this time the same request may be admitted. */
  readonly retryAfterSeconds: number | undefined;

  constructor(name: Name, message: string, details: { readonly retryAfterSeconds?: number } = {}) {
    super(message);
    this.name = name;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The name and HTTP status of the one error that AWS does not have. */
export const NOT_SUPPORTED = { name: 'NotImplemented', status: 501 } as const;

/** Refuses what AWS supports and the local AWS does not: `The base path shop`, `only (none) is`. */
export function notSupported(what: string, hint?: string): AwsApiError {
  const ending = hint === undefined ? '' : `: ${hint}`;
  return new AwsApiError(NOT_SUPPORTED.name, `${what} is not supported by the local AWS${ending}.`);
}

/** Describes an invalid input as most services do: `1 validation error detected: Value at 'domainName' failed …`. */
export function constraintMessage(
  faults: readonly { readonly path: string | readonly PropertyKey[]; readonly message: string }[],
): string {
  const described = faults.map(
    ({ path, message }) =>
      `Value at '${camelCase([path].flat().join('.'))}' failed to satisfy constraint: ${message}`,
  );
  return `${faults.length} validation error${faults.length > 1 ? 's' : ''} detected: ${described.join('; ')}`;
}

/** AWS names members this way in its messages. */
function camelCase(member: string): string {
  return member.charAt(0).toLowerCase() + member.slice(1);
}
