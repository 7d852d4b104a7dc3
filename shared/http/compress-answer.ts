import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { acceptsGzip } from './accepts-gzip.ts';
import type { Answer } from './answer.ts';
import { addVary } from './vary.ts';

/** Below this size the headers outweigh what compression saves. */
export const MINIMUM_COMPRESSED_BYTES = 1024;

/**
 * Answers larger texts in gzip where the client asks for it. Errors are small and never compressed. API Gateway's own
 * compression would not send Vary, and would compress again what is compressed already.
 */
export function compressAnswer(): MiddlewareObj<APIGatewayProxyEvent, Answer> {
  return {
    after({ event, response }) {
      if (!response || response.statusCode >= 300 || response.body === '' || isEncoded(response)) return;
      // Also on plain answers: a cache must not give the compressed one to a client that cannot read it.
      addVary(response.headers, 'Accept-Encoding');
      const isLarge = Buffer.byteLength(response.body) > MINIMUM_COMPRESSED_BYTES;
      if (!isLarge || acceptsGzip(event) !== true) return;
      response.body = gzipped(response.body);
      response.isBase64Encoded = true;
      response.headers['Content-Encoding'] = 'gzip';
    },
  };
}

function isEncoded({ headers, isBase64Encoded }: Answer): boolean {
  return isBase64Encoded === true || headers['Content-Encoding'] !== undefined;
}

/** In base64, as API Gateway takes binary bodies. The library is loaded here: at import it would slow every cold start. */
function gzipped(text: string): string {
  return process.getBuiltinModule('node:zlib').gzipSync(text).toString('base64');
}
