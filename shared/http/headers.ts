import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Environment variable that holds the header's value. */
export const STRICT_TRANSPORT_SECURITY = 'STRICT_TRANSPORT_SECURITY';

/**
 * All values of a request header in the order the client sent them. A client may repeat a header and write its name in any
 * case; API Gateway keeps each spelling separately.
 */
export function headerValues(
  { multiValueHeaders }: APIGatewayProxyEvent,
  lowerCaseName: string,
): readonly string[] {
  const values: string[] = [];
  for (const name in multiValueHeaders) {
    if (name.toLowerCase() === lowerCaseName) values.push(...(multiValueHeaders[name] ?? []));
  }
  return values;
}

/** The value of a request header that a client sends once, or the last one. */
export function headerValue({ headers }: APIGatewayProxyEvent, lowerCaseName: string): string | undefined {
  for (const name in headers) {
    if (name.toLowerCase() === lowerCaseName) return headers[name];
  }
  return undefined;
}

/**
 * Adds the name of a request header to Vary, which tells caches what the response depends on besides the URL. A name
 * that is there already, in whatever case, is not repeated; `*` includes every name.
 */
export function addVary(headers: Record<string, string>, requestHeader: string): void {
  const names = (headers.Vary ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const isCovered = names.some(name => name === '*' || name.toLowerCase() === requestHeader.toLowerCase());
  headers.Vary = (isCovered ? names : [...names, requestHeader]).join(', ');
}
