import { setTimeout as pause } from 'node:timers/promises';
import type { NewApiKey, Scope } from '../../../shared/operator/contract.ts';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import type { Session } from '../framework/session.ts';

const PAUSE_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const RESPONSE_LIMIT_MS = 3000;

/** The status for a key that API Gateway doesn't know yet, by the service's gateway responses. */
const UNKNOWN_KEY_STATUS = 401;

/** The status for every key at a default endpoint that is closed. The request needs no scope that the key lacks. */
export const CLOSED_STATUS = 403;

/**
 * Sends requests with a new key until one is served, and says the outcome. If the URL isn't known, or no request is
 * served, it prints the note of the operator function, and the response if that has another cause than the key.
 */
export async function tryNewKey(session: Session, apiKey: NewApiKey & { key: string }): Promise<void> {
  if (session.wantsJson || !apiKey.note) return;
  const baseUrl = await baseUrlOf(session);
  let last: number | undefined;
  const isServed =
    baseUrl !== undefined &&
    (await becomesTrue(
      async () => {
        const { status, isServed } = await attempt(baseUrl, apiKey);
        last = status;
        if (!isServed && status !== UNKNOWN_KEY_STATUS) throw new Error("Waiting doesn't help.");
        return isServed;
      },
      () => session.progress('Waiting for the API to accept the key …'),
    ).catch(() => false));
  if (isServed) return session.say('The key works now.');
  session.say(apiKey.note);
  if (last !== undefined && last !== UNKNOWN_KEY_STATUS && last !== CLOSED_STATUS) {
    session.say(
      `The API responded with ${last} to a request with it. Find out why: ${session.commandLine('smoke')}`,
    );
  }
}

interface Patience {
  readonly longestMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Asks again and again. `onWaiting` is called once, when the second attempt has failed as well. */
export async function becomesTrue(
  attempt: () => Promise<boolean>,
  onWaiting: () => void,
  { longestMs = LONGEST_WAIT_MS, wait = pause }: Patience = {},
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= longestMs; waitedMs += PAUSE_MS) {
    if (waitedMs > 0) await wait(PAUSE_MS);
    if (await attempt()) return true;
    if (waitedMs === PAUSE_MS) onWaiting();
  }
  return false;
}

/** A request that the scopes of the key allow and that changes nothing: {} isn't a valid pet. */
function requestFor(scopes: readonly Scope[]): { path: string; method: string; body?: string } {
  if (scopes.includes('pets:read')) return { path: '/pets?limit=1', method: 'GET' };
  if (scopes.includes('orders:read')) return { path: '/store/orders', method: 'GET' };
  return { path: '/pets', method: 'POST', body: '{}' };
}

/** Only a response of the operation itself shows that the key works: to {} that is 400. */
async function attempt(
  baseUrl: string,
  { key, scopes }: NewApiKey & { key: string },
): Promise<{ status: number; isServed: boolean }> {
  const { path, ...request } = requestFor(scopes);
  const { status, ok, body } = await fetch(`${baseUrl}${path}`, {
    ...request,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  });
  await body?.cancel();
  return { status, isServed: request.body === undefined ? ok : status === 400 };
}

/** On AWS the API's own endpoint, and no custom domain: whoever has its DNS would get the key. */
async function baseUrlOf(session: Session): Promise<string | undefined> {
  if (session.target.baseUrl) return session.target.baseUrl;
  try {
    const { endpointUrl } = await session.read('projects.show', { id: SERVICE_PROJECT_ID });
    return `${endpointUrl}/v1`;
  } catch {
    return undefined;
  }
}
