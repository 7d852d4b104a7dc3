import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The address that the client called, without its query: scheme, host and the whole path, stage included. */
export function calledUrl(event: APIGatewayProxyEvent): string {
  const { domainName, path } = event.requestContext;
  return `${event.headers?.['X-Forwarded-Proto'] ?? 'https'}://${domainName}${path}`;
}
