import type { APIGatewayProxyResult } from 'aws-lambda';
import { type GatewayRequest, gatewayEvent } from '../gateway-event.ts';
import type { Stub, StubCall } from '../stub/stub.ts';
import type { Variant, Variants } from '../variants/variants.ts';
import { Answering } from './answering.ts';
import { CASES, type Case } from './cases.ts';

/** Headers of which a client takes notice. Frameworks may add others of their own. */
const HEADERS_THAT_MATTER = [
  'content-type',
  'x-request-id',
  'cache-control',
  'link',
  'deprecation',
  'sunset',
];

/** What of an answer and of the calls that it took must be the same. */
interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly calls: unknown[];
}

/**
 * Asks every variant the same, and throws when one of them answers otherwise than the bare handler or asks DynamoDB
 * for something else. Asks for the next page of a list too, since only that shows that a cursor is good.
 */
export async function checkSameAnswers({ all, environment }: Variants, stub: Stub): Promise<number> {
  const answering = new Answering();
  const outcome = async (variant: Variant, { operation, request }: Case): Promise<Outcome> => {
    let answer: APIGatewayProxyResult | undefined;
    const calls = await stub.callsDuring(async () => {
      const settings = environment(operation, stub.endpoint);
      answer = await answering.answer(variant.bundle[operation], settings, gatewayEvent(request));
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
    await answering.stop();
  }
}

/** Ids and write tokens are drawn, so a new animal has others in every variant. */
function comparable(answer: APIGatewayProxyResult, calls: StubCall[]): Outcome {
  const isCreated = answer.statusCode === 201;
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    given.set(name.toLowerCase(), String(value));
  for (const [name, values] of Object.entries(answer.multiValueHeaders ?? {})) {
    given.set(name.toLowerCase(), values.join(', '));
  }
  const headers: Record<string, string> = {};
  for (const name of HEADERS_THAT_MATTER) {
    const value = given.get(name);
    // Frameworks add `; charset=UTF-8`, which is what JSON is anyway.
    if (value !== undefined) headers[name] = name === 'content-type' ? (value.split(';')[0] ?? '') : value;
  }
  return {
    status: answer.statusCode,
    headers,
    body: isCreated ? answer.body.replace(/"id":\d+/, '"id":0') : answer.body,
    calls: calls.map(({ operation, input }) => [operation, sorted(isCreated ? withoutDraws(input) : input)]),
  };
}

function withoutDraws(input: Record<string, unknown>): Record<string, unknown> {
  return { ...input, Item: { ...(input.Item as object), id: 'drawn', writeToken: 'drawn' } };
}

/** The same value with the fields of its objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

/** The request that a Link header leads to. */
function nextPage(request: GatewayRequest, link: string | undefined): GatewayRequest | undefined {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
  if (url === undefined) return undefined;
  const parameters = [...new URL(url).searchParams].map(([name, value]) => [name, [value]]);
  return { ...request, query: Object.fromEntries(parameters) };
}
