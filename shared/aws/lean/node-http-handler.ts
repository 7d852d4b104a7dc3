import type { Agent, IncomingMessage } from 'node:http';
import type { HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';
import { processVariables } from '../../environment.ts';

/** As many connections as the SDK opens by default. */
const MAX_SOCKETS = 50;

/**
 * Sends a client's requests over connections that stay open. The only SDK option it takes is `requestTimeout`, which here limits
 * an attempt from its first byte to the last byte of the response.
 */
export class NodeHttpHandler implements RequestHandler<HttpRequest, HttpResponse> {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  readonly #timeoutMs: number | undefined;
  #agent: Agent | undefined;

  constructor({ requestTimeout }: { readonly requestTimeout?: number } = {}) {
    this.#timeoutMs = requestTimeout;
  }

  /** The SDK passes the options of a client or, if it has none, a function that reads the SDK's defaults. */
  static create(options: { readonly requestTimeout?: number } | (() => unknown)): NodeHttpHandler {
    return new NodeHttpHandler(typeof options === 'function' ? {} : options);
  }

  handle(request: HttpRequest): Promise<{ response: HttpResponse }> {
    const { protocol, hostname: host, port, method, headers, body } = request;
    const transport = transportOf(protocol);
    this.#agent ??= new transport.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
    const agent = this.#agent;
    const options = { agent, host, port, method, headers, path: pathOf(request) };
    return new Promise((resolve, reject) => {
      let response: IncomingMessage | undefined;
      const sent = transport.request(options, received => {
        response = received;
        resolve({ response: responseOf(received) });
      });
      sent.on('error', reject);
      if (this.#timeoutMs !== undefined) {
        const timer = setTimeout(() => {
          (response ?? sent).destroy(new TimeoutError());
          // Idle connections may be just as silent, so the retry opens a new one.
          for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy();
        }, this.#timeoutMs);
        sent.on('close', () => clearTimeout(timer));
      }
      sent.end(body);
    });
  }

  destroy(): void {
    this.#agent?.destroy();
  }
}

/** The whole body of a response. */
export function streamCollector(response: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks)));
    response.on('error', reject);
  });
}

/** The SDK retries an error of this name. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  override readonly message = 'The service did not respond in time.';
}

/** TLS takes 14 ms to load, and endpoints on one machine are plain HTTP. */
function transportOf(protocol: string) {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
}

// Load TLS during the function's initialization, which has a whole CPU and keeps no client waiting.
if (!processVariables('AWS_ENDPOINT_URL')?.startsWith('http:')) transportOf('https:');

function pathOf({ path, query = {} }: HttpRequest): string {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map(value => `${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`),
  );
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

function responseOf(received: IncomingMessage): HttpResponse {
  const { statusCode = 0, headers } = received;
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { statusCode, headers: Object.fromEntries(texts), body: received };
}
