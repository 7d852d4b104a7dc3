import type { APIGatewayProxyResult } from 'aws-lambda';
import { CALLER, type GatewayRequest, gatewayEvent } from './gateway-events.ts';
import { LoadedHandler } from './handler-process.ts';
import { STUB_IDS, type Stub, type StubCall } from './stub.ts';
import type { Operation, Variant, Variants } from './variants.ts';

/** The headers that the interface specifies. Frameworks may add others of their own. */
const COMPARED_HEADERS = ['content-type', 'x-request-id', 'cache-control', 'link', 'deprecation', 'sunset'];

/** The parts of a response, and of the calls to DynamoDB behind it, that must be the same in every variant. */
interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly calls: unknown[];
}

/**
 * Sends the same requests to every variant, and throws when a response or the calls to DynamoDB differ from those of the
 * bare handler. Follows each list to its second page, because only that proves the cursor. Returns the number of requests.
 */
export async function checkSameResponses({ all, environment }: Variants, stub: Stub): Promise<number> {
  const handlers = new Map<string, LoadedHandler>();
  const handlerOf = (bundle: string, settings: Record<string, string>) => {
    const key = JSON.stringify([bundle, settings]);
    const handler = handlers.get(key) ?? new LoadedHandler(settings, 'invoke', bundle);
    handlers.set(key, handler);
    return handler;
  };
  const outcome = async (variant: Variant, { operation, request }: Case): Promise<Outcome> => {
    let response: APIGatewayProxyResult | undefined;
    const calls = await stub.callsDuring(async () => {
      const handler = handlerOf(variant.bundle[operation], environment(operation, stub.endpoint));
      response = await handler.ask<APIGatewayProxyResult>(gatewayEvent(request));
    });
    if (!response) throw new Error(`${variant.name} did not respond.`);
    return comparable(response, calls);
  };

  try {
    const cases = [...CASES];
    for (const each of cases) {
      let expected: Outcome | undefined;
      for (const variant of all) {
        const found = await outcome(variant, each);
        expected ??= { ...found, status: each.status };
        if (JSON.stringify(found) !== JSON.stringify(expected)) {
          throw new Error(
            `${variant.name} does not do the same work. To ${JSON.stringify(each.request)} it gives\n${JSON.stringify(found)}\nand not\n${JSON.stringify(expected)}`,
          );
        }
      }
      const isFirstPage = each.request.query?.cursor === undefined;
      const next = isFirstPage && nextPage(each.request, expected?.headers.link);
      if (next) cases.push({ ...each, request: next });
    }
    return cases.length;
  } finally {
    for (const handler of handlers.values()) handler.stop();
  }
}

/** Replaces ids and write tokens of new pets, which are random and differ between variants. */
function comparable(response: APIGatewayProxyResult, calls: StubCall[]): Outcome {
  const isCreated = response.statusCode === 201;
  const given = Object.entries({ ...response.headers, ...response.multiValueHeaders });
  const allHeaders = new Map(given.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
  const headers: Record<string, string> = {};
  for (const name of COMPARED_HEADERS) {
    const value = allHeaders.get(name);
    // Some frameworks add `; charset=UTF-8`, which means the same for JSON.
    if (value !== undefined) headers[name] = name === 'content-type' ? (value.split(';')[0] ?? '') : value;
  }
  return {
    status: response.statusCode,
    headers,
    body: isCreated ? response.body.replace(/"id":\d+/, '"id":0') : response.body,
    calls: calls.map(({ operation, input }) => [
      operation,
      sorted(withPlainNames(isCreated ? withoutRandomValues(input) : input)),
    ]),
  };
}

function withoutRandomValues(input: Record<string, unknown>): Record<string, unknown> {
  return { ...input, Item: { ...(input.Item as object), id: 'drawn', writeToken: 'drawn' } };
}

/** An input with names in its expressions instead of placeholders, which variants choose as they like. */
function withPlainNames({ ExpressionAttributeNames: names = {}, ...input }: Record<string, unknown>) {
  const plain = (text: string) =>
    text.replaceAll(/#\w+/g, name => (names as Record<string, string>)[name] ?? name).replaceAll(', ', ',');
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, typeof value === 'string' ? plain(value) : value]),
  );
}

/** A value with the fields of its objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

/** The request for the next page that a Link header names. */
function nextPage(request: GatewayRequest, link: string | undefined): GatewayRequest | undefined {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
  if (url === undefined) return undefined;
  const parameters = [...new URL(url).searchParams].map(([name, value]) => [name, [value]]);
  return { ...request, query: Object.fromEntries(parameters) };
}

interface Case {
  readonly operation: Operation;
  readonly request: GatewayRequest;
  /** The expected status: variants that are all broken alike would otherwise pass. */
  readonly status: number;
}

const list = (status: number, query?: Record<string, string[]>): Case => ({
  operation: 'list',
  request: { method: 'GET', path: '/pets', ...(query && { query }) },
  status,
});

const get = (status: number, petId: string | undefined): Case => ({
  operation: 'get',
  request: { method: 'GET', path: `/pets/${petId}` },
  status,
});

const create = (status: number, body?: string, contentType = 'application/json'): Case => ({
  operation: 'create',
  request: { method: 'POST', path: '/pets', contentType, ...(body !== undefined && { body }) },
  status,
});

const as = (
  authorizer: Record<string, string> | undefined,
  { operation, request }: Case,
  status: number,
) => ({
  operation,
  request: { ...request, authorizer },
  status,
});

const REX = '{"name": "Rex", "categoryId": 1}';

/** At least one request for every kind of response that an operation gives. */
const CASES: readonly Case[] = [
  list(200),
  list(200, { limit: ['1'] }),
  list(200, { limit: ['100'] }),
  list(200, { status: ['sold'], limit: ['5'] }),
  list(200, { status: ['sold'], limit: ['100'] }),
  list(200, { unknown: ['1', '2'] }),
  list(400, { limit: ['0'] }),
  list(400, { limit: ['101'], status: ['lost'] }),
  list(400, { limit: ['5', '6'] }),
  list(400, { cursor: ['2gosa7pa2gv.forged'] }),
  list(400, { cursor: [''] }),
  as(undefined, list(200), 401),
  as({ keyId: 'key_1', scopes: 'pets:write' }, list(200), 403),
  as({ ...CALLER, expiresAt: '2025-01-01T00:00:00Z' }, list(200), 401),

  get(200, STUB_IDS[0]),
  get(200, STUB_IDS[5]),
  get(404, '17'),
  get(404, '9223372036854775807'),
  get(404, '9223372036854775808'),
  get(404, 'rex'),
  as(undefined, get(200, STUB_IDS[0]), 401),

  create(201, REX),
  create(201, '{"name": " Åsa 🐕 ", "categoryId": 9223372036854775807, "status": "sold", "more": 1}'),
  create(201, '{"name": "Rex", "categoryId": -5.0}', 'application/json; charset=utf-8'),
  create(400, '{"name": "", "categoryId": 5.5}'),
  create(400, '{"name": 5, "categoryId": "5", "status": "lost"}'),
  create(400, '{"categoryId": 9223372036854775808}'),
  create(400, '{"name": "a\\u0000b", "categoryId": null}'),
  create(400, `{"name": "${'a'.repeat(256)}", "categoryId": 1}`),
  create(400, '[]'),
  create(400, 'null'),
  create(400, '{"name":'),
  create(400),
  create(413, `{"name": "${'a'.repeat(17 * 1024)}", "categoryId": 1}`),
  create(415, REX, 'text/plain'),
  as({ keyId: 'key_1', scopes: 'pets:read' }, create(201, REX), 403),
];
