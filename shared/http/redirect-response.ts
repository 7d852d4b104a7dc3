import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiResponse } from './response.ts';

/**
 * Browsers cache permanent redirects without limit. After two domains swap roles, the cached redirect and the new one would
 * form a loop; with this limit it ends after five minutes.
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
 * The path as the client sent it, including percent-encoded bytes and doubled slashes: a REST API drops only empty leading
 * segments. It always begins with a slash, so no path can extend the host name before it.
 */
function calledPath({ path }: APIGatewayProxyEvent): string {
  const rest = path.replace(/^\//, '').toWellFormed();
  return `/${rest.replaceAll(NOT_IN_PATHS, character => encodeURIComponent(character))}`;
}

/**
 * A query with the parameters the client sent. A REST API has already parsed them: neither the event nor any template variable
 * has the query as written. They're encoded again so that the API behind the target, which parses queries the same way, gets
 * exactly what it would have gotten from the client. Only the spelling differs: values of one name are adjacent, a plus that
 * meant a space becomes %20, a semicolon used as a separator becomes &, `flag` becomes `flag=`, and bytes that aren't UTF-8,
 * such as %FF, become U+FFFD.
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
