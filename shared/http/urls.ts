import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The URL that the client called, without its query: scheme, host and the whole path, stage included. */
export function calledUrl(event: APIGatewayProxyEvent): string {
  return `${calledOrigin(event)}${event.requestContext.path}`;
}

/** The base URL of the interface, as seen by a client that called this path. */
export function baseUrl(event: APIGatewayProxyEvent, path: string): string {
  return `${calledOrigin(event)}${basePath(event, path)}`;
}

/** The path of that URL, such as `/production/v1`, or `/v1` at a custom domain. */
export function basePath({ requestContext }: APIGatewayProxyEvent, path: string): string {
  // Parameters contain no slash: API Gateway leaves them percent-encoded. It ignores one trailing slash.
  const segments = requestContext.path.replace(/\/$/, '').split('/');
  return segments.slice(0, 1 - path.split('/').length).join('/');
}

function calledOrigin({ headers, requestContext }: APIGatewayProxyEvent): string {
  return `${headers?.['X-Forwarded-Proto'] ?? 'https'}://${requestContext.domainName}`;
}
