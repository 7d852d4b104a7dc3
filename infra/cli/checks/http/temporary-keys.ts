import { isValid } from '../../../../shared/api-keys/api-key-record.ts';
import { SCOPE_NAMES } from '../../../../shared/api-keys/scopes.ts';
import { SMOKE_KEY_NAME } from '../../../../shared/operator/checks.ts';
import type { Scope } from '../../../../shared/operator/contract.ts';
import { CommandError, EXIT_CODES, inOneText } from '../../../operator/connection/command-error.ts';
import type { Session } from '../../framework/session.ts';
import { requireKey } from '../../keys/keys-command.ts';
import type { SmokeKeys } from './http-checks.ts';

/**
 * If the process is killed, the keys end by themselves soon after the longest run. The function allows 15 minutes by its
 * own clock.
 */
export const EXPIRY_MS = 10 * 60_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Unrevoked {
  readonly id: string;
  readonly reason: string;
}

interface TemporaryKeysOutcome<Result> {
  readonly result: Result;
  readonly keys: SmokeKeys;
  readonly unrevoked: readonly Unrevoked[];
}

/**
 * Does work with API keys that are created for it and revoked when it ends, fails or is interrupted. A signal that ends
 * the process aborts the work, and the process ends after the revocation.
 */
export async function withTemporaryKeys<Result>(
  session: Session,
  work: (keys: SmokeKeys, signal: AbortSignal) => Promise<Result>,
): Promise<TemporaryKeysOutcome<Result>> {
  const created: string[] = [];
  const create = async (scopes: Scope[]): Promise<string> => {
    const expiresAt = new Date(Date.now() + EXPIRY_MS).toISOString();
    const input = { name: SMOKE_KEY_NAME, expiresAt, scopes };
    const reply = await session.change('keys.create', input, '', { isConfirmed: true });
    // Recorded before the reply is checked: a key whose reply was lost is revoked, too.
    created.push(reply.id);
    signal.throwIfAborted();
    return requireKey(session, reply).key;
  };
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = () =>
    interruption.abort(new CommandError('interrupted', 'Interrupted.', { exitCode: EXIT_CODES.interrupted }));
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    const byNoun = new Map<string, string>();
    for (const [noun, scopes] of Map.groupBy(SCOPE_NAMES, nounOf)) byNoun.set(noun, await create(scopes));
    const keys = smokeKeys(byNoun);
    const result = await endingWith(signal, work(keys, signal));
    return { result, keys, unrevoked: await revokeAll(session, created.splice(0)) };
  } catch (error) {
    const unrevoked = await revokeAll(session, created.splice(0));
    await forgetKeys(session);
    throw withAdviceOn(unrevoked, session, error);
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}

/** The noun of a scope: `pets` of `pets:read`. */
function nounOf(scope: Scope): string {
  return scope.replace(/:.*/, '');
}

function smokeKeys(byNoun: ReadonlyMap<string, string>): SmokeKeys {
  const keyOf = (isWanted: (noun: string) => boolean): string => {
    const [, key] = [...byNoun].find(([noun]) => isWanted(noun)) ?? [];
    if (key === undefined) throw new Error('No key has such scopes.');
    return key;
  };
  return {
    all: [...byNoun.values()],
    with: scope => keyOf(noun => noun === nounOf(scope)),
    without: scope => keyOf(noun => noun !== nounOf(scope)),
  };
}

export function unrevokedText(session: Session, { id, reason }: Unrevoked): string {
  const command = session.commandLine(`keys revoke ${id}`);
  return inOneText([
    `The temporary API key ${id} wasn't revoked: ${reason}`,
    `It expires within minutes. Revoke it with: ${command}`,
  ]);
}

/** The result of the work, or the reason of the signal, whichever comes first. */
async function endingWith<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  // The signal may have come before.
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The work fails, too, when it is aborted; nobody waits for it then.
    work.catch(() => {});
  }
}

async function revokeAll(session: Session, ids: readonly string[]): Promise<Unrevoked[]> {
  const unrevoked: Unrevoked[] = [];
  for (const id of ids) {
    await session.change('keys.revoke', { id }, '', { isConfirmed: true }).catch((error: Error) => {
      unrevoked.push({ id, reason: error.message });
    });
  }
  return unrevoked;
}

/**
 * Deletes the records of the keys that this run has revoked, and of those that runs before it left behind when they were
 * killed: these have expired.
 */
export async function forgetKeys(session: Session): Promise<void> {
  try {
    const { keys } = await session.read('keys.list');
    for (const key of keys.filter(({ name }) => name === SMOKE_KEY_NAME)) {
      if (isValid(key, Date.now())) continue;
      await session.change('keys.forget', { id: key.id }, '', { isConfirmed: true });
    }
  } catch (error) {
    // Another run may forget the same keys; whatever is left is the next run's to forget.
    session.progress(`Some records of revoked API keys are left over: ${(error as Error).message}`);
  }
}

function withAdviceOn(unrevoked: readonly Unrevoked[], session: Session, error: unknown): unknown {
  const failure =
    error instanceof CommandError ? error : new CommandError('internal_error', (error as Error).message);
  return unrevoked.reduce((extended, key) => extended.withAdvice(unrevokedText(session, key)), failure);
}
