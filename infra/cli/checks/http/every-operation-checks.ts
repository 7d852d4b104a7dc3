import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { STATUS_BY_CODE } from '../../../../shared/errors.ts';
import { MINIMUM_COMPRESSED_BYTES } from '../../../../shared/http/compression.ts';
import type { OperationDeclaration } from '../../../../shared/operation-declaration.ts';
import { OPERATIONS, requestLine } from '../../../../shared/operations.ts';
import { SETUP_ROUTE } from '../../../../shared/setup/link.ts';
import { Skipped } from '../check.ts';
import {
  broken,
  expectError,
  expectHeader,
  expectList,
  expectObject,
  expectStatus,
  expectUnauthorized,
} from './expectations.ts';
import type { HttpCheck } from './http-checks.ts';
import type { RequestParts, Send } from './smoke-client.ts';
import { accepts, fixedValuesOf, validRequest } from './valid-request.ts';

/** The body limit is 16 KiB. */
const TOO_LARGE = { text: 'x'.repeat(17 * 1024) };

const hasParameter = (name: string) => (operation: OperationDeclaration) =>
  name in (operation.request.shape.query?.shape ?? {});
const hasBody = ({ request }: OperationDeclaration) => request.shape.body !== undefined;
const isBody = ({ request }: OperationDeclaration, value: unknown) =>
  request.shape.body !== undefined && accepts(request.shape.body, value);
const isDeprecated = ({ stability }: OperationDeclaration) => stability === 'deprecated';

/** A request of each operation that changes nothing: nothing has the id 1, and its body isn't JSON. */
function harmlessRequest(operation: OperationDeclaration): [request: string, parts: RequestParts] {
  const query = hasParameter('limit')(operation) ? '?limit=1' : '';
  return [`${requestLine(operation)}${query}`, hasBody(operation) ? { body: '{' } : {}];
}

function refusal(
  { name, scope }: OperationDeclaration,
  what: string,
  code: keyof typeof STATUS_BY_CODE,
  request: string,
  parts: RequestParts = {},
): HttpCheck {
  return {
    name: `${name} ${what}`,
    async run({ send, keys }) {
      const response = await send(request, { key: keys.with(scope), ...parts });
      expectError(response, STATUS_BY_CODE[code], code);
    },
  };
}

type Operations = readonly OperationDeclaration[];

/** What lists return. A list that is new is checked without an edit here, and so are the refusals below. */
export const listChecks = (operations: Operations): readonly HttpCheck[] =>
  operations.filter(hasParameter('cursor')).flatMap(({ name, path, scope, request }) => [
    {
      name: `${name} returns a page`,
      async run({ send, keys }) {
        expectList(await send(`GET ${path}?limit=2`, { key: keys.with(scope) }), 2);
      },
    },
    ...fixedValuesOf(request.shape.query?.shape.status)
      .slice(-1)
      .map(
        (status): HttpCheck => ({
          name: `${name} filters by status`,
          async run({ send, keys }) {
            const response = await send(`GET ${path}?status=${status}&limit=2`, { key: keys.with(scope) });
            const items = expectList(response, 2);
            if (items.some(item => item.status !== status)) {
              throw broken(response, `items with the status ${status}`, response.text);
            }
          },
        }),
      ),
    {
      name: `${name} returns the same with gzip as without`,
      run: ({ send, keys }) => expectReadableCompressed(send, `GET ${path}?limit=100`, keys.with(scope)),
    },
    {
      name: `${name} announces the next page in Link`,
      run: ({ send, keys }) => expectNextPage(send, path, keys.with(scope)),
    },
  ]);

export const refusalChecks = (operations: Operations): readonly HttpCheck[] => [
  ...operations.flatMap((operation): HttpCheck[] => {
    const [request, parts] = harmlessRequest(operation);
    return [
      {
        name: `${operation.name} refuses a request without an API key (authorizer, gateway response UNAUTHORIZED)`,
        async run({ send }) {
          expectUnauthorized(await send(request, { ...parts, key: null }));
        },
      },
      {
        name: `${operation.name} refuses an unknown API key (authorizer, gateway response ACCESS_DENIED)`,
        async run({ send, keys }) {
          // It has the form that API Gateway asks for, so the authorizer function is invoked.
          const key = keys.with(operation.scope).replace(/[0-9A-Za-z]{34}$/, '0'.repeat(34));
          expectUnauthorized(await send(request, { ...parts, key }));
        },
      },
      {
        name: `${operation.name} refuses an API key without its scope`,
        async run({ send, keys }) {
          const response = await send(request, { ...parts, key: keys.without(operation.scope) });
          expectError(response, 403, 'forbidden');
        },
      },
    ];
  }),
  ...operations
    .filter(hasParameter('limit'))
    .map(operation =>
      refusal(operation, 'refuses a limit of 0', 'invalid_request', `${requestLine(operation)}?limit=0`),
    ),
  ...operations.filter(hasParameter('cursor')).map(operation => {
    const request = `${requestLine(operation)}?cursor=forged`;
    return refusal(operation, 'refuses a forged cursor', 'invalid_cursor', request);
  }),
  ...operations.filter(hasBody).flatMap(operation => {
    const request = requestLine(operation);
    const text = { body: 'text', headers: { 'Content-Type': 'text/plain' } };
    return [
      ...(isBody(operation, {})
        ? []
        : [refusal(operation, 'refuses an empty object', 'invalid_request', request, { body: {} })]),
      refusal(operation, 'refuses a body that is not JSON', 'invalid_request', request, { body: '{' }),
      refusal(operation, 'refuses another media type', 'unsupported_media_type', request, text),
      refusal(operation, 'refuses a body over 16 KiB', 'payload_too_large', request, { body: TOO_LARGE }),
    ];
  }),
  ...operations
    .filter(({ errors }) => errors.includes('not_found'))
    .flatMap(operation => {
      const request = validRequest(operation);
      return request ? [refusal(operation, 'returns 404 for an unknown id', 'not_found', ...request)] : [];
    }),
  ...operations.filter(isDeprecated).map(
    (operation): HttpCheck => ({
      name: `${operation.name} announces when it will be removed`,
      async run({ send, keys }) {
        const [request, parts] = harmlessRequest(operation);
        const response = await send(request, { ...parts, key: keys.with(operation.scope) });
        expectHeader(response, 'deprecation', /^@\d+$/);
        expectHeader(response, 'sunset', /GMT$/);
        expectHeader(response, 'link', /rel="successor-version"/);
      },
    }),
  ),
  ...operations
    .filter(({ method }) => method === 'GET')
    .map(
      (operation): HttpCheck => ({
        name: `${operation.name} responds to HEAD as to GET, without the body`,
        async run({ send, keys }) {
          const [request, parts] = harmlessRequest(operation);
          await expectHeadAsGet(send, request, { ...parts, key: keys.with(operation.scope) });
        },
      }),
    ),
];

export const LIST_CHECKS = listChecks(OPERATIONS);
export const REFUSAL_CHECKS = refusalChecks(OPERATIONS);

/** Of the form of a link for the owner of a domain, which nobody has been given. */
const FORGED_LINK = SETUP_ROUTE.replace('{domain}', 'www.example.com').replace(
  '{key}',
  `${'x'.repeat(27)}zzzz`,
);

/** The documents and the pages for owners of domains, which need no API key. */
export const DOCUMENT_CHECKS: readonly HttpCheck[] = [
  {
    name: 'a forged link to the page for an owner leads nowhere',
    async run({ send }) {
      const page = await send(`GET ${FORGED_LINK}`, { key: null });
      expectStatus(page, 404);
      expectHeader(page, 'content-type', /^text\/html/);
      expectHeader(page, 'content-security-policy', /default-src 'none'/);
      expectHeader(page, 'cache-control', 'no-store');
      expectHeader(page, 'referrer-policy', 'no-referrer');
      expectHeader(page, 'x-robots-tag', 'noindex');
    },
  },
  {
    name: 'the OpenAPI document is served',
    async run({ send }) {
      const response = await send('GET /openapi.json', { key: null });
      const { openapi, paths } = expectObject(response, 200);
      const isDocument = typeof openapi === 'string' && typeof paths === 'object' && paths !== null;
      if (!isDocument) throw broken(response, 'an OpenAPI document', response.text);
      await expectReadableCompressed(send, response.request, null);
    },
  },
  {
    name: 'the reference page is served',
    async run({ send }) {
      const page = await send('GET /docs', { key: null });
      expectStatus(page, 200);
      expectHeader(page, 'content-type', /^text\/html/);
      expectHeader(page, 'content-security-policy', /default-src 'none'/);
      if (!page.text.includes('createPet')) throw broken(page, 'a page with every operation', page.text);
    },
  },
];

/** Headers that differ from request to request, or with the connection. AWS adds some of its own. */
const OF_ONE_RESPONSE =
  /^(x-amz(?!n-errortype$).*|x-request-id|date|content-length|transfer-encoding|connection|keep-alive)$/;

/** Expects of HEAD what GET returns, but for the body. */
export async function expectHeadAsGet(send: Send, request: string, parts: RequestParts): Promise<void> {
  const get = await send(request, parts);
  const head = await send(request.replace('GET', 'HEAD'), parts);
  expectStatus(head, get.status);
  for (const name of new Set([...Object.keys(get.headers), ...Object.keys(head.headers)])) {
    if (OF_ONE_RESPONSE.test(name)) continue;
    const [expected, seen] = [get, head].map(({ headers }) => String(headers[name] ?? 'none'));
    if (seen !== expected) throw broken(head, `the header ${name}: ${expected}`, `${seen}`);
  }
  if (head.text !== '') throw broken(head, 'no body', head.text);
}

/** How often a list is read that others change meanwhile. */
const LIST_ATTEMPTS = 3;

/** How long others may write to it at a stretch. */
const WRITES_MS = 500;

/**
 * Follows the Link of a page of one: the page behind it begins with the next id. Others may use the environment at the
 * same time, so a finding counts only if the list still begins as it did.
 */
async function expectNextPage(send: Send, path: string, key: string): Promise<void> {
  const firstTwo = async () => expectList(await send(`GET ${path}?limit=2`, { key })).map(({ id }) => id);
  let ids = await firstTwo();
  for (let attempt = 1; ; attempt += 1) {
    if (ids.length < 2) throw new Skipped('the list has fewer than two entries');
    try {
      return await expectSecondBehindLink(send, path, key, ids[1]);
    } catch (error) {
      const idsNow = await firstTwo();
      if (attempt === LIST_ATTEMPTS || isDeepStrictEqual(idsNow, ids)) throw error;
      ids = idsNow;
    }
  }
}

/**
 * Expects a compressed response that has the text of the plain one, and one that can be read without an Accept header. A
 * list may change in between.
 */
export async function expectReadableCompressed(
  send: Send,
  request: string,
  key: string | null,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const plain = await send(request, { key, headers: { 'Accept-Encoding': 'identity' } });
    expectStatus(plain, 200);
    if (Buffer.byteLength(plain.text) <= MINIMUM_COMPRESSED_BYTES) {
      throw new Skipped(`it has at most ${MINIMUM_COMPRESSED_BYTES} bytes, so it isn't compressed`);
    }
    const compressed = await send(request, { key, headers: { Accept: '*/*' } });
    expectStatus(compressed, 200);
    expectHeader(compressed, 'content-encoding', 'gzip');
    const withoutAccept = await send(request, { key });
    expectStatus(withoutAccept, 200);
    if ([compressed, withoutAccept].every(({ text }) => text === plain.text || hasGrown(text, plain.text)))
      return;
    if (attempt === LIST_ATTEMPTS) throw broken(compressed, plain.text, compressed.text);
    await pause(attempt * WRITES_MS);
  }
}

/** Whether the text is that of a list which has all entries that it had, and more. */
function hasGrown(text: string, before: string): boolean {
  const entriesOf = (list: string) => list.slice('[{'.length, -'}]'.length).split('},{');
  const entries = new Set(entriesOf(text));
  return (
    text.startsWith('[{') &&
    text.length > before.length &&
    entriesOf(before).every(entry => entries.has(entry))
  );
}

async function expectSecondBehindLink(send: Send, path: string, key: string, second: unknown): Promise<void> {
  const page = await send(`GET ${path}?limit=1`, { key });
  expectList(page);
  expectHeader(page, 'link', /^<[^>]+>; rel="next"$/);
  const [, next = ''] = /^<([^>]+)>/.exec(String(page.headers.link)) ?? [];
  const nextPage = await send(`GET ${next}`, { key });
  const [item] = expectList(nextPage);
  if (item?.id !== second) throw broken(nextPage, `the id ${second} first`, nextPage.text);
}
