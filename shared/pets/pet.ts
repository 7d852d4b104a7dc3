import * as z from 'zod/mini';
import { Int64 } from '../int64.ts';
import { Cursor, Limit } from '../paging.ts';

export const PetStatus = z.enum(['available', 'pending', 'sold'], 'must be one of available, pending, sold');
export type PetStatus = z.infer<typeof PetStatus>;

/** Characters are counted as Unicode code points, white space around the name aside; it is stored as sent. */
const PetName = z.string('must be a string').check(
  z.refine(hasSaneLength, 'must have 1 to 255 characters, white space around it not counted'),
  z.refine(
    name => name.isWellFormed() && !/\p{Cc}/u.test(name),
    'must not hold control characters or lone surrogates',
  ),
);

/** What a client sends to add an animal. Without a status it is available, so that every animal is found by one. */
export const NewPet = z.object(
  { name: PetName, categoryId: Int64, status: z._default(PetStatus, 'available') },
  'must be a JSON object',
);
export type NewPet = z.infer<typeof NewPet>;

/** An animal as it is kept and answered with: what it holds was checked when it came in. */
export const Pet = z.object({ id: z.bigint(), name: z.string(), categoryId: z.bigint(), status: PetStatus });
export type Pet = z.infer<typeof Pet>;

export const Pets = z.array(Pet);

/** What listPets accepts. */
export const ListPets = z.object({
  query: z.object({ limit: Limit, status: z.optional(PetStatus), cursor: Cursor }),
});

/** What createPet accepts. */
export const CreatePet = z.object({
  headers: z.object({
    'Idempotency-Key': z.optional(z.string().check(z.regex(/^.{1,255}$/su, 'must have 1 to 255 characters'))),
  }),
  body: NewPet,
});

/** What getPet accepts: a petId that is no int64 belongs to no animal, and the operation knows no 400. */
export const GetPet = z.object({ path: z.object({ petId: z.string() }) });

function hasSaneLength(name: string): boolean {
  const length = [...name.trim()].length;
  return length >= 1 && length <= 255;
}
