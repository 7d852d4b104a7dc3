import { type Deprecation, deprecationOf, linkTargets } from './deprecation.ts';
import { parseJson } from './json.ts';
import type { LoadedPage } from './paged-list.ts';
import { PetstoreError } from './petstore-error.ts';
import { type Clock, retryAfterSeconds, retryDelayMs } from './retry.ts';
import { differenceFrom, type Shape } from './shape.ts';

export interface ConnectionSettings {
  readonly origin: string;
  readonly apiKey: string;
  readonly maxAttempts: number;
  readonly timeoutMs: number;
  readonly onDeprecation: (deprecation: Deprecation) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

export interface CallOptions {
  /** Ends the call, waits between attempts included. The call then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the headers of the successful response, for a list with those of each page. If it throws, so does the call. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}

/** What one call sends. It may be sent more than once, so it has to be idempotent. */
export interface Call {
  /** Method and path as the document has them, such as `GET /pets/{petId}`. */
  readonly operation: string;
  readonly url: URL;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | null;
  readonly options: CallOptions;
}

/** The longest time that a timer can have, 24.8 days; after a longer one it would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
    if (!settings.apiKey) throw new TypeError('apiKey is missing. Is the variable that should hold it set?');
    if (!(settings.timeoutMs > 0)) throw new TypeError('timeoutMs must be a number above 0.');
    if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) {
      throw new TypeError('apiKey must be an API key, which has letters, digits and underscores only.');
    }
    this.#authorization = new Headers({ Authorization: `Bearer ${settings.apiKey}` });
  }

  /** The body of a successful response; undefined if none is documented. */
  async value<Value>(call: Call, shape: Shape<Value> | undefined): Promise<Value> {
    const received = await this.#send(call);
    return shape ? documented(bodyOf(received), shape, received.response) : (undefined as Value);
  }

  /** A page and the link to the next one. */
  async page<Item>(
    call: Call,
    shape: Shape<Item>,
    readPages: ReadonlySet<string>,
  ): Promise<LoadedPage<Item>> {
    const received = await this.#send(call);
    const items = bodyOf(received);
    if (!Array.isArray(items)) throw unexpectedResponse(received.response, "The response isn't a list.");
    for (const item of items) documented(item, shape, received.response);
    return { items, next: this.#nextPage(received.response, call.url, readPages) };
  }

  /** The next page must not leave the origin, since the API key is sent there, and a list must come to an end. */
  #nextPage(response: Response, url: URL, readPages: ReadonlySet<string>): URL | undefined {
    const link = response.headers.get('Link');
    const targets = linkTargets(link, 'next');
    const [target] = targets ?? [];
    if (targets?.length === 0) return undefined;
    if (target === undefined || targets?.length !== 1 || !URL.canParse(target, url.href)) {
      throw unexpectedResponse(response, `The link to the next page can't be read: ${link}`);
    }
    const next = new URL(target, url);
    if (next.origin !== this.#settings.origin) {
      throw unexpectedResponse(response, `The next page is on another origin: ${next.origin}.`);
    }
    if (readPages.has(next.href)) throw unexpectedResponse(response, 'The next page was already read.');
    return next;
  }

  async #send(call: Call): Promise<Received> {
    const { maxAttempts, clock } = this.#settings;
    const headers = new Headers(this.#authorization);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(call, headers);
      if (!(outcome instanceof PetstoreError)) {
        call.options.onHeaders?.(outcome.response.headers);
        return outcome;
      }
      const delayMs = attempt < maxAttempts ? retryDelayMs(outcome, attempt, clock) : undefined;
      if (delayMs === undefined) throw outcome;
      await clock.sleep(delayMs, call.options.signal);
    }
  }

  async #attempt(call: Call, headers: Headers): Promise<Received | PetstoreError> {
    const { signal } = call.options;
    signal?.throwIfAborted();
    let received: Received;
    try {
      received = await this.#exchange(call, headers);
    } catch (cause) {
      signal?.throwIfAborted();
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
  async #exchange({ url, method = 'GET', body = null, options }: Call, headers: Headers): Promise<Received> {
    const { signal } = options;
    const { fetch, timeoutMs } = this.#settings;
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    const expire = () =>
      controller.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, 'TimeoutError'));
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(expire, timeoutMs);
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
    // Whatever it throws, also later, must neither fail the call nor end the process.
    Promise.resolve(deprecation)
      .then(this.#settings.onDeprecation)
      .catch(error => {
        // biome-ignore lint/suspicious/noConsole: there is no caller to tell.
        console.warn('petstore-client: onDeprecation failed.', error);
      });
  }
}

function bodyOf({ response, text }: Received): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw unexpectedResponse(response, 'The response is not JSON.', cause);
  }
}

function documented<Value>(value: unknown, shape: Shape<Value>, response: Response): Value {
  const difference = differenceFrom(value, shape);
  if (difference) throw unexpectedResponse(response, `The response is not as documented: ${difference}.`);
  return value as Value;
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
