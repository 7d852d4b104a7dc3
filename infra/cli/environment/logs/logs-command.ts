import { usageError } from '../../../operator/connection/command-error.ts';
import { jsonFields, readAccessLine } from '../../../operator/logs/access-line.ts';
import {
  environmentLogs,
  isCalled,
  type LogEvent,
  type LogGroup,
} from '../../../operator/logs/log-source.ts';
import { exactTime } from '../../../operator/readable-times.ts';
import { readSince } from '../../framework/option-values.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { Session } from '../../framework/session.ts';
import { countOf, printable, type Style, safeJson, safeOutput } from '../../framework/style.ts';
import { interruptible } from '../../framework/terminal.ts';
import { followLogs, readLogs } from './follow-logs.ts';
import { readFunctionLine, withoutSecrets } from './function-line.ts';

const DEFAULT_SINCE = '10m';

const AWS_INTERVAL_MS = 5_000;
const LOCAL_INTERVAL_MS = 1_000;

interface Options {
  readonly follow?: true;
  readonly since?: string;
  readonly group?: readonly string[];
  readonly filter?: string;
  readonly all?: true;
}

export function declareGroup(logs: PetstoreCommand): void {
  logs
    .description(
      'Shows access and function logs in time order, without secrets. Lines take a few seconds to appear. With --json, each line is an object with time, group and message; the message is an object if the log line is JSON. Lines that scheduled functions write at the end of each run are shown only with --all, --group or --filter. Reads CloudWatch Logs with your AWS credentials (logs:DescribeLogGroups, logs:FilterLogEvents).',
    )
    .option('-f, --follow', 'keep showing new lines until Ctrl-C')
    .option('--since <duration>', `how far back to start, such as 1h (default: ${DEFAULT_SINCE})`)
    .option('--group <name...>', 'only these functions or access logs, such as create-pet or access')
    .option('--filter <pattern>', 'a CloudWatch Logs filter pattern, such as \'{ $.level = "ERROR" }\'')
    .option('--all', 'include the lines that scheduled functions write at the end of each run')
    .examples(
      'logs --follow',
      'logs --group create-pet authorize --since 1h',
      'logs --filter \'{ $.level = "ERROR" }\' --since 24h --stage production',
      "logs --group access --json | jq -r '.message.status'",
    )
    .action(async (options: Options, command: PetstoreCommand) => {
      const sinceMs = readSince(options.since ?? DEFAULT_SINCE, Date.now());
      const session = new Session(command);
      const { source, groups: all } = await session.saying(
        `Finding the logs of ${session.environment} …`,
        environmentLogs(session),
      );
      const groups = chosenGroups(all, options.group ?? []);
      const window = { groups, sinceMs, pattern: options.filter };
      const style = session.styleOf(process.stdout);
      const hidesHeartbeats = !(options.all || options.group || options.filter);
      const show = (events: readonly LogEvent[]): { readonly hidden: number } => {
        const shown = hidesHeartbeats ? events.filter(event => !isHeartbeat(event)) : events;
        const lines = shown.map(event =>
          session.wantsJson ? safeJson(eventJson(event)) : safeOutput(eventText(event, style)),
        );
        if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
        return { hidden: events.length - shown.length };
      };
      if (options.follow) {
        const intervalMs = session.target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS;
        session.progress(
          `Following ${groups.length} log groups of ${session.environment}. Press Ctrl-C to stop.`,
        );
        await interruptible(
          signal => followLogs(source, { ...window, show, intervalMs }, signal),
          'No longer following the logs.',
        );
      }
      const searching = `Reading the logs of ${session.environment} …`;
      const { events, cutOff } = await interruptible(
        signal => session.saying(searching, readLogs(source, window, signal)),
        'The search was interrupted.',
      );
      const { hidden } = show(events);
      if (events.length === hidden) {
        const but = hidden > 0 ? ' but completed runs' : '';
        session.progress(`${session.environment} has logged nothing${but} since ${timeText(sinceMs)}.`);
      }
      if (hidden > 0) {
        session.progress(`Not shown: ${countOf(hidden, 'completed run')} of scheduled functions (--all).`);
      }
      for (const { title } of cutOff) {
        session.progress(
          `Warning: ${title} has more lines. Narrow them down with a shorter --since, or with --filter.`,
        );
      }
    });
}

/** What shared/log.ts logs at the end of every run, as some functions do every minute. */
const RUN_COMPLETED = 'The scheduled run is complete.';

function isHeartbeat({ message }: LogEvent): boolean {
  return jsonFields(message)?.message === RUN_COMPLETED;
}

function timeText(ms: number): string {
  return exactTime(new Date(ms).toISOString());
}

/** The groups that are called by the given names; all without a name. */
function chosenGroups(groups: readonly LogGroup[], names: readonly string[]): readonly LogGroup[] {
  if (names.length === 0) return groups;
  for (const name of names) {
    if (groups.some(group => isCalled(group, name))) continue;
    const titles = groups.map(({ title }) => title);
    throw usageError(`There are no logs named "${name}".`, `These exist: ${titles.join(', ')}.`);
  }
  return groups.filter(group => names.some(name => isCalled(group, name)));
}

function eventJson({ timeMs, group, message }: LogEvent): object {
  const text = withoutSecrets(message);
  return { time: new Date(timeMs).toISOString(), group: group.title, message: jsonFields(text) ?? text };
}

function eventText(event: LogEvent, style: Style): string {
  const time = new Date(event.timeMs).toISOString().replace('T', ' ').slice(0, -1);
  return `${style.dim(time)}  ${style.bold(event.group.title)}  ${contentText(event, style)}`;
}

function contentText(event: LogEvent, style: Style): string {
  const access = event.group.isAccessLog ? readAccessLine(event.message) : undefined;
  if (access) {
    const { method, resource, operation, status, latencyMs, keyId, keyRefusal, gatewayError } = access;
    const requestId = jsonFields(event.message)?.requestId;
    const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
    return [
      paint(String(status)),
      `${method} ${resource || '-'}`,
      ...(operation ? [operation] : []),
      ...(latencyMs === undefined ? [] : [`${latencyMs} ms`]),
      ...(keyId ? [keyId] : []),
      ...(keyRefusal ? [keyRefusal] : []),
      ...(gatewayError ? [gatewayError] : []),
      style.dim(String(requestId)),
    ].join('  ');
  }
  const fields = jsonFields(event.message);
  if (fields === undefined) return printable(withoutSecrets(event.message).trim());
  const { level = '', message, errors } = readFunctionLine(event);
  const paint = level === 'ERROR' ? style.red : level === 'WARN' ? style.yellow : (text: string) => text;
  const causes = errors
    .map(({ name, message: text }) => `${name}: ${text}`)
    .filter(text => !message.includes(text));
  const rest = withoutSecrets(JSON.stringify(otherFields(fields)));
  return [
    `${paint(level)}${level ? ' ' : ''}${message}`,
    ...causes,
    ...(rest === '{}' ? [] : [style.dim(rest)]),
  ].join('  ');
}

function otherFields({
  time,
  timestamp,
  level,
  message,
  error,
  ...rest
}: Readonly<Record<string, unknown>>): object {
  return rest;
}
