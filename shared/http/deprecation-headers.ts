import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Deprecation } from '../operation-declaration.ts';
import type { OperationHeaders } from './endpoint.ts';
import { baseUrl } from './urls.ts';

/** Since when an operation is deprecated (RFC 9745) and when it is removed (RFC 8594). */
export function deprecationDates({ since, sunset }: Pick<Deprecation, 'since' | 'sunset'>) {
  return { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
}

/** The dates of the deprecation of the operation at this path, and its successor (RFC 8288). */
export function deprecationHeaders(path: string, deprecation: Deprecation): OperationHeaders {
  const dates = deprecationDates(deprecation);
  return event => ({ ...dates, ...successorLink(event, path, deprecation) });
}

/** The link to the operation that replaces the one at this path, with a query where it finds the same resource. */
export function successorLink(
  event: APIGatewayProxyEvent,
  path: string,
  { successor }: Deprecation,
  query: Readonly<Record<string, string>> = {},
): { Link: string } {
  const parameters = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
  return { Link: `<${baseUrl(event, path)}${successor.path}${parameters}>; rel="successor-version"` };
}
