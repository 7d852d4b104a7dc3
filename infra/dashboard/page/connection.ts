import type { Answer, ShownError } from '../server/environment-view.ts';
import { observable } from './observable.ts';

/** Why nothing can be read or changed, until something is done outside of this page. */
export interface Interruption {
  readonly kind: 'session' | 'server' | 'credentials';
  readonly error: ShownError;
}

const KIND_BY_CODE: Readonly<Record<string, Interruption['kind']>> = {
  session_ended: 'session',
  server_gone: 'server',
  not_running: 'server',
  no_credentials: 'credentials',
  expired_credentials: 'credentials',
  credentials_refused: 'credentials',
  access_denied: 'credentials',
};

/** The interruption that the latest answer told of. */
export const interruption = observable<Interruption | undefined>(undefined);

export function noteAnswer(answer: Answer): void {
  const kind = answer.ok ? undefined : KIND_BY_CODE[answer.error.code];
  if (answer.ok || !kind) {
    if (interruption.value) interruption.set(undefined);
    return;
  }
  if (interruption.value?.kind !== kind) interruption.set({ kind, error: answer.error });
}
