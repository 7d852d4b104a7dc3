import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A hidden page polls nothing, so its session ends after this time. */
const IDLE_MS = 12 * 60 * 60 * 1000;

/** A header that neither a form nor an image can send: another site would need a CORS permission that it never gets. */
const REQUEST_HEADER = 'x-petstore-dashboard';

/**
 * Who may use the dashboard: whoever opens the printed URL, whose token starts a session in a cookie. The token and the
 * sessions live as long as the server.
 */
export class Access {
  readonly token = randomBytes(32).toString('base64url');
  readonly #singleUseTokens = new Set<string>();
  readonly #usedAtMs = new Map<string, number>();
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

  /** Whether a request was sent by the page itself. Browsers do not let another page forge these headers. */
  isFromPage(headers: IncomingHttpHeaders): boolean {
    const site = headers['sec-fetch-site'];
    return (
      headers.origin === this.origin &&
      headers[REQUEST_HEADER] === '1' &&
      (site === undefined || site === 'same-origin')
    );
  }

  /** A token that works once, for places where others may read it, such as the arguments of a process. */
  singleUseToken(): string {
    const token = randomBytes(32).toString('base64url');
    this.#singleUseTokens.add(token);
    return token;
  }

  /** The cookie of a new session, or undefined if the token is wrong. */
  startSession(token: string): string | undefined {
    if (!isSameText(token, this.token) && !this.#singleUseTokens.delete(token)) return undefined;
    const session = randomBytes(32).toString('base64url');
    this.#usedAtMs.set(session, this.#now());
    return `${this.#cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  hasSession({ cookie = '' }: IncomingHttpHeaders): boolean {
    const prefix = `${this.#cookieName}=`;
    const value = cookie
      .split('; ')
      .find(pair => pair.startsWith(prefix))
      ?.slice(prefix.length);
    const usedAtMs = value === undefined ? undefined : this.#usedAtMs.get(value);
    if (value === undefined || usedAtMs === undefined) return false;
    if (this.#now() - usedAtMs > IDLE_MS) {
      this.#usedAtMs.delete(value);
      return false;
    }
    this.#usedAtMs.set(value, this.#now());
    return true;
  }

  /** Browsers send a cookie to every port of a host. The port in the name keeps the sessions of two dashboards apart. */
  get #cookieName(): string {
    return `petstore-dashboard-${this.#port}`;
  }
}

/** Compares hashes, so that the timing does not reveal where the texts differ. */
function isSameText(left: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
