/**
 * The answer of a function of a Lambda proxy integration:
 * {"statusCode": 200, "headers": {"Name": "value"}, "multiValueHeaders": {"Name": ["value"]}, "body": "text",
 *  "isBase64Encoded": false}. All but the status may be absent or null; any other shape is malformed.
 */
import * as z from 'zod';
import type { Answer } from './answer.ts';
import type { Header } from './exchange.ts';
import { isHeader } from './header-mappings.ts';
import { jsonValue } from './invocation-payload.ts';

const ProxyResponse = z.strictObject({
  // A status below 200 is not final: the client would wait for another one.
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).nullish(),
  body: z.string().nullish(),
  /** API Gateway decodes such a body only for an API with binary media types. */
  isBase64Encoded: z.boolean().nullish(),
});

/** The headers of a function's answer that API Gateway renames. */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
  'x-amz-apigw-id',
  'x-amzn-requestid',
]);

/** The headers of a function's answer that API Gateway drops. */
const DROPPED = new Set([
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a function's answer; undefined when it is malformed. */
export function proxyResponse(payload: string, isBinaryApi: boolean): Answer | undefined {
  const parsed = ProxyResponse.safeParse(jsonValue(payload));
  if (!parsed.success) return undefined;
  const { statusCode, headers, multiValueHeaders, isBase64Encoded } = parsed.data;
  const text = parsed.data.body ?? '';
  const isEncoded = isBinaryApi && isBase64Encoded === true;
  if (isEncoded && !BASE64.test(text)) return undefined;
  const all = mergedHeaders(headers ?? {}, multiValueHeaders ?? {});
  if (!all.every(([name, value]) => isHeader(name, value))) return undefined;
  return {
    status: statusCode,
    headers: all.flatMap(clientHeader),
    body: isEncoded ? Buffer.from(text, 'base64') : text,
  };
}

/** For a name in both maps, the values of multiValueHeaders are used. */
function mergedHeaders(
  single: Readonly<Record<string, string>>,
  multiple: Readonly<Record<string, readonly string[]>>,
): readonly Header[] {
  const overridden = new Set(Object.keys(multiple).map(name => name.toLowerCase()));
  return [
    ...Object.entries(single).filter(([name]) => !overridden.has(name.toLowerCase())),
    ...Object.entries(multiple).flatMap(([name, values]) => values.map(value => [name, value] as const)),
  ];
}

function clientHeader([name, value]: Header): readonly Header[] {
  if (DROPPED.has(name.toLowerCase())) return [];
  return [[REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]];
}
