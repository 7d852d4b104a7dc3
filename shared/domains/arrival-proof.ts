import { createHmac } from 'node:crypto';

/**
 * How a request through a proxy shows that it arrives here: the service's own API and the API of redirects return, for any
 * domain that leads to them, what only somebody with the secret can compute. A server that relays requests to us can return
 * it as well, which is what a proxy does. Every request has another nonce, so that no cache can return it.
 */
export const PROOF_ROUTE = { method: 'GET', path: '/domain-proof' } as const;

/** The path of a custom domain. */
export const PROOF_PATH = `/v1${PROOF_ROUTE.path}`;

const NONCE = /^[0-9a-f]{32}$/;

/** The proof for a domain; undefined for what is not a nonce. Cursors, which have the same secret, never begin like this. */
export function proofOf(secret: string, domain: string, nonce = ''): string | undefined {
  if (!NONCE.test(nonce)) return undefined;
  return createHmac('sha256', secret).update(`${PROOF_ROUTE.path}\n${domain}\n${nonce}`).digest('base64url');
}
