import { Petstore, type PetstoreOptions } from '../src/petstore.ts';

export const BASE_URL = 'https://api.example.org/staging/v1';

export interface SentRequest {
  readonly line: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export type ScriptedAnswer = Response | Error | ((request: SentRequest) => Response | Promise<Response>);

/** A client whose requests get responses from a list, and whose waits are recorded and take no time. */
export function scriptedPetstore(responses: ScriptedAnswer[], options: Partial<PetstoreOptions> = {}) {
  const sent: SentRequest[] = [];
  const waitsMs: number[] = [];
  const petstore = new Petstore({
    baseUrl: BASE_URL,
    apiKey: 'pet_test_key',
    clock: {
      now: () => 0,
      random: () => 1,
      async sleep(delayMs, signal) {
        waitsMs.push(delayMs);
        signal?.throwIfAborted();
      },
    },
    async fetch(input, init) {
      const { method, url, headers } = new Request(input, init);
      const request = {
        line: `${method} ${url}`,
        headers: Object.fromEntries(headers),
        body: (init?.body ?? null) as string | null,
        signal: init?.signal as AbortSignal,
      };
      sent.push(request);
      const response = responses.shift();
      if (!response) throw new Error(`There is no response left for ${request.line}.`);
      if (response instanceof Error) throw response;
      return response instanceof Response ? response : response(request);
    },
    ...options,
  });
  return { petstore, sent, waitsMs };
}

export const REX = { id: 1n, name: 'Rex', categoryId: 2n, status: 'available' } as const;
const REX_TEXT = '{"id":1,"name":"Rex","categoryId":2,"status":"available"}';

export const created = () => new Response(REX_TEXT, { status: 201 });
export const page = (link?: string) =>
  new Response(`[${REX_TEXT}]`, { headers: link === undefined ? {} : { Link: `<${link}>; rel="next"` } });

/** A response with the Error body. */
export function refused(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, message: 'A message.', status }), {
    status,
    headers: { 'X-Request-Id': 'a-request-id', ...headers },
  });
}

/** A response that never comes; the request ends with the reason of its signal. */
export const silence = ({ signal }: SentRequest) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
