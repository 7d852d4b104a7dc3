import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LocalAwsError } from './local-aws-error.ts';

/** The time that requests have to finish after their server is closed. */
const CLOSING_LIMIT_MS = 2000;

/** More than the 10,240 bytes above which API Gateway itself refuses a request. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than most clients keep idle connections, so that clients close them and not the server. */
const KEEP_ALIVE_MS = 65_000;

/** Node would respond to a request without a Host header itself, without a body: API Gateway refuses it instead. */
export const SERVER_LIMITS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
  requireHostHeader: false,
};

/**
 * A server on a port of the loopback interface; port 0 is any free port. It has no listener for requests yet, so that the
 * parts that need its URL can be created first.
 */
export async function listen(port: number, choice: string): Promise<Server> {
  return started(createServer(SERVER_LIMITS), port, choice);
}

/** Binds a server to a port of the loopback interface. */
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
    throw new LocalAwsError(`Port ${port} ${reason}: choose another ${choice}.`, { cause });
  }
  return server;
}

export function originOf(server: Server): string {
  return `http://${addressOf(server)}`;
}

/** For example 127.0.0.1:3000. */
export function addressOf(server: Server | HttpsServer): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server: idle connections at once, the others after their response or the time limit. */
export async function close(server: Server | HttpsServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), CLOSING_LIMIT_MS);
  await closed;
  clearTimeout(limit);
}
