import { type AccessLine, readAccessLine } from '../../../operator/logs/access-line.ts';
import {
  isCalled,
  kebabCase,
  type LogEvent,
  type LogGroup,
  type LogSource,
} from '../../../operator/logs/log-source.ts';
import { type FunctionLine, readFunctionLine } from './function-line.ts';

export interface RequestStory extends AccessLine {
  readonly requestId: string;
  readonly time: string;
  readonly answeredBy: AnsweredBy;
  readonly why?: string;
  readonly lines: readonly FunctionLine[];
}

const MINUTE_MS = 60_000;

/** Requests are mostly asked for soon after they were made: the last minutes are searched first. */
const WINDOWS_MS = [10 * MINUTE_MS, 60 * MINUTE_MS];

/** A function logs while it runs; the clocks of AWS's services differ by less than this. */
const MARGIN_MS = MINUTE_MS;

/** Finds what the logs have of a request since a time; undefined if no access log has it. */
export async function findStory(
  source: LogSource,
  groups: readonly LogGroup[],
  requestId: string,
  sinceMs: number,
  nowMs: number,
  signal: AbortSignal,
): Promise<RequestStory | undefined> {
  const event = await findAccessEvent(source, groups, requestId, sinceMs, nowMs, signal);
  const access = event && readAccessLine(event.message);
  if (!event || !access) return undefined;

  const startMs = event.timeMs - (access.latencyMs ?? 0) - MARGIN_MS;
  const window = { startMs, endMs: event.timeMs + MARGIN_MS, signal };
  const { functionRequestId, authorizerRequestId } = access;
  const linesOf = async (among: readonly LogGroup[], pattern: string): Promise<FunctionLine[]> => {
    const lines: FunctionLine[] = [];
    for (const group of among) {
      for await (const found of source.search(group, { ...window, pattern }))
        lines.push(readFunctionLine(found));
    }
    return lines;
  };
  const authorizerLines = authorizerRequestId
    ? await linesOf(
        groups.filter(group => isCalled(group, 'authorize')),
        anyOf(authorizerRequestId),
      )
    : [];
  const functionLines = functionRequestId
    ? await linesOf(functionGroups(groups, access, event.group), anyOf(functionRequestId, requestId))
    : [];
  return {
    requestId,
    time: new Date(event.timeMs).toISOString(),
    ...access,
    ...explainResponse(access, authorizerLines, functionLines),
    lines: [...authorizerLines, ...functionLines],
  };
}

async function findAccessEvent(
  source: LogSource,
  groups: readonly LogGroup[],
  requestId: string,
  sinceMs: number,
  nowMs: number,
  signal: AbortSignal,
): Promise<LogEvent | undefined> {
  const starts = [...WINDOWS_MS.map(ms => nowMs - ms).filter(ms => ms > sinceMs), sinceMs];
  let endMs: number | undefined;
  for (const startMs of starts) {
    for (const group of groups.filter(({ isAccessLog }) => isAccessLog)) {
      const search = { startMs, pattern: `{ $.requestId = "${requestId}" }`, signal };
      const events = source.search(group, endMs === undefined ? search : { ...search, endMs });
      for await (const event of events) return event;
    }
    endMs = startMs;
  }
  return undefined;
}

/** The lines of an invocation: its own have the id of the request or of the invocation, Lambda's the latter in a record. */
function anyOf(invocationId: string, requestId?: string): string {
  const conditions = [`($.requestId = "${invocationId}")`, `($.record.requestId = "${invocationId}")`];
  if (requestId !== undefined) conditions.push(`($.requestId = "${requestId}")`);
  return `{ ${conditions.join(' || ')} }`;
}

/** The log of the function behind the request, or of all functions if the resource doesn't say which. */
function functionGroups(groups: readonly LogGroup[], access: AccessLine, accessLog: LogGroup): LogGroup[] {
  const functions = groups.filter(({ isAccessLog }) => !isAccessLog);
  const named = functions.filter(group => isCalled(group, functionOf(access, accessLog)));
  return named.length > 0 ? named : functions;
}

function functionOf({ operation, resource }: AccessLine, { title }: LogGroup): string {
  if (operation !== undefined) return kebabCase(operation);
  if (title.startsWith('redirects')) return 'redirect';
  return resource === '/v1/docs' ? 'get-reference' : 'get-openapi';
}

type AnsweredBy = 'function' | 'authorizer' | 'gateway';

interface Explanation {
  readonly answeredBy: AnsweredBy;
  /** Why it was refused or failed, in a sentence; absent for a request that succeeded. */
  readonly why?: string;
}

const NO_LINE = 'Its log has no line for this request. Lines take a few seconds to appear.';

const KEY_REFUSALS: Readonly<Record<string, string>> = {
  malformed: 'The API key is mistyped (its checksum is wrong), or it belongs to another environment.',
  unknown: 'There is no such API key in this environment.',
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
};

const TOO_LARGE = 'Its body was too large: API Gateway accepts 10 MB, and functions about 4.5 MB.';

const GATEWAY_REFUSALS: Readonly<Record<string, string>> = {
  INVALID_API_KEY: "API Gateway doesn't have the API key: it was just revoked, or created seconds ago.",
  QUOTA_EXCEEDED: 'The quota of the API key was used up.',
  WAF_FILTERED: 'The web ACL refused it: with requestsPerAddress, its IP address sent too many requests.',
  REQUEST_TOO_LARGE: TOO_LARGE,
  RESOURCE_NOT_FOUND: 'There is nothing at this path.',
  MISSING_AUTHENTICATION_TOKEN: "There is nothing at this path, or it doesn't have this method.",
  INVALID_SIGNATURE: "There is nothing at this path, or it doesn't have this method.",
  UNSUPPORTED_MEDIA_TYPE:
    "The body has an unsupported media type, or a Content-Encoding that API Gateway can't decode.",
  INTEGRATION_TIMEOUT: "The function didn't respond within the 29 seconds that API Gateway waits.",
  INTEGRATION_FAILURE:
    "API Gateway couldn't invoke the function: it's throttled, or the permission is missing.",
};

function explainResponse(
  line: AccessLine,
  authorizerLines: readonly FunctionLine[],
  functionLines: readonly FunctionLine[],
): Explanation {
  const { gatewayError, status, functionRequestId, lambdaStatus } = line;
  if (gatewayError === 'UNAUTHORIZED' || gatewayError === 'ACCESS_DENIED') {
    return unauthorized(line, authorizerLines);
  }
  if (gatewayError === 'AUTHORIZER_FAILURE' || gatewayError === 'AUTHORIZER_CONFIGURATION_ERROR') {
    const why = `The authorizer failed. ${failure(authorizerLines) ?? NO_LINE}`;
    return { answeredBy: 'authorizer', why };
  }
  if (gatewayError === 'THROTTLED') return { answeredBy: 'gateway', why: throttled(line) };
  if (lambdaStatus === '413') return { answeredBy: 'gateway', why: TOO_LARGE };
  if (gatewayError !== undefined) {
    const because = functionRequestId === undefined ? undefined : failure(functionLines);
    const known = GATEWAY_REFUSALS[gatewayError];
    const why = known ?? because ?? `API Gateway itself responded: ${gatewayError}.`;
    const isFailure = known === undefined && functionRequestId !== undefined;
    return isFailure
      ? { answeredBy: 'function', why: `The function failed. ${because ?? NO_LINE}` }
      : { answeredBy: 'gateway', why };
  }
  if (functionRequestId === undefined && status >= 400) {
    const why = status === 405 ? "The path doesn't have this method." : 'There is nothing at this path.';
    return { answeredBy: 'gateway', why };
  }
  if (status < 400) return { answeredBy: functionRequestId === undefined ? 'gateway' : 'function' };
  return { answeredBy: 'function', why: refusal(status, functionLines) };
}

/** API Gateway counts a request towards the limit of an API key only once the authorizer has said which key it is. */
function throttled({ keyId }: AccessLine): string {
  return keyId === undefined
    ? 'Too many requests from all clients together: they reached the limit of the stage or of this path.'
    : `Too many requests with the API key ${keyId}: they reached its limit. If other keys were refused in the same second, it was the limit of the stage.`;
}

function unauthorized(
  { gatewayError, keyId, keyRefusal }: AccessLine,
  authorizerLines: readonly FunctionLine[],
): Explanation {
  const reason = keyRefusal ?? authorizerLines.find(line => line.reason !== undefined)?.reason;
  if (reason === undefined && gatewayError === 'UNAUTHORIZED') {
    const why = "The Authorization header is missing, or isn't an API key of this environment.";
    return { answeredBy: 'gateway', why };
  }
  if (reason === undefined && keyId !== undefined) {
    return { answeredBy: 'gateway', why: 'The API key has expired since the authorizer last accepted it.' };
  }
  const why = KEY_REFUSALS[reason ?? ''] ?? `The authorizer refused the API key. ${NO_LINE}`;
  return { answeredBy: 'authorizer', why };
}

function refusal(status: number, lines: readonly FunctionLine[]): string {
  if (status >= 500) return `The function failed. ${failure(lines) ?? NO_LINE}`;
  const line = lines.find(({ code }) => code !== undefined);
  return line ? `${line.message.replace(/\.?$/, '.')} (${line.code})` : `The function refused it. ${NO_LINE}`;
}

/** The error that a function has logged, with the causes that say something else. */
function failure(lines: readonly FunctionLine[]): string | undefined {
  const errors = lines.find(line => line.errors.length > 0)?.errors ?? [];
  const texts = errors.map(({ name, message }) =>
    message ? `${name}: ${message.replace(/\.$/, '')}` : name,
  );
  const reasons = texts.filter((text, index) => texts.indexOf(text) === index);
  return reasons.length > 0 ? `${reasons.join(', because of ')}.` : undefined;
}
