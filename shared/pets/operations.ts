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
  success: 200,
  errors: ['invalid_request', 'invalid_cursor'],
} as const satisfies OperationDeclaration;

export const MAXIMUM_IDEMPOTENCY_KEY_LENGTH = 255;

/**
 * The specification makes the header a quoted string (RFC 9651), but many clients omit the quotes: both mean the same key.
 */
const IdempotencyKey = z.optional(
  z.pipe(
    z.pipe(z.string(), z.transform(unquoted)),
    z
      .string()
      .check(
        z.regex(
          new RegExp(`^.{1,${MAXIMUM_IDEMPOTENCY_KEY_LENGTH}}$`, 'su'),
          `must have 1 to ${MAXIMUM_IDEMPOTENCY_KEY_LENGTH} characters`,
        ),
      ),
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
  success: 201,
  errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
} as const satisfies OperationDeclaration;

/** Any text: a petId that isn't an int64 belongs to no pet, and the interface documents no 400 for it. */
export const PetId = z.string();

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
  request: z.object({ path: z.object({ petId: PetId }) }),
  success: 200,
  errors: ['not_found'],
} as const satisfies OperationDeclaration;

export const PET_OPERATIONS = [listPets, createPet, getPet] as const;

/** The content of a nonempty quoted string; any other text as it is. */
function unquoted(text: string): string {
  const [, content] = /^"((?:[^"\\]|\\["\\])+)"$/s.exec(text) ?? [];
  return content?.replaceAll(/\\(["\\])/g, '$1') ?? text;
}

/** The message of the 404 of an operation on one pet. */
export const PET_NOT_FOUND = 'There is no animal with this id.';
