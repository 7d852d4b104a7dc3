/**
 * Node's HTTP parser refuses some requests before a request listener sees them: raw UTF-8 in the path, an unknown method, a
 * malformed header, too many header bytes, a bad chunk, a request that takes too long. Its own responses have no body, so
 * this module responds instead, over the bare socket, and closes the connection: where the next request begins is unknown.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';

/** A request that could not be read. */
export interface UnreadableRequest {
  readonly socket: Duplex;
  /** HTTP's status for the fault. */
  readonly status: number;
  /** The parts of the request line that can be read. */
  readonly method: string | undefined;
  readonly url: string | undefined;
}

/** A response with all of its headers. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Buffer;
}

type RespondToUnreadable = (request: UnreadableRequest) => CompleteResponse;

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that were parsed when the error was found. */
  readonly rawPacket?: Buffer;
}

const STATUS_BY_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long the client can read the response before the connection is reset. */
const LINGER_MS = 2000;

/** Responds to the requests of a server that its HTTP parser refuses. */
export function respondToUnreadableRequests(
  server: Server | HttpsServer,
  responseTo: RespondToUnreadable,
): void {
  const refused = new WeakSet<Duplex>();
  const lastResponse = new WeakMap<Duplex, ServerResponse>();

  const refuse = (request: UnreadableRequest) => {
    const { socket } = request;
    // The parser reports an error again for each further packet.
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on('error', () => {});
    const response = lastResponse.get(socket);
    // A complete request that arrived before the unreadable one gets its response first.
    if (response?.req.complete && !response.writableFinished) {
      response.once('close', () => close(request, responseTo(request)));
    } else if (response?.headersSent && !response.writableFinished) {
      socket.destroy();
    } else {
      close(request, responseTo(request));
    }
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lastResponse.set(request.socket, response);
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else
      refuse({ socket, status: STATUS_BY_ERROR[error.code ?? ''] ?? 400, ...requestLine(error.rawPacket) });
  });
  // Without a listener, Node closes the connection of a CONNECT request without a response.
  server.on('connect', ({ method, url }: IncomingMessage, socket: Duplex) => {
    refuse({ socket, status: 400, method, url });
  });
  server.on('checkExpectation', ({ socket, method, url }: IncomingMessage) => {
    refuse({ socket, status: 417, method, url });
  });
}

/** The response while nothing is deployed. */
export function plainResponse({ status }: UnreadableRequest): CompleteResponse {
  const message = STATUS_CODES[status];
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify({ message }) };
}

function requestLine(packet: Buffer | undefined): Pick<UnreadableRequest, 'method' | 'url'> {
  const [, method, url] = /^([A-Za-z]+) (\S*)/.exec(packet?.toString('latin1') ?? '') ?? [];
  return { method, url };
}

function close({ socket, method }: UnreadableRequest, { status, headers, body }: CompleteResponse): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '\r\n',
  ];
  const sentBody = method === 'HEAD' ? '' : body;
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(sentBody)]));
  // Closing a connection that still receives data would reset it, and the client could lose the response.
  socket.resume();
  const limit = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(limit));
}
