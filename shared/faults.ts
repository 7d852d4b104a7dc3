import type * as z from 'zod/mini';

/** What zod found wrong, one phrase a fault: `name is required`, `categoryId must be an integer from … to …`. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], input: unknown, nameOf = dotted): string[] {
  return [...new Set(issues.map(issue => `${nameOf(issue.path)} ${complaint(issue, input)}`))];
}

function complaint({ path, message }: z.core.$ZodIssue, input: unknown): string {
  const value = path.reduce(
    (parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  return value === undefined ? 'is required' : message;
}

function dotted(path: PropertyKey[]): string {
  return path.join('.');
}
