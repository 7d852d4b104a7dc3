import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { addVary, headerValues } from './headers.ts';
import type { ApiResponse } from './response.ts';

/** Below this size the headers outweigh what compression saves. */
export const MINIMUM_COMPRESSED_BYTES = 1024;

/**
 * Compresses larger texts with gzip if the client asks for it. Errors are small and never compressed. API Gateway's own
 * compression would not send Vary, and would compress again what is compressed already.
 */
export function compressResponse(): MiddlewareObj<APIGatewayProxyEvent, ApiResponse> {
  return {
    after({ event, response }) {
      if (!response || response.statusCode >= 300 || response.body === '' || isEncoded(response)) return;
      // Also on plain responses: a cache must not give the compressed one to a client that can't read it.
      addVary(response.headers, 'Accept-Encoding');
      const isLarge = Buffer.byteLength(response.body) > MINIMUM_COMPRESSED_BYTES;
      // API Gateway decides by Accept whether to decode base64. What it does without one isn't documented.
      const isDecoded = headerValues(event, 'accept').length > 0;
      if (!isLarge || !isDecoded || !prefersGzip(event)) return;
      response.body = gzipped(response.body);
      response.isBase64Encoded = true;
      response.headers['Content-Encoding'] = 'gzip';
    },
  };
}

function isEncoded({ headers, isBase64Encoded }: ApiResponse): boolean {
  return isBase64Encoded === true || headers['Content-Encoding'] !== undefined;
}

/**
 * In base64, the way API Gateway takes binary bodies. Loads the library here, since importing it would slow every cold
 * start.
 */
function gzipped(text: string): string {
  return process.getBuiltinModule('node:zlib').gzipSync(text).toString('base64');
}

/** The weight of RFC 9110, 12.4.2: 0 to 1 with up to three decimals. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Whether the client asks for gzip and does not prefer the plain bytes. A malformed weight counts as a refusal. */
export function prefersGzip(event: APIGatewayProxyEvent): boolean {
  const codings = headerValues(event, 'accept-encoding').join(',').toLowerCase().split(',');
  const weights = new Map(codings.map(weighted));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

function weighted(coding: string): [name: string, weight: number] {
  const [name = '', weight = 'q=1'] = coding.split(';').map(part => part.trim());
  return [name, Number(WEIGHT.exec(weight)?.[1] ?? 0)];
}
