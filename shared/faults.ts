import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** Everything zod found wrong, in one line: `name is required; categoryId must be an integer from … to …`. */
export function listFaults(
  issues: readonly Issue[],
  input: unknown,
  describe: (issue: Issue, value: unknown) => string = describeFault,
): string {
  return [...new Set(issues.map(issue => describe(issue, valueAt(input, issue.path))))].join('; ');
}

export function describeFault({ path, message }: Issue, value: unknown, name = path.join('.')): string {
  return `${name} ${value === undefined ? 'is required' : message}`;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce((parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key], input);
}
