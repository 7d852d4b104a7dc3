/**
 * The limits for requests: 10,240 bytes of request line and header values, above which the gateway answers 431 as a
 * DEFAULT_4XX response, and 10 MB of body. SERVER_LIMITS lets more headers than that through Node's HTTP parser.
 */
import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';

const MAX_HEADER_BYTES = 10_240;
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Rejects a request whose request line and header values together are too long. */
export function requireHeadersWithinLimit({ httpMethod, path, query, headers }: Exchange): void {
  const values = [httpMethod, path, query, ...headers.map(([, value]) => value)];
  // Node decodes request line and headers as Latin-1: one character is one byte.
  const bytes = values.reduce((sum, value) => sum + value.length, 0);
  if (bytes > MAX_HEADER_BYTES) {
    throw new GatewayFault('DEFAULT_4XX', { status: 431, clientMessage: 'Request Header Fields Too Large' });
  }
}

/** The client disconnected before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

/** Reads a body up to the limit. The rest of a longer one is discarded. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = () => {
      request.removeAllListeners('data');
      chunks.length = 0;
      // The client must be able to send all of its body, or it would see a connection reset instead of the answer.
      request.resume();
      reject(new GatewayFault('REQUEST_TOO_LARGE'));
    };
    // Every request closes, and most of them after their end.
    request.once('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return refuse();
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return refuse();
      chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
  });
}
