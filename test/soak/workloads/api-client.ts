import { Agent } from 'node:http';
import { exchange, type HttpResponse } from '../../../infra/tools/http-exchange.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/http/json.ts';
import type { Interval, SeenPet } from '../ledger/pet-ledger.ts';
import type { Report } from '../ledger/violations.ts';
import type { SoakContext } from '../world.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TimedResponse extends HttpResponse {
  readonly during: Interval;
}

/** A machine that is this slow has stopped. A slow response isn't a violation, so the limit ends only what hangs. */
const HANGING_MS = 120_000;

/** Sends requests to the HTTP interface, and records what is to be held of every response. */
export class ApiClient {
  readonly #context: SoakContext;
  readonly #agent = new Agent({ keepAlive: true });
  static readonly #requestIds = new Set<string>();

  constructor(context: SoakContext) {
    this.#context = context;
  }

  /** The response; undefined when there is none, so that it is not known whether the request was carried out. */
  async send(apiRequest: ApiRequest): Promise<TimedResponse | undefined> {
    const { now, service, tally, violations } = this.#context;
    await service.whenRunning();
    const fromMs = now();
    const { url, ...parts } = apiRequest;
    const limits = { agent: this.#agent, signal: AbortSignal.timeout(HANGING_MS) };
    const response = await exchange(url, { ...parts, ...limits }).catch(() => undefined);
    const during = { fromMs, toMs: now() };
    tally.count('requests');
    if (!response) {
      tally.count('requests without a response');
      return undefined;
    }
    tally.count(`responses ${response.status}`);
    const requestId = String(response.headers['x-request-id'] ?? '');
    if (ApiClient.#requestIds.has(requestId)) {
      violations.add('undocumented response', `the X-Request-Id ${requestId} was used twice`);
    }
    ApiClient.#requestIds.add(requestId);
    if (response.status === 500) {
      const { method, body = '' } = apiRequest;
      this.#context.serverErrors.set(requestId, `${method} ${url} ${body.slice(0, 80)}`);
    }
    return { ...response, during };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * The responses to any request while something fails: the same request may succeed later. A 500 is among them, because
 * its cause is examined at the end (final-checks.ts): a machine that is too busy to start a function within
 * Lambda's 10 s makes the gateway response so, and nothing else may.
 */
export const TRANSIENT = [429, 500, 503, 504];

/** The statuses that tell a client that it has contradicted itself. */
const CONFLICTS = [409, 422];

/**
 * Checks that a response is one that the interface documents for the request. `expected` are the statuses of the request
 * itself; transient ones may always come. Returns whether the response is as expected.
 */
export function checkResponse(
  request: string,
  { status, headers, text }: Pick<HttpResponse, 'status' | 'headers' | 'text'>,
  expected: readonly number[],
  report: Report,
): boolean {
  const described = `${request} returned ${status} ${text.slice(0, 200)}`;
  const fault = bodyFault(status, headers, text);
  if (fault) report('undocumented response', `${described}: ${fault}`);
  if (TRANSIENT.includes(status)) return false;
  if (expected.includes(status)) return !fault;
  if (CONFLICTS.includes(status)) report('false conflict', described);
  else if (status === 401 || status === 403) report('valid key refused', described);
  else if (!fault) report('undocumented response', `${described}, not ${expected.join(' or ')}`);
  return false;
}

function bodyFault(status: number, headers: HttpResponse['headers'], text: string): string | undefined {
  if (!/^\S{8,}$/.test(String(headers['x-request-id'] ?? ''))) return 'it has no X-Request-Id';
  if (status === 200 || status === 201) return undefined;
  const error = parsed(text);
  if (!error || Object.keys(error).toSorted().join() !== 'code,message,status') return 'it has no Error body';
  if (error.status !== status) return 'the body has another status';
  if (STATUS_BY_CODE[error.code as ErrorCode] !== status) return `${error.code} is not a code of a ${status}`;
  const needsRetryAfter = status === 429 || status === 503;
  if (needsRetryAfter && !(Number(headers['retry-after']) > 0)) return 'it has no Retry-After';
  return undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads pets, or orders, of a response: the texts of their fields, with every digit of numbers. */
export function readItems<Item = SeenPet>(text: string): Item[] {
  const items = [parseJson(text)].flat() as Record<string, unknown>[];
  const textsOf = (item: object) => Object.entries(item).map(([name, value]) => [name, String(value)]);
  return items.map(item => Object.fromEntries(textsOf(item)) as Item);
}

/** The address of the next page, or undefined on the last one. */
export function nextPage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
}
