import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { describeFault, listFaults } from '../faults.ts';
import type { RequestSchema } from '../operation-declaration.ts';
import { readBody } from './body.ts';
import { ApiError } from './errors.ts';

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

/** The decoded text, or the text as sent when it does not decode to UTF-8: no resource has such a name. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A parameter given once has its value; one given more often stays an array, which no parameter's schema accepts. */
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

/** Names the faulty part as the interface does: `limit`, `name`, or the body as a whole. */
function describeRequestFault(issue: z.core.$ZodIssue, value: unknown): string {
  const [part, ...path] = issue.path;
  const name = path.length === 0 ? `the ${String(part)}` : path.join('.');
  const isRepeated = part !== 'body' && Array.isArray(value);
  return isRepeated ? `${name} must be given once` : describeFault(issue, value, name);
}
