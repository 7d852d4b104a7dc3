import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that ends with the test, and the connections that it has taken. */
export async function testServer(listener: RequestListener) {
  const connections = new Set<Socket>();
  const server = createServer(listener)
    .on('connection', connection => connections.add(connection))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}

/** A server that takes connections and requests, and responds to none but those that `respond` handles. */
export function silentServer(
  respond: (request: IncomingMessage) => RequestListener | undefined = () => undefined,
) {
  return testServer((request, response) => respond(request)?.(request, response));
}
