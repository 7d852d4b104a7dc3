import * as z from 'zod/mini';
import { SCOPE_NAMES } from './scope-names.ts';

/** What an API key may be used for. */
export const Scope = z.enum(SCOPE_NAMES, `must be one of ${SCOPE_NAMES.join(', ')}`);
export type Scope = z.infer<typeof Scope>;

/** Scopes as one text: the form in which they are stored, and in which the authorizer passes them to the operations. */
export function joinScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

export const ALL_SCOPES: readonly Scope[] = SCOPE_NAMES;
