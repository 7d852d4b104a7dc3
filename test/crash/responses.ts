import type { HttpResponse } from '../../infra/tools/http-exchange.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../shared/errors.ts';
import type { Report } from './findings.ts';

type Response = Pick<HttpResponse, 'status' | 'headers' | 'text'>;

/**
 * The responses to any request while something fails: the same request may succeed later. A 500 is among them because its
 * cause is examined at the end (final-checks.ts).
 */
export const isTransient = (status: number) => [429, 500, 503, 504].includes(status);

/** Reports a response that isn't documented for its request: `expected` are the statuses besides transient ones. */
export function checkResponse(
  request: string,
  response: Response,
  expected: readonly number[],
  report: Report,
): void {
  const { status, text } = response;
  const described = `${request} returned ${status} ${text.slice(0, 200)}`;
  const fault = bodyFault(response);
  if (fault) report('undocumented response', `${described}: ${fault}`);
  else if (expected.includes(status) || isTransient(status)) return;
  else if (status === 200 && expected.includes(401)) report('revoked key accepted', described);
  else if ([401, 403, 409, 422].includes(status)) report('false refusal', described);
  else report('undocumented response', `${described}, not ${expected.join(' or ')}`);
}

function bodyFault({ status, headers, text }: Response): string | undefined {
  if (!/^\S{8,}$/.test(String(headers['x-request-id'] ?? ''))) return 'it has no X-Request-Id';
  if (status === 200 || status === 201) return undefined;
  const error = parsed(text);
  if (Object.keys(error).toSorted().join() !== 'code,message,status') return 'it has no Error body';
  if (error.status !== status) return 'the body has another status';
  if (STATUS_BY_CODE[error.code as ErrorCode] !== status) return `${error.code} is not a code of a ${status}`;
  const needsRetryAfter = status === 429 || status === 503;
  return needsRetryAfter && !(Number(headers['retry-after']) > 0) ? 'it has no Retry-After' : undefined;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
