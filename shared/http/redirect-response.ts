import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiResponse } from './response.ts';

/**
 * Browsers cache a permanent redirect without limit. After two domains have swapped their roles, the cached redirect and
 * the new one would form a loop; with this limit it ends after five minutes.
 */
const PERMANENT_MAX_AGE_SECONDS = 300;

/** Redirects a client to the path and query that it called, on another host. */
export function redirectResponse(
  event: APIGatewayProxyEvent,
  { to, status }: { readonly to: string; readonly status: number },
): ApiResponse {
  const location = `https://${to}${calledPath(event)}${calledQuery(event)}`;
  const isPermanent = status === 301 || status === 308;
  return {
    statusCode: status,
    headers: {
      Location: location,
      'Content-Type': 'text/plain; charset=utf-8',
      ...(isPermanent && { 'Cache-Control': `max-age=${PERMANENT_MAX_AGE_SECONDS}` }),
    },
    body: `Redirecting to ${location}\n`,
  };
}

/** What RFC 3986 does not allow in a path: everything but its characters, slashes and percent-encoded bytes. */
const NOT_IN_PATHS = /%(?![0-9A-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@%/]/gu;

/**
 * The path as the client sent it, percent-encoded bytes and doubled slashes included: of a path, a REST API only drops
 * empty segments in front. It always begins with a slash, so that no path can extend the host name in front of it.
 */
function calledPath({ path }: APIGatewayProxyEvent): string {
  const rest = path.replace(/^\//, '').toWellFormed();
  return `/${rest.replaceAll(NOT_IN_PATHS, character => encodeURIComponent(character))}`;
}

/**
 * A query with the parameters that the client sent. A REST API has read them already: no field of the event, and no
 * variable of a template, has the query as it was written. They are encoded again so that the API behind the target, which
 * reads queries in the same way, gets exactly the parameters that it would have got from the client. What differs is the
 * spelling: the values of one name follow each other, a plus that meant a space becomes %20, a semicolon that separated
 * becomes &, `flag` becomes `flag=`, and bytes that are not UTF-8, such as %FF, become U+FFFD.
 */
function calledQuery({ multiValueQueryStringParameters: parameters }: APIGatewayProxyEvent): string {
  const pairs = Object.entries(parameters ?? {}).flatMap(([name, values = []]) =>
    values.map(value => `${encoded(name)}=${encoded(value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A lone surrogate, which JSON can carry but encodeURIComponent rejects, becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
