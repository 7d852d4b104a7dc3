import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Target } from '../../../operator/connection/target.ts';
import { exchange, type HttpResponse } from '../../../tools/http-exchange.ts';
import { printable } from '../../framework/style.ts';
import { Broken } from '../check.ts';

export interface Response {
  /** Such as `GET /pets?limit=1`. */
  readonly request: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded as its Content-Encoding says; of a foreign host's, the beginning as it is. */
  readonly text: string;
}

export interface RequestParts {
  /** The API key; null sends none. By default it is the key for pets. No other host than the base URL's gets any. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is if it is text or bytes, else as JSON. */
  readonly body?: unknown;
}

/** Sends `GET /pets` to the environment, or `GET https://…` to another URL. Paths are sent as they are written. */
export type Send = (methodAndTarget: string, parts?: RequestParts) => Promise<Response>;

export interface SmokeClientOptions {
  readonly baseUrl: string;
  /** Our host that serves the base URL, where the DNS of its name is a customer's. */
  readonly baseHost?: string | undefined;
  readonly key: string;
  readonly edge: Target['edge'];
  readonly signal?: AbortSignal;
  readonly onResponse?: (response: Response) => void;
  readonly onThrottled?: (waitMs: number) => void;
  /** Whether API Gateway may not know a key yet: a 401 then says nothing, and the request is sent again. */
  readonly isSpreading?: (key: string) => boolean;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

const LONGEST_TEXT = 200;

export function excerpt(text: string): string {
  return printable(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
}

/** No response came. The message says to which request, and why. */
export class NoResponse extends Broken {
  override readonly name = 'NoResponse';
}

/** The body of a response can't be decoded as its Content-Encoding says, so no client can read it. */
export class Undecodable extends Broken {
  override readonly name = 'Undecodable';
}

/** API Gateway responds within 29 s; the rest is for the connection. */
const RESPONSE_LIMIT_MS = 35_000;

/** More than the largest Error has. */
const FOREIGN_BODY_BYTES = 4096;

const MAX_ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 10;
const SPREADING_PAUSE_MS = 1000;

/**
 * A client of one environment, which accepts compressed responses as most clients do. A throttled request is repeated
 * after the time that the response asks for. Other hosts get no key, whatever the caller or a Link says.
 */
export function smokeClient({
  baseUrl,
  baseHost,
  key: ownKey,
  edge,
  signal,
  onResponse,
  onThrottled,
  isSpreading = () => false,
  wait = (ms, aborted) => pause(ms, undefined, { signal: aborted }),
}: SmokeClientOptions): Send {
  return async (methodAndTarget, { key: givenKey = ownKey, headers, body } = {}) => {
    const [method = '', target = ''] = methodAndTarget.split(/ (.*)/s);
    const url = target.startsWith('http') ? target : `${baseUrl}${target}`;
    const isOwn = new URL(url).origin === new URL(baseUrl).origin;
    const key = isOwn ? givenKey : null;
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const content = isRaw ? body : JSON.stringify(body);
    const options = {
      method,
      body: content,
      // The custom domains of the local AWS are served by its edge, whose CA is its own.
      edge: edge ?? (isOwn && baseHost !== undefined ? { https: baseHost } : undefined),
      ...(!isOwn && { maxBytes: FOREIGN_BODY_BYTES }),
      headers: {
        'Accept-Encoding': isOwn ? 'gzip' : 'identity',
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    };
    for (let attempt = 1; ; ) {
      const limit = AbortSignal.timeout(RESPONSE_LIMIT_MS);
      const ended = signal ? AbortSignal.any([signal, limit]) : limit;
      const received = await exchange(url, { ...options, signal: ended }).catch((error: Error) => {
        signal?.throwIfAborted();
        // The certificate of a foreign host may be quoted in it.
        const why = excerpt(error.message);
        throw new NoResponse(`${methodAndTarget}: expected a response, got none: ${why}`);
      });
      const { status, headers: sent } = received;
      const text = isOwn ? decodedText(methodAndTarget, received) : received.text;
      const response = { request: methodAndTarget, status, headers: sent, text };
      if (response.status === 401 && key !== null && isSpreading(key)) {
        await wait(SPREADING_PAUSE_MS, signal);
        continue;
      }
      if (response.status !== 429 || !isOwn || attempt === MAX_ATTEMPTS) {
        onResponse?.(response);
        return response;
      }
      attempt += 1;
      const waitMs = retryAfterMs(response);
      onThrottled?.(waitMs);
      await wait(waitMs, signal);
    }
  };
}

function decodedText(request: string, { headers, bytes }: HttpResponse): string {
  const encoding = headers['content-encoding'];
  // The response to HEAD has the header and no body.
  if (encoding === undefined || encoding === 'identity' || bytes.length === 0) return bytes.toString();
  try {
    if (encoding === 'gzip') return gunzipSync(bytes).toString();
  } catch {
    // Said below.
  }
  const seen = JSON.stringify(bytes.toString('latin1', 0, 24));
  const isBase64 = /^H4sI[\w+/]*=*$/.test(bytes.toString('latin1'));
  const cause = isBase64
    ? `base64 text (${seen}…): is binaryMediaTypes missing from the REST API?`
    : `a body that begins with ${seen}`;
  throw new Undecodable(`${request}: expected a body with the Content-Encoding ${encoding}, got ${cause}`);
}

function retryAfterMs({ headers }: Response): number {
  const seconds = Number(headers['retry-after']);
  return 1000 * (seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 1);
}
