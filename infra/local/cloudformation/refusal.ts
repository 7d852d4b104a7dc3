import type * as z from 'zod';
import { LocalRuntimeError } from '../host/local-runtime-error.ts';

/** The location in a template that a refusal names. */
export interface ResourceLocation {
  readonly stack: string;
  readonly logicalId?: string;
  readonly type?: string;
}

/** The error for something in a template that the local runtime does not support. */
export function refusal({ stack, logicalId, type }: ResourceLocation, what: string): LocalRuntimeError {
  const resource = logicalId === undefined ? '' : `, ${logicalId}`;
  const ofType = type === undefined ? '' : ` (${type})`;
  return new LocalRuntimeError(`${stack}${resource}${ofType}: ${what}`);
}

/** Properties as the schema of their type parses them. What is not supported is refused by name. */
export function parseProperties<Schema extends z.ZodType>(
  schema: Schema,
  properties: unknown,
  location: ResourceLocation,
): z.output<Schema> {
  const parsed = schema.safeParse(properties);
  if (parsed.success) {
    return parsed.data;
  }
  throw refusal(location, parsed.error.issues.map(describeIssue).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map(key => [...path, key].join('.')).join(', ');
    return `the property ${names} is not supported by the local runtime`;
  }
  return `the property ${path.join('.')} is not supported by the local runtime (${issue.message})`;
}
