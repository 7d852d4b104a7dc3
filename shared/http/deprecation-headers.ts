import type { Deprecation } from '../operation-declaration.ts';
import type { OperationHeaders } from './complete-answer.ts';
import { baseUrl } from './urls.ts';

/** Since when an operation is deprecated (RFC 9745) and when it is removed (RFC 8594). */
export function deprecationDates({ since, sunset }: Pick<Deprecation, 'since' | 'sunset'>) {
  return { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
}

/** The dates of the deprecation of the operation at this path, and its successor (RFC 8288). */
export function deprecationHeaders(path: string, deprecation: Deprecation): OperationHeaders {
  const dates = deprecationDates(deprecation);
  return event => ({
    ...dates,
    Link: `<${baseUrl(event, path)}${deprecation.successor.path}>; rel="successor-version"`,
  });
}
