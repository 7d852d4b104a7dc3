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
