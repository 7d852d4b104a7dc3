import type * as z from 'zod';

/** Describes an invalid input as most services do: `1 validation error detected: Value at 'domainName' failed …`. */
export function constraintMessage(issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.map(
    ({ path, message }) => `Value at '${camelCase(path.join('.'))}' failed to satisfy constraint: ${message}`,
  );
  return `${faults.length} validation error${faults.length > 1 ? 's' : ''} detected: ${faults.join('; ')}`;
}

/** AWS names members this way in its messages. */
function camelCase(member: string): string {
  return member.charAt(0).toLowerCase() + member.slice(1);
}
