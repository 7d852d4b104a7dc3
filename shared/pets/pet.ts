import * as z from 'zod/mini';
import { Int64 } from '../int64.ts';

export const PetStatus = z.enum(['available', 'pending', 'sold'], 'must be one of available, pending, sold');
export type PetStatus = z.infer<typeof PetStatus>;

/** The length is counted in Unicode code points, without the white space around the name, which is stored as sent. */
const PetName = z.string('must be a string').check(
  z.refine(isNameLength, 'must have 1 to 255 characters, white space around it not counted'),
  z.refine(
    name => name.isWellFormed() && !/\p{Cc}/u.test(name),
    'must not hold control characters or lone surrogates',
  ),
);

/** What a client sends to add an animal. The status has a default, so that a filter by status finds every animal. */
export const NewPet = z.object(
  { name: PetName, categoryId: Int64, status: z._default(PetStatus, 'available') },
  'must be a JSON object',
);
export type NewPet = z.infer<typeof NewPet>;

/** An animal as it is stored and returned. Its fields were validated as a NewPet. */
export const Pet = z.object({ id: z.bigint(), name: z.string(), categoryId: z.bigint(), status: PetStatus });
export type Pet = z.infer<typeof Pet>;

export const Pets = z.array(Pet);

function isNameLength(name: string): boolean {
  const length = [...name.trim()].length;
  return length >= 1 && length <= 255;
}
