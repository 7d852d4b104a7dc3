import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../framework/target.ts';

export interface Response {
  /** Such as `GET /pets?limit=1`. */
  readonly request: string;
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface RequestParts {
  /** The API key; null sends none. By default it is the key for pets. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is if it is text, else as JSON. */
  readonly body?: unknown;
}

/** Sends `GET /pets` to the environment, or `GET https://…` to another URL. Paths are sent as they are written. */
export type Send = (methodAndTarget: string, parts?: RequestParts) => Promise<Response>;

export interface SmokeClientOptions {
  /** The base URL of the environment, such as https://…/staging/v1. */
  readonly baseUrl: string;
  readonly key: string;
  readonly edge: Target['edge'];
  readonly signal?: AbortSignal;
  /** Called with every response. */
  readonly onResponse?: (response: Response) => void;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** No response came. The message says to which request, and why. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** API Gateway responds within 29 s; the rest is for the connection. */
const RESPONSE_LIMIT_MS = 35_000;

const MAX_ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 10;

/** A client of one environment. A throttled request is repeated after the time that the response asks for. */
export function smokeClient({
  baseUrl,
  key: ownKey,
  edge,
  signal,
  onResponse,
  wait = (ms, aborted) => pause(ms, undefined, { signal: aborted }),
}: SmokeClientOptions): Send {
  return async (methodAndTarget, { key = ownKey, headers, body } = {}) => {
    const [method = '', target = ''] = methodAndTarget.split(/ (.*)/s);
    const url = target.startsWith('http') ? target : `${baseUrl}${target}`;
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const options = {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    };
    for (let attempt = 1; ; attempt += 1) {
      const limit = AbortSignal.timeout(RESPONSE_LIMIT_MS);
      const ended = signal ? AbortSignal.any([signal, limit]) : limit;
      const received = await exchange(endpointOf(url, edge), { ...options, signal: ended }, content).catch(
        (error: Error) => {
          signal?.throwIfAborted();
          throw new NoResponse(`${methodAndTarget}: expected a response, got none: ${error.message}`);
        },
      );
      const response = { request: methodAndTarget, ...received };
      if (response.status !== 429 || attempt === MAX_ATTEMPTS) {
        onResponse?.(response);
        return response;
      }
      await wait(retryAfterMs(response), signal);
    }
  };
}

type Endpoint = Pick<
  https.RequestOptions,
  'protocol' | 'hostname' | 'port' | 'path' | 'servername' | 'ca'
> & {
  /** The Host header, where it is not the name that is connected to. */
  readonly host?: string;
};

/** Where a URL is reached. The custom domains of the local AWS are served by its edge, whose CA is its own. */
function endpointOf(url: string, edge: Target['edge']): Endpoint {
  const { protocol, hostname, port } = new URL(url);
  // URL would normalize the path.
  const path = url.slice(url.indexOf('//') + 2).replace(/^[^/?]*/, '') || '/';
  if (protocol !== 'https:' || edge === undefined) return { protocol, hostname, port, path };
  const [edgeHost, edgePort] = edge.https.split(':');
  const ca = readFileSync(edge.ca, 'utf8');
  return { protocol, hostname: edgeHost, port: edgePort, path, servername: hostname, host: hostname, ca };
}

function exchange(
  { host, ...endpoint }: Endpoint,
  options: http.RequestOptions,
  content: string | undefined,
): Promise<Pick<Response, 'status' | 'headers' | 'text'>> {
  const { request } = endpoint.protocol === 'https:' ? https : http;
  const headers = {
    ...options.headers,
    ...(host && { Host: host }),
    ...(content !== undefined && { 'Content-Length': String(Buffer.byteLength(content)) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ ...endpoint, ...options, headers }, response => {
      readText(response).then(
        text => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(content);
  });
}

function retryAfterMs({ headers }: Response): number {
  const seconds = Number(headers['retry-after']);
  return 1000 * (seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 1);
}
