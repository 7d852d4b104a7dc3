import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A hidden page polls nothing, so its session ends after this time. */
export const IDLE_MS = 12 * 60 * 60 * 1000;

/** Holds the session's secret. Forms, images and links can't send headers, and other sites never get CORS permission. */
export const REQUEST_HEADER = 'x-petstore-dashboard';

/** Printed above the link whose host isn't random. */
export const FALLBACK_NOTE =
  'Safari may not find that host. The link below works in Safari, but a program that used the port before could take over the session: on a shared computer, use another browser.';

interface Link {
  readonly token: string;
  readonly isSingleUse: boolean;
}

interface LinkOptions {
  /** Instead of a random one. */
  readonly host?: string;
  readonly isSingleUse?: boolean;
}

/**
 * Who may use the dashboard: whoever opens a sign-in link. Each link has a random host below `localhost`, which browsers
 * resolve to this machine, and a token that its page exchanges for a session secret at that host. Browsers keep storage and
 * service workers by host and port, so an earlier user of the port has nothing at a host that didn't exist then. Nothing here
 * outlives the server, so a later user of the port gets nothing that this or the next server would accept.
 */
export class Access {
  readonly #links = new Map<string, Link>();
  #sessions: { readonly secret: string; readonly host: string; usedAtMs: number }[] = [];
  #newestOrigin: string | undefined;
  readonly #port: number;
  readonly #now: () => number;

  constructor(port: number, now: () => number = Date.now) {
    this.#port = port;
    this.#now = now;
  }

  /** The URL of a new link. Use a single-use one where others may read it, such as in process arguments. */
  link({ host = `${randomBytes(10).toString('hex')}.localhost`, isSingleUse = false }: LinkOptions = {}) {
    const token = newSecret();
    this.#links.set(`${host}:${this.#port}`, { token, isSingleUse });
    return `http://${host}:${this.#port}/#token=${token}`;
  }

  /** The origin of a request's host, if a link has that host: an attacker's name may resolve to this machine, too. */
  originOf({ host = '' }: IncomingHttpHeaders): string | undefined {
    return this.#links.has(host) ? `http://${host}` : undefined;
  }

  /** Where the newest session was opened, for a page whose session has ended. It gives no access. */
  get newestOrigin(): string | undefined {
    return this.#newestOrigin;
  }

  /** Whether the page itself sent a request, according to the browser. */
  isFromPage(headers: IncomingHttpHeaders): boolean {
    const site = headers['sec-fetch-site'];
    const isSameSite = site === undefined || site === 'same-origin';
    return isSameSite && headers.origin !== undefined && headers.origin === this.originOf(headers);
  }

  /** The secret of the request's session, or of a new one for the token of the host's link. */
  openSession(headers: IncomingHttpHeaders): string | undefined {
    const { host = '' } = headers;
    const given = String(headers[REQUEST_HEADER]);
    const link = this.#links.get(host);
    if (!link || !isSameText(given, link.token)) return this.hasSession(headers) ? given : undefined;
    if (link.isSingleUse) this.#links.set(host, { ...link, token: newSecret() });
    const secret = newSecret();
    this.#sessions.push({ secret, host, usedAtMs: this.#now() });
    this.#newestOrigin = this.originOf(headers);
    return secret;
  }

  hasSession(headers: IncomingHttpHeaders): boolean {
    const now = this.#now();
    this.#sessions = this.#sessions.filter(({ usedAtMs }) => now - usedAtMs <= IDLE_MS);
    const given = String(headers[REQUEST_HEADER]);
    const session = this.#sessions.find(
      ({ secret, host }) => host === headers.host && isSameText(secret, given),
    );
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
