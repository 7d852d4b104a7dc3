import * as z from 'zod/mini';
import type { OperationDeclaration } from '../operation-declaration.ts';
import { Cursor, Limit } from '../paging.ts';
import { NewPet, PetStatus } from './pet.ts';

export const listPets = {
  name: 'listPets',
  method: 'GET',
  path: '/pets',
  scope: 'pets:read',
  stability: 'stable',
  request: z.object({
    query: z.object({ limit: Limit, status: z.optional(PetStatus), cursor: Cursor }),
  }),
} as const satisfies OperationDeclaration;

/**
 * The header is a structured string (RFC 9651) in its specification and is widely sent without the quotes: both are the
 * same key.
 */
const IdempotencyKey = z.optional(
  z.pipe(
    z.pipe(z.string(), z.transform(unquoted)),
    z.string().check(z.regex(/^.{1,255}$/su, 'must have 1 to 255 characters')),
  ),
);

export const createPet = {
  name: 'createPet',
  method: 'POST',
  path: '/pets',
  scope: 'pets:write',
  stability: 'stable',
  request: z.object({
    headers: z.object({
      'Idempotency-Key': IdempotencyKey,
    }),
    body: NewPet,
  }),
} as const satisfies OperationDeclaration;

export const getPet = {
  name: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  scope: 'pets:read',
  stability: 'deprecated',
  deprecation: {
    since: '2025-12-05',
    sunset: '2030-12-05',
    successor: { method: 'GET', path: '/pets' },
  },
  // Any text: a petId that is no int64 belongs to no animal, and the interface documents no 400 here.
  request: z.object({ path: z.object({ petId: z.string() }) }),
} as const satisfies OperationDeclaration;

/** The content of a structured string that is not empty; any other text as it is. */
function unquoted(text: string): string {
  const [, content] = /^"((?:[^"\\]|\\["\\])+)"$/s.exec(text) ?? [];
  return content?.replaceAll(/\\(["\\])/g, '$1') ?? text;
}

/** The message of the 404 that an operation on one animal answers. */
export const PET_NOT_FOUND = 'There is no animal with this id.';
