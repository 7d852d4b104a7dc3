import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import {
  ApiError,
  BODY_ENCODED,
  BODY_NOT_JSON_TYPE,
  BODY_TOO_LARGE,
  describeFault,
  listFaults,
  MAXIMUM_BODY_BYTES,
} from '../errors.ts';
import type { RequestSchema } from '../operation-declaration.ts';
import { headerValue, headerValues } from './headers.ts';
import { parseJson } from './json.ts';

/**
 * Reads from the event the parts that the schema names and validates them in one pass, so that one error names
 * every fault. The result becomes the event's `request`.
 */
export function readRequest<Schema extends RequestSchema>(
  schema: Schema,
): MiddlewareObj<APIGatewayProxyEvent & { request?: z.output<Schema> }> {
  const { path, query, headers, body } = schema.shape;
  return {
    before({ event }) {
      const raw = {
        ...(path && { path: decodedPath(event) }),
        ...(query && { query: singleValues(event.multiValueQueryStringParameters) }),
        ...(headers && { headers: pickHeaders(event, Object.keys(headers.shape)) }),
        ...(body && { body: readBody(event) }),
      };
      const result = z.safeParse(schema, raw);
      if (!result.success) {
        throw new ApiError('invalid_request', listFaults(result.error.issues, raw, describeRequestFault));
      }
      event.request = result.data;
    },
  };
}

/** API Gateway leaves path parameters percent-encoded. */
function decodedPath(event: APIGatewayProxyEvent): Record<string, string> {
  const entries = Object.entries(event.pathParameters ?? {});
  return Object.fromEntries(entries.map(([name, value = '']) => [name, percentDecoded(value)]));
}

/** The decoded text, or the text as sent if it does not decode to UTF-8: no resource has such a name. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A parameter that is given once has its value; a repeated one stays an array, which no parameter's schema accepts. */
function singleValues(
  values: APIGatewayProxyEvent['multiValueQueryStringParameters'],
): Record<string, unknown> {
  const entries = Object.entries(values ?? {});
  return Object.fromEntries(entries.map(([name, all = []]) => [name, all.length === 1 ? all[0] : all]));
}

/** Header names are case-insensitive, and API Gateway keeps the case that the client sent. */
function pickHeaders(event: APIGatewayProxyEvent, names: string[]): Record<string, unknown> {
  const nameInSchema = new Map(names.map(name => [name.toLowerCase(), name]));
  const picked: Record<string, string[]> = {};
  for (const [name, values = []] of Object.entries(event.multiValueHeaders ?? {})) {
    const declared = nameInSchema.get(name.toLowerCase());
    if (declared) picked[declared] = [...(picked[declared] ?? []), ...values];
  }
  return singleValues(picked);
}

/** Names the faulty part the way the interface does: `limit`, `name`, or the body as a whole. */
function describeRequestFault(issue: z.core.$ZodIssue, value: unknown): string {
  const [part, ...path] = issue.path;
  const name = path.length === 0 ? `the ${String(part)}` : path.join('.');
  const isRepeated = part !== 'body' && Array.isArray(value);
  return isRepeated ? `${name} must be given once` : describeFault(issue, value, name);
}

/**
 * JSON is UTF-8 (RFC 8259), and the body is decoded as such: one in another charset would be garbled. Many clients write
 * utf8, which the Encoding Standard accepts as a label for UTF-8.
 */
const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;\s*(charset\s*=\s*("utf-?8"|utf-?8)\s*(;\s*)?)?)?$/i;

/** The coding that leaves the bytes unchanged. Clients needn't name it, and API Gateway accepts it. */
const NO_CODING = /^\s*(identity\s*)?$/i;

/** The JSON body of the request with exact integers, or undefined if the request has no body. */
export function readBody(event: APIGatewayProxyEvent): unknown {
  // API Gateway passes the header on, whether or not it decompressed the body.
  if (!headerValues(event, 'content-encoding').every(coding => NO_CODING.test(coding))) {
    throw new ApiError('unsupported_media_type', BODY_ENCODED);
  }
  const contentType = headerValue(event, 'content-type');
  if (!event.body && contentType === undefined) return undefined;
  if (contentType === undefined || !JSON_MEDIA_TYPE.test(contentType)) {
    throw new ApiError('unsupported_media_type', BODY_NOT_JSON_TYPE);
  }
  if (!event.body) return undefined;
  // API Gateway base64-encodes the bodies of an API that may respond with binary, as this one does when it compresses.
  const body = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  // The client's Content-Length header doesn't reach the function, so the body itself is measured.
  if (body.length > MAXIMUM_BODY_BYTES) throw new ApiError('payload_too_large', BODY_TOO_LARGE);
  const text = body.toString();
  if (!isUtf8(body)) throw new ApiError('invalid_request', invalidUtf8(text));
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ApiError('invalid_request', 'The body is not JSON.', { cause });
  }
}

/** The decoder put U+FFFD in place of bytes that aren't UTF-8, which shows the fields that contained them. */
function invalidUtf8(decoded: string): string {
  const damaged = stringFields(decoded).filter(([, value]) => value.includes('\ufffd'));
  const names = damaged.map(([name]) => name).filter(name => PLAIN_NAME.test(name));
  return names.length === 0 ? 'The body is not UTF-8.' : names.map(name => `${name} is not UTF-8`).join('; ');
}

/** Only plain names are repeated in a message. */
const PLAIN_NAME = /^\w{1,64}$/;

function stringFields(text: string): [name: string, value: string][] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
    return Object.entries(body).filter(([, value]) => typeof value === 'string');
  } catch {
    return [];
  }
}
