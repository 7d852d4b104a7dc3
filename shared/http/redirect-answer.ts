import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';

/**
 * Browsers would keep a permanent redirect for ever. When two domains change places, that of yesterday and that of today
 * would send them round in a circle: for five minutes at most this way.
 */
const PERMANENT_FOR_SECONDS = 300;

/** The answer that sends a client to the path and query it called, on another host. */
export function redirectAnswer(
  event: APIGatewayProxyEvent,
  { to, status }: { readonly to: string; readonly status: number },
): Answer {
  const location = `https://${to}${calledPath(event)}${calledQuery(event)}`;
  const isPermanent = status === 301 || status === 308;
  return {
    statusCode: status,
    headers: {
      Location: location,
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      ...(isPermanent && { 'Cache-Control': `max-age=${PERMANENT_FOR_SECONDS}` }),
    },
    body: `Redirecting to ${location}\n`,
  };
}

/** What RFC 3986 does not let stand in a path: all but its characters, its slashes and percent-encoded bytes. */
const NOT_IN_PATHS = /%(?![0-9A-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@%/]/gu;

/**
 * The path as the client wrote it, percent-encoded bytes and doubled slashes included: a REST API hands it on as it is.
 * It begins with a slash whatever was sent, so that no path can go on the host that stands before it.
 */
function calledPath({ path }: APIGatewayProxyEvent): string {
  const rest = path.replace(/^\//, '').toWellFormed();
  return `/${rest.replaceAll(NOT_IN_PATHS, character => encodeURIComponent(character))}`;
}

/**
 * A query with the parameters that the client sent. A REST API gives them decoded and by name, so they are encoded again,
 * and what cannot be told apart any more is written the one way that every reader understands: a plus that was a space as
 * %20, `flag` as `flag=`, and the values of a name one after the other.
 */
function calledQuery({ multiValueQueryStringParameters: parameters }: APIGatewayProxyEvent): string {
  const pairs = Object.entries(parameters ?? {}).flatMap(([name, values = []]) =>
    values.map(value => `${encoded(name)}=${encoded(value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Half a character, which JSON can carry and encodeURIComponent refuses, becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
