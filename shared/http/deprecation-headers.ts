import type { Deprecation } from '../operation-declaration.ts';
import type { OperationHeaders } from './complete-answer.ts';
import { baseUrl } from './urls.ts';

/** Since when the operation at this path is deprecated (RFC 9745), when it is removed (RFC 8594), and its successor. */
export function deprecationHeaders(
  path: string,
  { since, sunset, successor }: Deprecation,
): OperationHeaders {
  const Deprecation = `@${Date.parse(since) / 1000}`;
  const Sunset = new Date(sunset).toUTCString();
  return event => ({
    Deprecation,
    Sunset,
    Link: `<${baseUrl(event, path)}${successor.path}>; rel="successor-version"`,
  });
}
