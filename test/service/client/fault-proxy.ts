import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request in place of a proper response. */
const FAULTS = ['lost before', 'lost after', 'broken off', 'unavailable', 'rate limited'] as const;

export interface FaultProxy {
  readonly origin: string;
  /** How many requests have met each fault. */
  readonly counts: Readonly<Record<string, number>>;
  close(): void;
}

/** Passes requests on to the service; one in four meets a fault, in an order that is the same in every run. */
export async function startFaultProxy(service: string): Promise<FaultProxy> {
  const counts: Record<string, number> = {};
  let requests = 0;
  const server = createServer(async (incoming, outgoing) => {
    // A multiplicative hash: the faults are spread evenly and do not depend on a seed.
    const draw = (Math.imul(++requests, 2654435761) >>> 0) / 2 ** 32;
    const fault = incoming.method === 'OPTIONS' ? undefined : FAULTS[Math.floor(draw * 4 * FAULTS.length)];
    if (fault) counts[fault] = (counts[fault] ?? 0) + 1;
    await response(fault, service, incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    counts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function response(
  fault: (typeof FAULTS)[number] | undefined,
  service: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (fault === 'lost before') return void incoming.socket.destroy();
  if (fault === 'unavailable') return refuse(outgoing, 503, 'unavailable');
  if (fault === 'rate limited') return refuse(outgoing, 429, 'rate_limited');
  const { hostname, port } = new URL(service);
  const { method, url: path, headers } = incoming;
  const exchange = request({ hostname, port, method, path, headers });
  exchange.end(await buffer(incoming));
  const [response]: IncomingMessage[] = await once(exchange, 'response');
  if (!response) throw new Error('The service has not responded.');
  const body = await buffer(response);
  if (fault === 'lost after') return void incoming.socket.destroy();
  outgoing.writeHead(response.statusCode ?? 0, response.headers);
  if (fault === 'broken off') {
    outgoing.write(body.subarray(0, 10), () => incoming.socket.destroy());
  } else {
    outgoing.end(body);
  }
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Retry-After': '1',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After',
  });
  outgoing.end(JSON.stringify({ code, message: 'A fault that the test has put in.', status }));
}
