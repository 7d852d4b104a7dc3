import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LocalRuntimeError } from './local-runtime-error.ts';

/** How long requests that are running when a server is closed may take to finish. */
const CLOSING_LIMIT_MS = 2000;

/** API Gateway has its own answer to headers above 10,240 bytes, so the server lets more than that through. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than most clients leave a connection idle, so that few requests meet one that is just being closed. */
const KEEP_ALIVE_MS = 65_000;

export const SERVER_LIMITS = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES };

/**
 * A server bound to a port of this machine alone, 0 being any free one. It has no listener for requests yet: its
 * address is known before what needs that address is made.
 */
export async function listen(port: number, choice: string): Promise<Server> {
  return started(createServer(SERVER_LIMITS), port, choice);
}

/** Binds a server to a port of this machine alone. */
export async function started<Started extends Server | HttpsServer>(
  server: Started,
  port: number,
  choice: string,
): Promise<Started> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new LocalRuntimeError(`Port ${port} ${reason}: choose another ${choice}.`, { cause });
  }
  return server;
}

export function originOf(server: Server): string {
  return `http://${addressOf(server)}`;
}

/** Such as 127.0.0.1:3000. */
export function addressOf(server: Server | HttpsServer): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server: idle connections at once, the others when their request is answered or the limit is over. */
export async function close(server: Server | HttpsServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), CLOSING_LIMIT_MS);
  await closed;
  clearTimeout(limit);
}
