import { type AccessLine, readAccessLine } from './access-line.ts';
import { type AnsweredBy, explainAnswer } from './explain-answer.ts';
import { isCalled, kebabCase, type LogGroup } from './log-group.ts';
import { type FunctionLine, readFunctionLine } from './log-line.ts';
import type { LogEvent, LogSource } from './log-source.ts';

/** What the logs tell of one request. */
export interface RequestStory extends AccessLine {
  readonly requestId: string;
  readonly time: string;
  readonly answeredBy: AnsweredBy;
  readonly why?: string;
  /** What the authorizer and the function have logged. */
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
  const refusedKeyId = authorizerLines.find(({ keyId }) => keyId !== undefined)?.keyId;
  return {
    requestId,
    time: new Date(event.timeMs).toISOString(),
    ...access,
    // API Gateway knows the id of a key only when the authorizer has admitted it.
    ...(refusedKeyId !== undefined && { keyId: refusedKeyId }),
    ...explainAnswer(access, authorizerLines, functionLines),
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

/** The log of the function behind the request, or of all functions where the resource does not tell which. */
function functionGroups(groups: readonly LogGroup[], access: AccessLine, accessLog: LogGroup): LogGroup[] {
  const functions = groups.filter(({ isAccessLog }) => !isAccessLog);
  const named = functions.filter(group => isCalled(group, functionOf(access, accessLog)));
  return named.length > 0 ? named : functions;
}

function functionOf({ operation, resource }: AccessLine, { title }: LogGroup): string {
  if (operation !== undefined) return kebabCase(operation);
  if (title.startsWith('redirects')) return 'redirect';
  if (resource === '/v1/openapi.json') return 'get-openapi';
  return resource === '/v1/docs' ? 'get-reference' : 'get-renderer';
}
