import { type ChangeName, COMMANDS } from './contract.ts';

/**
 * Identifies what somebody wants done, for every attempt to do it: a UUID, and behind a dot the seed of a secret that the
 * result has. The function carries the request out once. It derives the secret from the seed and stores neither, so only
 * whoever has sent the seed gets the secret again when a response was lost.
 */
export function newRequestId(command: ChangeName): string {
  const id = crypto.randomUUID();
  return 'givesSecret' in COMMANDS[command] ? `${id}.${newSeed()}` : id;
}

/** 192 bits: more than an API key has. */
const SEED_BYTES = 24;

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-f]{48}))?$/;

function newSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The parts of a request id; undefined for other text. */
export function readRequestId(text: string): { requestId: string; seed: string | undefined } | undefined {
  const [, requestId, seed] = FORM.exec(text) ?? [];
  return requestId === undefined ? undefined : { requestId, seed };
}
