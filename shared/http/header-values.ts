import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * All values of a request header in the order in which the client sent them. A client may repeat a header and write its
 * name in any case; API Gateway keeps each spelling under a name of its own.
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
