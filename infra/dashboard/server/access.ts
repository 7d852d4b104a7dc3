import { createHash, createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { writePrivately } from '../../operator/connection/running-file.ts';

/** A hidden page polls nothing, so its session ends after this time. */
export const IDLE_MS = 12 * 60 * 60 * 1000;

/** So often it is written down that a browser is in use. */
const SAVE_MS = 10 * 60 * 1000;

/** As long as a page takes to sign a challenge. */
const CHALLENGE_MS = 60 * 1000;

/** Has the secret of the session. No form, image or link sends a header, and other sites never get the CORS permission. */
export const REQUEST_HEADER = 'x-petstore-dashboard';

interface AccessOptions {
  /** Keeps the public keys of browsers over restarts. */
  readonly file?: string | undefined;
  readonly now?: () => number;
}

/**
 * Who may use the dashboard: whoever opens the printed URL. The page exchanges the URL's token for the secret of a
 * session, and names a key of its browser, which no script can read. Later starts at the same port open a session for
 * whoever signs a challenge with that key: it is of no use to others who get the port. A cookie would reach every port of
 * 127.0.0.1, and so the servers of other users. The token and the secrets live as long as the server.
 */
export class Access {
  readonly token = newSecret();
  readonly #singleUseTokens = new Set<string>();
  readonly #challengeKey = newSecret();
  #sessions: { readonly secret: string; readonly browser: string }[] = [];
  /** When each browser was used last, by its public key. */
  readonly #usedAtMs: Map<string, number>;
  #savedAtMs = 0;
  readonly #port: number;
  readonly #file: string | undefined;
  readonly #now: () => number;

  constructor(port: number, { file, now = Date.now }: AccessOptions = {}) {
    this.#port = port;
    this.#file = file;
    this.#now = now;
    this.#usedAtMs = new Map(Object.entries(file ? keptBrowsers(file) : {}));
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

  /** What a browser that was signed in before signs, together with the origin of its page, to open a session. */
  challenge(at = this.#now()): string {
    return `${at}.${createHmac('sha256', this.#challengeKey).update(String(at)).digest('base64url')}`;
  }

  /** The secret of a new session, for a token or a signed challenge; undefined without either. */
  openSession(headers: IncomingHttpHeaders, given: Readonly<Record<string, unknown>>): string | undefined {
    const [browser = '', ...signed] = [given.browser, given.challenge, given.signature].map(String);
    const token = String(headers[REQUEST_HEADER]);
    const isInvited = isSameText(token, this.token) || this.#singleUseTokens.delete(token);
    if (!isInvited && !this.#hasSigned(browser, ...signed)) return undefined;
    const secret = newSecret();
    this.#sessions.push({ secret, browser });
    this.#use(browser);
    this.#save();
    return secret;
  }

  #hasSigned(browser: string, challenge = '', signature = ''): boolean {
    const at = Number(challenge.split('.')[0]);
    const isOwn = this.#now() - at <= CHALLENGE_MS && isSameText(challenge, this.challenge(at));
    return isOwn && this.#isKnown(browser) && isSigned(`${this.origin} ${challenge}`, browser, signature);
  }

  hasSession(headers: IncomingHttpHeaders): boolean {
    this.#sessions = this.#sessions.filter(({ browser }) => this.#isKnown(browser));
    const given = String(headers[REQUEST_HEADER]);
    const session = this.#sessions.find(({ secret }) => isSameText(secret, given));
    if (session) this.#use(session.browser);
    return session !== undefined;
  }

  #isKnown(browser: string): boolean {
    const usedAtMs = this.#usedAtMs.get(browser);
    return usedAtMs !== undefined && this.#now() - usedAtMs <= IDLE_MS;
  }

  #use(browser: string): void {
    this.#usedAtMs.set(browser, this.#now());
    if (this.#now() - this.#savedAtMs > SAVE_MS) this.#save();
  }

  #save(): void {
    for (const browser of this.#usedAtMs.keys()) {
      if (!this.#isKnown(browser)) this.#usedAtMs.delete(browser);
    }
    this.#savedAtMs = this.#now();
    try {
      if (this.#file) writePrivately(this.#file, Object.fromEntries(this.#usedAtMs));
    } catch {
      // Sessions then end with the server.
    }
  }
}

/** When browsers were used last, as an earlier start has written it. */
function keptBrowsers(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Whether a text was signed with a key of which this is the public one. */
function isSigned(text: string, publicKey: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const signed = Buffer.from(signature, 'base64');
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signed);
  } catch {
    return false;
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
