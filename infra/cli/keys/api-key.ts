import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import type { NewApiKey, Scope } from '../../../shared/operator/contract.ts';
import { nearest } from '../../nearest.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { withListOf } from '../framework/known-values.ts';
import { PROGRAM_NAME } from '../framework/program-name.ts';
import type { Session } from '../framework/session.ts';

export const readScopes = withListOf(SCOPE_NAMES, (text): Scope[] => [
  ...new Set(text.split(',').map(scope => readScope(scope.trim()))),
]);

function readScope(text: string): Scope {
  const scope = SCOPE_NAMES.find(known => known === text);
  if (scope) return scope;
  const meant = nearest(text, SCOPE_NAMES);
  throw usageError(
    `There is no scope "${text}". The scopes are ${SCOPE_NAMES.join(', ')}.`,
    ...(meant ? [`Did you mean: ${meant}?`] : []),
  );
}

/** Refuses an API key in place of its id. The key is neither printed nor sent: the audit log records what is sent. */
export function readKeyId(text: string): string {
  if (/^pet_(live|test)_/.test(text)) {
    throw usageError(
      'This is an API key or a part of one. Give its id instead, such as key_1f0c….',
      `The ids are in the first column of: ${PROGRAM_NAME} keys list`,
    );
  }
  return text;
}

/**
 * Refuses an answer without the key. The SDK repeats a request whose answer was lost, and a repeated request is answered
 * without the key, because the key is stored nowhere.
 */
export function requireKey<Answer extends NewApiKey>(
  session: Session,
  answer: Answer,
): Answer & { key: string } {
  const { key } = answer;
  if (key) return { ...answer, key };
  throw new CommandError(
    'key_lost',
    `The API key ${answer.id} was created, but the answer with the key was lost.`,
    {
      advice: [
        `The key cannot be recovered. Revoke it with: ${session.commandLine(`keys revoke ${answer.id}`)}`,
        'Then try again.',
      ],
    },
  );
}
