import { createHmac } from 'node:crypto';

/**
 * Proves that a request through a proxy arrives here: for any domain that leads to them, the service's own API and the API of
 * redirects return something that takes the secret to compute. A server that relays requests to us can return it, too, which is
 * what a proxy does. Every request has a new nonce, so no cache can return it.
 */
export const PROOF_ROUTE = { method: 'GET', path: '/domain-proof' } as const;

/** The path of a custom domain. */
export const PROOF_PATH = `/v1${PROOF_ROUTE.path}`;

const NONCE = /^[0-9a-f]{32}$/;

/**
 * The proof for a domain; undefined if the nonce is malformed. Cursors use the same secret, but their text never begins
 * like this.
 */
export function proofOf(secret: string, domain: string, nonce = ''): string | undefined {
  if (!NONCE.test(nonce)) return undefined;
  return createHmac('sha256', secret).update(`${PROOF_ROUTE.path}\n${domain}\n${nonce}`).digest('base64url');
}
