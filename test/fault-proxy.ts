import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to one request. */
export interface Fault {
  /** What it is counted as. */
  readonly name: string;
  /** The request is forwarded, or its response returned, this much later. */
  readonly delayMs?: number;
  /** Whether the request is lost before it is carried out, or its response afterwards. Without it, neither is. */
  readonly lost?: 'before' | 'after';
  /** What the client sees of what was lost: an error in its place; by default a connection that breaks. */
  readonly instead?: ErrorResponse | 'half of the response' | 'silence';
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface FaultProxyOptions {
  /** The server behind the proxy; undefined while there is none. */
  upstream(): string | undefined;
  /** The fault of a request; undefined for none. */
  choose?(request: ProxiedRequest): Fault | undefined;
  /** Changes a request before it is forwarded, or looks at its response. By default it is forwarded as it is. */
  exchange?(
    request: ProxiedRequest,
    forwarded: (request: ProxiedRequest) => Promise<UpstreamResponse>,
  ): Promise<UpstreamResponse>;
}

export interface FaultProxy {
  readonly endpoint: string;
  /** How often each fault happened, by its name. */
  readonly faults: ReadonlyMap<string, number>;
  readonly requests: number;
  /** Whether the server behind the proxy is carrying a request out. */
  isBusy(): boolean;
  stop(): void;
}

/** Longer than the clients of the functions wait for a response, which is 3 s at most. */
const SILENCE_MS = 4000;

/** These headers concern one connection, not the message. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

/** Starts a server that forwards requests, and disturbs those that `choose` names a fault for. */
export async function startFaultProxy({
  upstream,
  choose = () => undefined,
  exchange = (request, forwarded) => forwarded(request),
}: FaultProxyOptions): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true, timeout: 10_000 });
  const faults = new Map<string, number>();
  let requests = 0;
  let forwarded = 0;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const proxied = await read(incoming);
    const fault = choose(proxied);
    requests += 1;
    if (fault) faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
    const target = upstream();
    if (target === undefined) return void outgoing.destroy();
    if (fault?.delayMs !== undefined) await delay(fault.delayMs);
    if (fault?.lost === 'before') return lose(outgoing, fault);
    forwarded += 1;
    const response = await exchange(proxied, request => forward(target, request, agent)).finally(() => {
      forwarded -= 1;
    });
    if (fault?.lost === 'after') return lose(outgoing, fault, response);
    outgoing.writeHead(response.status, response.headers);
    outgoing.end(response.body);
  }

  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    // A client that has gone, or a server that was killed, is seen as a connection that breaks.
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    faults,
    get requests() {
      return requests;
    },
    isBusy: () => forwarded > 0,
    stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

async function read(incoming: IncomingMessage): Promise<ProxiedRequest> {
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: endToEnd(incoming),
    body: await buffer(incoming),
  };
}

function endToEnd({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

async function forward(
  target: string,
  { method, path, headers, body }: ProxiedRequest,
  agent: Agent,
): Promise<UpstreamResponse> {
  const exchange = request(new URL(path, target), {
    method,
    headers: { ...headers, 'content-length': String(body.length) },
    agent,
  });
  exchange.end(body);
  const [response] = (await once(exchange, 'response')) as [IncomingMessage];
  const content = await buffer(response);
  const kept = { ...endToEnd(response), 'content-length': String(content.length) };
  return { status: response.statusCode ?? 502, headers: kept, body: content };
}

async function lose(
  outgoing: ServerResponse,
  { instead }: Fault,
  response?: UpstreamResponse,
): Promise<void> {
  if (instead === undefined) return void outgoing.destroy();
  if (instead === 'silence') {
    await delay(SILENCE_MS, undefined, { ref: false });
    return void outgoing.destroy();
  }
  if (instead === 'half of the response') {
    const { status, headers, body } = response ?? { status: 200, headers: {}, body: Buffer.alloc(0) };
    outgoing.writeHead(status, headers);
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
    return;
  }
  outgoing.writeHead(instead.status, instead.headers);
  outgoing.end(instead.body);
}
