import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A hidden page polls nothing, so its session ends after this time. */
export const IDLE_MS = 12 * 60 * 60 * 1000;

/** Has the secret of the session. No form, image or link sends a header, and other sites never get the CORS permission. */
const REQUEST_HEADER = 'x-petstore-dashboard';

/**
 * Who may use the dashboard: whoever opens the printed URL. The page exchanges the URL's token for the secret of a
 * session, which it keeps in the storage of its origin. A cookie would reach every port of 127.0.0.1, and so the servers
 * of other users. The token and the sessions live as long as the server.
 */
export class Access {
  readonly token = newSecret();
  readonly #singleUseTokens = new Set<string>();
  #sessions: { readonly secret: string; usedAtMs: number }[] = [];
  readonly #port: number;
  readonly #now: () => number;

  constructor(port: number, now = Date.now) {
    this.#port = port;
    this.#now = now;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Rejects DNS rebinding: an attacker's name that resolves to this machine is another host. */
  isOwnHost({ host }: IncomingHttpHeaders): boolean {
    return host === `127.0.0.1:${this.#port}`;
  }

  /** Whether the page itself sent a request, as far as a browser says so. */
  isFromPage(headers: IncomingHttpHeaders): boolean {
    const site = headers['sec-fetch-site'];
    return headers.origin === this.origin && (site === undefined || site === 'same-origin');
  }

  /** A token that works once, for places where others may read it, such as the arguments of a process. */
  singleUseToken(): string {
    const token = newSecret();
    this.#singleUseTokens.add(token);
    return token;
  }

  /** The secret of a new session for a token, that of the session itself if it goes on, or else undefined. */
  openSession(headers: IncomingHttpHeaders): string | undefined {
    const given = String(headers[REQUEST_HEADER]);
    if (this.hasSession(headers)) return given;
    if (!isSameText(given, this.token) && !this.#singleUseTokens.delete(given)) return undefined;
    const secret = newSecret();
    this.#sessions.push({ secret, usedAtMs: this.#now() });
    return secret;
  }

  hasSession(headers: IncomingHttpHeaders): boolean {
    const now = this.#now();
    this.#sessions = this.#sessions.filter(({ usedAtMs }) => now - usedAtMs <= IDLE_MS);
    const given = String(headers[REQUEST_HEADER]);
    const session = this.#sessions.find(({ secret }) => isSameText(secret, given));
    if (session) session.usedAtMs = now;
    return session !== undefined;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares hashes, so that the timing does not reveal where the texts differ. */
function isSameText(left: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
