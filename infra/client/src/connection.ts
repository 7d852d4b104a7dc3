import { type Deprecation, deprecationOf, linkTarget } from './deprecation.ts';
import { parseJson } from './json.ts';
import type { LoadedPage } from './paged-list.ts';
import { PetstoreError } from './petstore-error.ts';
import { type Clock, retryAfterSeconds, retryDelayMs } from './retry.ts';

export interface ConnectionSettings {
  readonly origin: string;
  readonly apiKey: string;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly onDeprecation: (deprecation: Deprecation) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** What one call sends. It may be sent more than once, so it has to be idempotent. */
export interface Call {
  /** Method and path as the document has them, such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly url: URL;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | null;
  readonly signal: AbortSignal | undefined;
}

interface Received {
  readonly response: Response;
  readonly text: string;
}

/** Sends requests with the API key and retries them. */
export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #authorization: Headers;
  /** Operations whose deprecation was reported. */
  readonly #reported = new Set<string>();

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) {
      throw new TypeError('apiKey must be an API key, which has letters, digits and underscores only.');
    }
    this.#authorization = new Headers({ Authorization: `Bearer ${settings.apiKey}` });
  }

  /** The body of a successful response; undefined if it has none. */
  async value<Value>(call: Call): Promise<Value> {
    return bodyOf<Value>(await this.#send(call));
  }

  /** A page and the link to the next one, which must not leave the origin: the API key is sent there. */
  async page<Item>(call: Call): Promise<LoadedPage<Item>> {
    const received = await this.#send(call);
    const target = linkTarget(received.response.headers.get('Link'), 'next');
    const next = target === undefined ? undefined : new URL(target, call.url);
    if (next && next.origin !== this.#settings.origin) {
      throw unexpectedResponse(received.response, `The next page is on another origin: ${next.origin}.`);
    }
    return { items: bodyOf<Item[]>(received), next };
  }

  async #send(call: Call): Promise<Received> {
    const { maxAttempts, clock } = this.#settings;
    const headers = new Headers(this.#authorization);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(call, headers);
      if (!(outcome instanceof PetstoreError)) return outcome;
      const delayMs = attempt < maxAttempts ? retryDelayMs(outcome, attempt, clock) : undefined;
      if (delayMs === undefined) throw outcome;
      await clock.sleep(delayMs, call.signal);
    }
  }

  async #attempt(call: Call, headers: Headers): Promise<Received | PetstoreError> {
    call.signal?.throwIfAborted();
    let received: Received;
    try {
      received = await this.#exchange(call, headers);
    } catch (cause) {
      call.signal?.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : cause;
      return new PetstoreError('network_error', `No response from ${call.url.origin}: ${reason}`, {
        status: 0,
        cause,
      });
    }
    this.#reportDeprecation(call.operation, received.response.headers);
    return received.response.ok ? received : errorOf(received, this.#settings.clock.now());
  }

  /** Sends the request once and reads the whole response within the time limit. */
  async #exchange({ url, method = 'GET', body = null, signal }: Call, headers: Headers): Promise<Received> {
    const { fetch, timeoutMs } = this.#settings;
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    const timer = setTimeout(
      () => controller.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, 'TimeoutError')),
      timeoutMs,
    );
    signal?.addEventListener('abort', stop, { once: true });
    try {
      // The service never redirects, and a redirect could lead the request elsewhere.
      const response = await fetch(url, {
        method,
        headers,
        body,
        redirect: 'manual',
        signal: controller.signal,
      });
      return { response, text: await response.text() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  #reportDeprecation(operation: string, headers: Headers): void {
    const deprecation = deprecationOf(operation, headers);
    if (!deprecation || this.#reported.has(operation)) return;
    this.#reported.add(operation);
    this.#settings.onDeprecation(deprecation);
  }
}

function bodyOf<Value>({ response, text }: Received): Value {
  if (response.status === 204) return undefined as Value;
  try {
    return parseJson(text) as Value;
  } catch (cause) {
    throw unexpectedResponse(response, 'The response is not JSON.', cause);
  }
}

/** The error of a response with the Error body; another body is not the service's, but that of something in between. */
function errorOf({ response, text }: Received, nowMs: number): PetstoreError {
  const retryAfter = retryAfterSeconds(response.headers.get('Retry-After'), nowMs);
  try {
    const { code, message } = JSON.parse(text);
    if (typeof code === 'string')
      return new PetstoreError(code, message, { ...detailsOf(response), retryAfter });
  } catch {}
  return new PetstoreError('unexpected_answer', `The response is HTTP ${response.status}.`, {
    ...detailsOf(response),
    retryAfter,
  });
}

function unexpectedResponse(response: Response, message: string, cause?: unknown): PetstoreError {
  return new PetstoreError('unexpected_answer', message, { ...detailsOf(response), cause });
}

function detailsOf({ status, headers }: Response) {
  return { status, requestId: headers.get('X-Request-Id') ?? undefined };
}
