/**
 * An event pattern: {"source": ["aws.cloudformation"], "detail": {"status": ["A", "B"]}}. A field of the event must
 * be one of the listed values, or a list that contains one; an object matches the fields of an object. Filters such as
 * {"prefix": …} are rejected.
 */
import * as z from 'zod';

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const EventPattern: z.ZodType<EventPattern> = z.record(
  z.string(),
  z.union([z.array(Value), z.lazy(() => EventPattern)]),
);
export interface EventPattern {
  [field: string]: z.infer<typeof Value>[] | EventPattern;
}

export function matches(pattern: EventPattern, event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  return Object.entries(pattern).every(([field, expected]) => {
    const value = (event as Record<string, unknown>)[field];
    if (!Array.isArray(expected)) return matches(expected, value);
    const present: readonly unknown[] = Array.isArray(value) ? value : [value];
    return expected.some(one => present.includes(one));
  });
}
