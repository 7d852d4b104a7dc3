import type { APIGatewayProxyResult } from 'aws-lambda';
import { type GatewayRequest, gatewayEvent } from '../gateway-event.ts';
import type { Stub, StubCall } from '../stub/stub.ts';
import type { Variant, Variants } from '../variants/variants.ts';
import { BundleProcesses } from './bundle-processes.ts';
import { CASES, type Case } from './cases.ts';

/** The headers that the interface specifies. Frameworks may add others of their own. */
const COMPARED_HEADERS = ['content-type', 'x-request-id', 'cache-control', 'link', 'deprecation', 'sunset'];

/** The parts of an answer, and of the calls to DynamoDB behind it, that must be the same in every variant. */
interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly calls: unknown[];
}

/**
 * Sends the same requests to every variant, and throws when an answer or the calls to DynamoDB differ from those of the
 * bare handler. Follows each list to its second page, because only that proves the cursor. Returns the number of requests.
 */
export async function checkSameAnswers({ all, environment }: Variants, stub: Stub): Promise<number> {
  const processes = new BundleProcesses();
  const outcome = async (variant: Variant, { operation, request }: Case): Promise<Outcome> => {
    let answer: APIGatewayProxyResult | undefined;
    const calls = await stub.callsDuring(async () => {
      const settings = environment(operation, stub.endpoint);
      answer = await processes.invoke(variant.bundle[operation], settings, gatewayEvent(request));
    });
    if (!answer) throw new Error(`${variant.name} did not answer.`);
    return comparable(answer, calls);
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
    await processes.stop();
  }
}

/** Replaces ids and write tokens of new animals, which are random and differ between variants. */
function comparable(answer: APIGatewayProxyResult, calls: StubCall[]): Outcome {
  const isCreated = answer.statusCode === 201;
  const allHeaders = new Map<string, string>();
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    allHeaders.set(name.toLowerCase(), String(value));
  for (const [name, values] of Object.entries(answer.multiValueHeaders ?? {})) {
    allHeaders.set(name.toLowerCase(), values.join(', '));
  }
  const headers: Record<string, string> = {};
  for (const name of COMPARED_HEADERS) {
    const value = allHeaders.get(name);
    // Some frameworks add `; charset=UTF-8`, which means the same for JSON.
    if (value !== undefined) headers[name] = name === 'content-type' ? (value.split(';')[0] ?? '') : value;
  }
  return {
    status: answer.statusCode,
    headers,
    body: isCreated ? answer.body.replace(/"id":\d+/, '"id":0') : answer.body,
    calls: calls.map(({ operation, input }) => [
      operation,
      sorted(isCreated ? withoutRandomValues(input) : input),
    ]),
  };
}

function withoutRandomValues(input: Record<string, unknown>): Record<string, unknown> {
  return { ...input, Item: { ...(input.Item as object), id: 'drawn', writeToken: 'drawn' } };
}

/** The same value with the fields of its objects in alphabetical order. */
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
