import { OPENAPI_ROUTE, REFERENCE_ROUTE } from '../../../../shared/docs/servers.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../../../shared/errors.ts';
import { OPERATION_PATHS } from '../../../../shared/operations.ts';
import type { Check } from '../check.ts';
import { broken, expectError, expectHeader, expectStatus } from './expectations.ts';
import type { HttpCheck, HttpParts } from './http-checks.ts';
import type { RequestParts, Response } from './smoke-client.ts';

type SendingCheck = Check<Pick<HttpParts, 'send'>>;

/** A path as a request has it: nothing has the id 1. */
const targetOf = (path: string) => path.replaceAll(/\{\w+\}/g, '1');

/** The paths of the operations, with requests whose method they don't have. */
const PATHS = OPERATION_PATHS.map(({ path, allow }) => ({
  path,
  allow,
  wrong: wrongMethods(allow).map(method => `${method} ${targetOf(path)}`),
}));

/** The documents, which nobody needs an API key for. */
const DOCUMENTS = [OPENAPI_ROUTE, REFERENCE_ROUTE].map(({ method, path }) => {
  const allow = [method, 'HEAD', 'OPTIONS'].join(', ');
  return {
    path,
    request: `${method} ${path}`,
    allow,
    wrong: wrongMethods(allow).map(each => `${each} ${path}`),
  };
});

function wrongMethods(allow: string): string[] {
  return ['DELETE', 'PUT', 'PATCH', 'POST'].filter(method => !allow.includes(method));
}

export const WRONG_METHOD = PATHS.flatMap(({ wrong }) => wrong)[0] ?? 'PUT /pets';
const UNKNOWN_PATH = '/no-such-path';

/** A request that reaches no function, and its response. */
export interface Unrouted {
  readonly request: string;
  readonly status: 204 | 404 | 405;
  readonly allow?: string;
}

/** One of each kind. */
export const UNROUTED: readonly Unrouted[] = [
  { request: `POST ${UNKNOWN_PATH}`, status: 404 },
  { request: WRONG_METHOD, status: 405 },
  { request: 'OPTIONS /pets', status: 204 },
];

/** Every path with every method that it doesn't have, and paths that lead nowhere. */
export const ALL_UNROUTED: readonly Unrouted[] = [
  ...[...PATHS, ...DOCUMENTS].flatMap(({ path, allow, wrong }): Unrouted[] => [
    ...wrong.map(request => ({ request, status: 405, allow }) as const),
    { request: `OPTIONS ${targetOf(path)}`, status: 204, allow },
  ]),
  ...[UNKNOWN_PATH, '/store', '/pets/1/name', '/store/orders/1'].flatMap(path =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method): Unrouted => ({ request: `${method} ${path}`, status: 404 }),
    ),
  ),
];

export function expectUnrouted(response: Response, { status, allow }: Unrouted): void {
  if (status === 204) {
    expectStatus(response, 204);
    if (response.text !== '') throw broken(response, 'no body', response.text);
  } else {
    expectError(response, status, status === 404 ? 'not_found' : 'method_not_allowed');
  }
  if (allow !== undefined) expectHeader(response, 'allow', allow);
}

/** What API Gateway returns without a function: unknown paths, other methods, and rare media types. */
const REFUSALS: readonly {
  readonly name: string;
  readonly request: string;
  readonly parts?: RequestParts;
  readonly code: ErrorCode;
  readonly allow?: string;
}[] = [
  { name: 'an unknown path is not found', request: `GET ${UNKNOWN_PATH}`, code: 'not_found' },
  {
    name: 'an unknown path is not found, whatever the request sends',
    request: `POST ${UNKNOWN_PATH}`,
    parts: { body: 'x', headers: { 'Content-Type': 'image/png' } },
    code: 'not_found',
  },
  {
    name: 'an unknown path is not found without an API key',
    request: `GET ${UNKNOWN_PATH}`,
    parts: { key: null },
    code: 'not_found',
  },
  {
    name: 'a body of an unsupported media type is refused (gateway response UNSUPPORTED_MEDIA_TYPE)',
    request: WRONG_METHOD,
    parts: { body: 'x', headers: { 'Content-Type': 'application/x-petstore-smoke' } },
    code: 'unsupported_media_type',
  },
  ...PATHS.flatMap(({ path, allow, wrong: [request] }) =>
    request === undefined
      ? []
      : [
          {
            name: `a method that ${path} does not have is refused`,
            request,
            code: 'method_not_allowed',
            allow,
          } as const,
        ],
  ),
];

export const UNROUTED_CHECKS: readonly HttpCheck[] = REFUSALS.map(
  ({ name, request, parts, code, allow }) => ({
    name,
    async run({ send }) {
      const response = await send(request, parts);
      expectError(response, STATUS_BY_CODE[code], code);
      if (allow !== undefined) expectHeader(response, 'allow', allow);
    },
  }),
);

/** The first bytes of a PNG, which aren't UTF-8. */
const BYTES = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COMMON_TYPES: readonly (readonly [type: string, body: string | Uint8Array])[] = [
  ['application/json', '{}'],
  ['application/json; charset=utf-8', '{}'],
  ['APPLICATION/JSON', '{}'],
  ['application/json', BYTES],
  ['application/x-www-form-urlencoded', 'a=b'],
  ['multipart/form-data; boundary=x', '--x--\r\n'],
  ['text/plain', 'x'],
  ['application/octet-stream', BYTES],
  ['image/png', BYTES],
];

/** No mock method has a template for these: the gateway response UNSUPPORTED_MEDIA_TYPE says 415, whatever the path. */
const RARE_TYPES: typeof COMMON_TYPES = [
  ['application/x-petstore-accept', 'x'],
  ['nonsense', 'x'],
];

/** The response to a request that reaches no function is the same for a body of any type, or 415 for one of a rare type. */
export function mediaTypeChecks(unrouted: Unrouted): SendingCheck[] {
  return [...COMMON_TYPES, ...RARE_TYPES].map(each => {
    const [type, body] = each;
    const isRare = RARE_TYPES.includes(each);
    return {
      name: `${type}${body === BYTES ? ' (bytes)' : ''}`,
      async run({ send }) {
        const response = await send(unrouted.request, { key: null, body, headers: { 'Content-Type': type } });
        if (response.status === unrouted.status) expectUnrouted(response, unrouted);
        else if (isRare && response.status === 415) expectError(response, 415, 'unsupported_media_type');
        else {
          const expected = isRare ? `${unrouted.status} or 415` : `${unrouted.status}`;
          throw broken(response, expected, `${response.status} ${response.text}`);
        }
      },
    };
  });
}

/** Nobody needs a key for these, so that a 5xx would be one that anybody can cause. */
export const OPEN_REQUESTS = DOCUMENTS.map(({ request }) => request);

/** Lambda takes events of 6 MB, in which a body is in base64; API Gateway takes bodies of 10 MB. */
const LARGE_MB = [5, 9.9];

export function largeBodyChecks(request: string): SendingCheck[] {
  return LARGE_MB.map(megabytes => ({
    name: `${megabytes} MB`,
    async run({ send }) {
      const response = await send(request, { key: null, body: 'x'.repeat(megabytes * 1_000_000) });
      if (response.status !== 413) throw broken(response, '413', `${response.status} ${response.text}`);
    },
  }));
}
