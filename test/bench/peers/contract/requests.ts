import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { hasSaneCharacters, hasSaneLength, isInt64, LIMIT, SAYS, STATUSES } from './pet-rules.ts';

const Status = z.enum(STATUSES, SAYS.status);

/** The query of listPets. */
export const ListQuery = z.object({
  limit: z.string().regex(LIMIT, SAYS.limit).transform(Number).default(20),
  status: Status.optional(),
  cursor: z.string().optional(),
});

/** The body of createPet. */
export const NewPet = z.object(
  {
    name: z
      .string(SAYS.name)
      .refine(hasSaneLength, SAYS.nameLength)
      .refine(hasSaneCharacters, SAYS.nameCharacters),
    categoryId: z.bigint(SAYS.int64).refine(isInt64, SAYS.int64),
    status: Status.default('available'),
  },
  SAYS.object,
);
export type NewPet = z.infer<typeof NewPet>;

/** Validates a part of a request; one error names every fault. */
export function valid<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const [field] = path;
    const value = field === undefined ? raw : (raw as Record<PropertyKey, unknown>)[field];
    const says = Array.isArray(value) && field !== undefined ? SAYS.repeated : message;
    return `${field === undefined ? 'the body' : String(field)} ${value === undefined ? 'is required' : says}`;
  });
  throw new ApiError('invalid_request', [...new Set(faults)].join('; '));
}

/** Reads a parameter that is given once as its value. A repeated one stays a list, which no schema accepts. */
export function singleValues(
  parameters: Record<string, string[] | undefined> | null,
): Record<string, unknown> {
  const entries = Object.entries(parameters ?? {});
  return Object.fromEntries(
    entries.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}
