import * as z from 'zod/mini';
import { Int64 } from '../int64.ts';

export const PetStatus = z.enum(['available', 'pending', 'sold'], 'must be one of available, pending, sold');
export type PetStatus = z.infer<typeof PetStatus>;

/** In Unicode code points. */
export const MAXIMUM_NAME_LENGTH = 255;

/**
 * Up to this many code points, at least one of which isn't white space. U+FFFD replaces what a decoder couldn't read, so a name
 * that contains it was damaged in transit.
 */
const PetName = z.string('must be a string').check(
  z.refine(
    isNameLength,
    `must have 1 to ${MAXIMUM_NAME_LENGTH} characters, at least one of them not white space`,
  ),
  z.refine(
    name => name.isWellFormed() && !/[\p{Cc}\ufffd]/u.test(name),
    'must not hold control characters, lone surrogates or U+FFFD',
  ),
);

/** What a client sends to add a pet. The status has a default, so that a filter by status finds every pet. */
export const NewPet = z.object(
  { name: PetName, categoryId: Int64, status: z._default(PetStatus, 'available') },
  'must be a JSON object',
);
export type NewPet = z.infer<typeof NewPet>;

/** A pet as it is stored and returned. */
export const Pet = z.object({ id: z.bigint(), name: z.string(), categoryId: z.bigint(), status: PetStatus });
export type Pet = z.infer<typeof Pet>;

export const Pets = z.array(Pet);

function isNameLength(name: string): boolean {
  // A code point takes one or two UTF-16 units, so there's no need to count a longer text.
  if (name.length > 2 * MAXIMUM_NAME_LENGTH || name.trim() === '') return false;
  return [...name].length <= MAXIMUM_NAME_LENGTH;
}
