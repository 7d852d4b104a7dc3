import {
  CommandError,
  EXIT_CODES,
  PROGRAM_NAME,
  usageError,
} from '../../../operator/connection/command-error.ts';
import { environmentLogs } from '../../../operator/logs/log-source.ts';
import { exactTime } from '../../../operator/readable-times.ts';
import { readSince } from '../../framework/option-values.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { Session } from '../../framework/session.ts';
import { prose, type Style } from '../../framework/style.ts';
import { factLines } from '../../framework/table.ts';
import { interruptible } from '../../framework/terminal.ts';
import type { FunctionLine } from './function-line.ts';
import { findStory, type RequestStory } from './request-story.ts';

const DEFAULT_SINCE = '24h';

export function declareGroup(request: PetstoreCommand): void {
  request
    .description(
      'Explains one request from the logs: when it arrived, its operation and API key, its status and duration, and why it was refused or failed. Never shows secrets. Reads CloudWatch Logs with your AWS credentials (logs:DescribeLogGroups, logs:FilterLogEvents).\n\nExit codes: 0 found, 1 error, 2 usage error, 4 not in the logs (yet): lines take a few seconds to appear.',
    )
    .argument(
      '<id>',
      'the X-Request-Id of the response; put -- before an ID that starts with -',
      readRequestId,
    )
    .option('--since <duration>', `how far back to search, such as 1h or 7d (default: ${DEFAULT_SINCE})`)
    .examples(
      'request JKJaXmPLvHcESHA=',
      'request JKJaXmPLvHcESHA= --since 7d --stage production',
      "request JKJaXmPLvHcESHA= --json | jq '.why'",
      'request --local -- -KJaXmPLvHcESHA=',
    )
    .action(async (id: string, { since = DEFAULT_SINCE }: { since?: string }, command: PetstoreCommand) => {
      const nowMs = Date.now();
      const sinceMs = readSince(since, nowMs);
      const session = new Session(command);
      const { source, groups } = await session.saying(
        `Finding the logs of ${session.environment} …`,
        environmentLogs(session),
      );
      const searching = `Searching the logs of ${session.environment} …`;
      const story = await interruptible(
        signal => session.saying(searching, findStory(source, groups, id, sinceMs, nowMs, signal)),
        'The search was interrupted.',
      );
      if (story === undefined) throw notFound(id, sinceMs, nowMs, session);
      session.show(story, style => storyText(story, style));
    });
}

function notFound(id: string, sinceMs: number, nowMs: number, session: Session): CommandError {
  const [start, end] = [sinceMs, nowMs].map(ms => exactTime(new Date(ms).toISOString()));
  return new CommandError(
    'request_not_found',
    `The request ${id} isn't in the access logs of ${session.environment} from ${start} to ${end}.`,
    {
      exitCode: EXIT_CODES.pending,
      advice: [
        'Is it only seconds old? Lines take a few seconds to appear. Run the command again.',
        'Is it older? Search further back, for example with --since 7d.',
        'Was it sent to another environment? Name it with --stage.',
      ],
    },
  );
}

/** API Gateway's extended request id. All that were seen have 15 characters and the padding. */
const REQUEST_ID = /^[\w-]{12,60}={0,2}$/;
const UNPADDED_LENGTH = 15;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Reads an X-Request-Id. Does not repeat what may be a secret. */
function readRequestId(text: string): string {
  const id = text.trim().replace(/^x-request-id:\s*/i, '');
  if (/pet_[a-z]+_|bearer/i.test(id)) {
    throw badId(
      "That's an API key, not a request ID. Don't put keys on a command line.",
      `Revoke it if others can read this terminal or its history: ${PROGRAM_NAME} keys revoke <id>`,
    );
  }
  if (UUID.test(id)) {
    throw badId(`${id} is an x-amzn-RequestId, which clients can choose. The logs have the X-Request-Id.`);
  }
  // A double click does not select the padding.
  if (REQUEST_ID.test(id)) return id.length === UNPADDED_LENGTH ? `${id}=` : id;
  throw badId(`"${id.slice(0, 60)}" isn't an X-Request-Id.`);
}

function badId(message: string, ...advice: string[]): CommandError {
  return usageError(
    message,
    ...advice,
    'Every response has the header X-Request-Id, such as JKJaXmPLvHcESHA=',
    `Example: ${PROGRAM_NAME} request JKJaXmPLvHcESHA=`,
  );
}

function storyText(story: RequestStory, style: Style): string {
  const { method, resource, operation, status, why } = story;
  const what = operation ? `${method} ${resource} (${operation})` : `${method} ${resource || 'unknown path'}`;
  const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
  return [
    `${style.bold(what)} got ${paint(String(status))}.`,
    ...(why ? [prose(why, style)] : []),
    '',
    ...factLines(factsOf(story), style),
    ...(story.lines.length > 0 ? ['', style.dim('Logged:')] : []),
    ...story.lines.map(line => lineText(line, style)),
  ].join('\n');
}

function factsOf(story: RequestStory): Parameters<typeof factLines>[0] {
  const { time, requestId, keyId, sourceIp, host, responseBytes, answeredBy } = story;
  const by = { function: 'its function', authorizer: 'the authorizer', gateway: 'API Gateway itself' };
  return [
    ['When', `${time.slice(0, 'yyyy-mm-ddThh:mm:ss.sss'.length).replace('T', ' ')} UTC`],
    ['Request ID', requestId],
    ['API key', keyId ?? 'none'],
    ['From', sourceIp],
    ['Host', host],
    ['Decided by', by[answeredBy]],
    ['Took', latencies(story)],
    ['Response', responseBytes === undefined ? null : `${responseBytes} bytes`],
  ];
}

/** Such as `34 ms: authorizer 5 ms, function 20 ms (of it a cold start of 180 ms)`. */
function latencies({ latencyMs, functionLatencyMs, authorizerLatencyMs, lines }: RequestStory): string {
  const coldMs = lines.find(({ report }) => report?.initDurationMs !== undefined)?.report?.initDurationMs;
  const parts = [
    ...(authorizerLatencyMs ? [`authorizer ${authorizerLatencyMs} ms`] : []),
    ...(functionLatencyMs === undefined ? [] : [`function ${functionLatencyMs} ms`]),
    ...(coldMs === undefined ? [] : [`with a cold start of ${Math.round(coldMs)} ms`]),
  ];
  const total = latencyMs === undefined ? 'unknown' : `${latencyMs} ms`;
  return parts.length > 0 ? `${total}: ${parts.join(', ')}` : total;
}

function lineText({ time, group, level, message, errors }: FunctionLine, style: Style): string {
  const clock = style.dim(time.slice('yyyy-mm-ddT'.length, -1));
  const causes = errors.map(({ name, message: text }) => `    ${name}: ${text}`);
  return [`  ${clock}  ${group}  ${level ? `${level} ` : ''}${message}`, ...causes].join('\n');
}
