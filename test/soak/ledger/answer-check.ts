import type { Report } from './violations.ts';

/** An answer of the HTTP interface. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The documented errors (shared/http/README.md). */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request', 'invalid_cursor'],
  401: ['unauthorized'],
  403: ['forbidden'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_mismatch'],
  429: ['rate_limited'],
  500: ['internal_error'],
  503: ['unavailable'],
  504: ['timeout'],
};

/**
 * The answers to any request while something fails: the same request may succeed later. A 500 is among them, because
 * its cause is examined at the end (final/check-server-errors.ts): a machine that is too busy to start a function within
 * Lambda's 10 s makes the gateway answer so, and nothing else may.
 */
export const TRANSIENT = [429, 500, 503, 504];

/** The statuses that tell a client that it has contradicted itself. */
const CONFLICTS = [409, 422];

/**
 * Checks that an answer is one that the interface documents for the request. `expected` are the statuses of the request
 * itself; transient ones may always come. Returns whether the answer is as expected.
 */
export function checkAnswer(
  request: string,
  { status, headers, text }: HttpAnswer,
  expected: readonly number[],
  report: Report,
): boolean {
  const answered = `${request} was answered with ${status} ${text.slice(0, 200)}`;
  const fault = bodyFault(status, headers, text);
  if (fault) report('undocumented answer', `${answered}: ${fault}`);
  if (TRANSIENT.includes(status)) return false;
  if (expected.includes(status)) return !fault;
  if (CONFLICTS.includes(status)) report('false conflict', answered);
  else if (status === 401 || status === 403) report('valid key refused', answered);
  else if (!fault) report('undocumented answer', `${answered}, not ${expected.join(' or ')}`);
  return false;
}

function bodyFault(status: number, headers: HttpAnswer['headers'], text: string): string | undefined {
  if (!/^\S{8,}$/.test(String(headers['x-request-id'] ?? ''))) return 'it has no X-Request-Id';
  if (status === 200 || status === 201) return undefined;
  const codes = CODES[status];
  if (!codes) return `${status} is not a status that may be answered`;
  const error = parsed(text);
  if (!error || Object.keys(error).toSorted().join() !== 'code,message,status') return 'it has no Error body';
  if (error.status !== status) return 'the body has another status';
  if (!codes.includes(String(error.code))) return `the code of a ${status} is ${codes.join(' or ')}`;
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
