import type { Style } from '../../framework/style.ts';
import { jsonFields, readAccessLine } from './access-line.ts';
import { readFunctionLine } from './log-line.ts';
import type { LogEvent } from './log-source.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An event for programs. A message that is JSON is given as such. */
export function eventJson({ timeMs, group, message }: LogEvent): object {
  const text = withoutSecrets(message);
  return { time: new Date(timeMs).toISOString(), group: group.title, message: jsonFields(text) ?? text };
}

/** An event in a line for people: time, group, and what happened. */
export function eventText(event: LogEvent, style: Style): string {
  const time = new Date(event.timeMs).toISOString().replace('T', ' ').slice(0, -1);
  return `${style.dim(time)}  ${style.bold(event.group.title)}  ${contentText(event, style)}`;
}

function contentText(event: LogEvent, style: Style): string {
  const access = event.group.isAccessLog ? readAccessLine(event.message) : undefined;
  if (access) {
    const { method, resource, operation, status, latencyMs, keyId, gatewayError } = access;
    const requestId = jsonFields(event.message)?.requestId;
    const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
    return [
      paint(String(status)),
      `${method} ${resource || '-'}`,
      ...(operation ? [operation] : []),
      ...(latencyMs === undefined ? [] : [`${latencyMs} ms`]),
      ...(keyId ? [keyId] : []),
      ...(gatewayError ? [gatewayError] : []),
      style.dim(String(requestId)),
    ].join('  ');
  }
  const fields = jsonFields(event.message);
  if (fields === undefined) return withoutSecrets(event.message);
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

/** The fields that are not shown by name. */
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
