import * as z from 'zod';

/** A boolean in XML. */
export const Flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

/** The number of items that a client asks for, and the most that Route 53 gives at once. */
export function maxItems(most: number) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .default(most)
    .transform(asked => Math.min(asked, most));
}
