import { CommandError, usageError } from './command-error.ts';
import { nearest } from './nearest.ts';
import { PROGRAM_NAME } from './program-name.ts';
import type { Session } from './session.ts';

/** What an API key may be used for; a new key may do all of it unless told otherwise. */
export const SCOPES = ['pets:read', 'pets:write', 'orders:read'];

/** An API key as the operator function tells it. Times are RFC 3339. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The one answer that has the key itself. */
export interface NewApiKey extends ApiKey {
  readonly key: string;
}

export function readScopes(text: string): string[] {
  const scopes = text.split(',').map(scope => scope.trim());
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) {
      const meant = nearest(scope, SCOPES);
      throw usageError(
        `There is no scope "${scope}". The scopes are ${SCOPES.join(', ')}.`,
        ...(meant ? [`Did you mean: ${meant}?`] : []),
      );
    }
  }
  return [...new Set(scopes)];
}

/** A key in the place of its id is neither repeated here nor sent: the request would be kept in the audit record. */
export function readKeyId(text: string): string {
  if (/^pet_(live|test)_/.test(text)) {
    throw usageError(
      'This is an API key, or a part of one; what is wanted is its id, such as key_1f0c….',
      `The ids are in the first column of: ${PROGRAM_NAME} keys list`,
    );
  }
  return text;
}

/**
 * The answer with the new key. When the first delivery of the request got through but its answer was lost, the second
 * is answered without the key, since it is kept nowhere.
 */
export function withKey<Answer extends NewApiKey>(session: Session, answer: Answer): Answer {
  if (answer.key) return answer;
  throw new CommandError(
    'key_lost',
    `The key ${answer.id} was created, but the answer that held it was lost.`,
    {
      advice: [
        `Nobody has it. Remove it with: ${session.commandLine(`keys revoke ${answer.id}`)}`,
        'Then try again.',
      ],
    },
  );
}
