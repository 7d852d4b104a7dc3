import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { exchange, type HttpRequest } from '../../infra/tools/http-exchange.ts';
import { OPERATIONS, requestLine } from '../../shared/operations.ts';
import type { Pet as StoredPet } from '../../shared/pets/pet.ts';
import type { Environment } from './running-service.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was received: it holds digits that a JavaScript number cannot. */
  readonly text: string;
  json<Value>(): Value;
}

export interface RequestParts {
  /** Added to the API key and the media type, or replacing them; undefined leaves a header out, an array repeats it. */
  readonly headers?: HttpRequest['headers'];
  /** Sent as it is if it is text or bytes, else as JSON. */
  readonly body?: unknown;
}

/** Sends `GET /pets?limit=5`, or `GET http://…` as a Link header has it. Paths are sent as they are written. */
export type Send = (methodAndPath: string, parts?: RequestParts) => Promise<HttpResponse>;

/** A pet whose numbers are small enough for JSON.parse. */
export type Pet = {
  readonly [Name in keyof StoredPet]: StoredPet[Name] extends bigint ? number : StoredPet[Name];
};

const requestIds = new Set<string>();

/** A client of one environment. It asks for the environment at each request, since the service may start later. */
export function client(environment: () => Environment): Send {
  return async (methodAndPath, { headers, body } = {}) => {
    const { url, apiKey } = environment();
    const [method = '', target = ''] = methodAndPath.split(/ (.*)/s);
    const isSentAsItIs = body === undefined || typeof body === 'string' || body instanceof Buffer;
    const content = isSentAsItIs ? body : JSON.stringify(body);
    const response = await exchange(target.startsWith('http') ? target : `${url}${target}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: content,
    });
    // Every response has a unique id, whether a function or the gateway sent it.
    const requestId = String(response.headers['x-request-id'] ?? '');
    expect(requestId).toMatch(/^\S{8,}$/);
    expect(requestIds.has(requestId)).toBe(false);
    requestIds.add(requestId);
    return { ...response, json: () => JSON.parse(response.text) };
  };
}

/** Sends a request for a custom domain to the edge, by a connection of its own: its certificate may have changed. */
export function atEdge(
  edge: NonNullable<HttpRequest['edge']>,
  host: string,
  path: string,
  { method = 'GET', apiKey = '', headers = {} } = {},
) {
  const authorization = apiKey && { Authorization: `Bearer ${apiKey}` };
  const parts = { method, headers: { ...headers, ...authorization }, edge, agent: false } as const;
  return exchange(`https://${host}${path}`, parts);
}

/** Expects the interface's Error: exactly code, message and status, with the status of the response. */
export function expectError(response: HttpResponse, status: number, code: string, message?: RegExp): void {
  expect({ status: response.status, ...response.json<object>() }).toEqual({
    status,
    code,
    message: expect.stringMatching(message ?? /\S/),
  });
  expect(response.json()).toHaveProperty('status', status);
  expect(response.headers['content-type']).toBe('application/json');
}

/** Expects every operation to refuse requests with these headers, in the same words whatever is wrong with the key. */
export async function expectUnauthorized(send: Send, headers: RequestParts['headers'] = {}): Promise<void> {
  for (const operation of OPERATIONS.map(requestLine)) {
    const body = operation.startsWith('POST') ? { name: 'Rex', categoryId: 1 } : undefined;
    const response = await send(operation, { headers, body });
    expectError(response, 401, 'unauthorized', /^The API key is missing or invalid\.$/);
    // Two headers are refused by the function, whose header API Gateway renames.
    const isByFunction = Array.isArray(headers.Authorization);
    const name = isByFunction ? 'x-amzn-remapped-www-authenticate' : 'www-authenticate';
    expect(response.headers[name]).toBe('Bearer realm="petstore"');
  }
}

/** The statuses that four clients get who try these Authorization headers one after the other. */
export async function statusesOf(send: Send, authorizations: readonly string[]): Promise<Set<number>> {
  const rest = [...authorizations];
  const statuses = new Set<number>();
  const clients = Array.from({ length: 4 }, async () => {
    for (let Authorization = rest.pop(); Authorization; Authorization = rest.pop()) {
      statuses.add((await send('GET /pets', { headers: { Authorization } })).status);
    }
  });
  await Promise.all(clients);
  return statuses;
}

/** Creates a pet that must be accepted. */
export async function created(send: Send, body: unknown): Promise<Pet> {
  const response = await send('POST /pets', { body });
  expect(response.status, response.text).toBe(201);
  return response.json();
}

/** The URL of the next page, or undefined on the last one. */
export function nextPage({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
}

/** All pages from this one on, by following the Link headers. */
export async function pagesFrom(send: Send, path: string): Promise<Pet[][]> {
  const pages: Pet[][] = [];
  for (let target: string | undefined = path; target !== undefined; ) {
    const response: HttpResponse = await send(`GET ${target}`);
    expect(response.status, response.text).toBe(200);
    pages.push(response.json());
    target = nextPage(response);
  }
  return pages;
}

export async function allPets(send: Send, query = 'limit=100'): Promise<Pet[]> {
  return (await pagesFrom(send, `/pets?${query}`)).flat();
}
