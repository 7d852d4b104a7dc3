import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './header-values.ts';

/** The weight of RFC 9110, 12.4.2: 0 to 1 with up to three decimals. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether the client takes gzip at least as gladly as the plain bytes (RFC 9110, 12.5.3), or undefined when it sends no
 * Accept-Encoding. A coding with a malformed weight counts as refused: the plain bytes suit everybody.
 */
export function acceptsGzip(event: APIGatewayProxyEvent): boolean | undefined {
  const values = headerValues(event, 'accept-encoding');
  if (values.length === 0) return undefined;
  const weights = new Map(values.join(',').toLowerCase().split(',').map(weighted));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

function weighted(coding: string): [name: string, weight: number] {
  const [name = '', weight = 'q=1'] = coding.split(';').map(part => part.trim());
  return [name, Number(WEIGHT.exec(weight)?.[1] ?? 0)];
}
