import { prose } from '../../framework/prose.ts';
import type { Style } from '../../framework/style.ts';
import type { FunctionLine } from './log-line.ts';
import type { RequestStory } from './request-story.ts';

const LABEL_WIDTH = 12;

/** The story of a request for people. */
export function storyText(story: RequestStory, style: Style): string {
  const { method, resource, operation, status, why } = story;
  const what = operation ? `${method} ${resource} (${operation})` : `${method} ${resource || 'unknown path'}`;
  const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
  return [
    `${style.bold(what)} was answered with ${paint(String(status))}.`,
    ...(why ? [prose(why, style)] : []),
    '',
    ...factsOf(story).map(([label, value]) => `${style.dim(label.padEnd(LABEL_WIDTH))}${value}`),
    ...(story.lines.length > 0 ? ['', style.dim('Logged:')] : []),
    ...story.lines.map(line => lineText(line, style)),
  ].join('\n');
}

function factsOf(story: RequestStory): [label: string, value: string][] {
  const { time, requestId, keyId, sourceIp, host, responseBytes, answeredBy } = story;
  const by = { function: 'its function', authorizer: 'the authorizer', gateway: 'API Gateway itself' };
  return [
    ['When', `${time.slice(0, 'yyyy-mm-ddThh:mm:ss.sss'.length).replace('T', ' ')} UTC`],
    ['Request id', requestId],
    ['API key', keyId ?? 'none'],
    ...(sourceIp ? [['From', sourceIp] as [string, string]] : []),
    ...(host ? [['Host', host] as [string, string]] : []),
    ['Decided by', by[answeredBy]],
    ['Took', latencies(story)],
    ...(responseBytes === undefined ? [] : [['Answer', `${responseBytes} bytes`] as [string, string]]),
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
