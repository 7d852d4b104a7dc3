import type { Check } from './check.ts';
import { expectError, expectHeader } from './expectations.ts';
import type { RequestParts } from './smoke-client.ts';

/** The body limit is 16 KiB. */
const TOO_LARGE = { name: 'x'.repeat(17 * 1024), categoryId: 1 };

/** A request of each operation, which changes nothing: {} is no animal. */
const OPERATIONS: readonly [operation: string, request: string, parts?: RequestParts][] = [
  ['listPets', 'GET /pets?limit=1'],
  ['createPet', 'POST /pets', { body: {} }],
  ['getPet', 'GET /pets/1'],
  ['listOrders', 'GET /store/orders?limit=1'],
];

/** A request that is refused, with the status and the code of the Error. */
interface Refusal {
  readonly name: string;
  readonly request: string;
  readonly parts?: RequestParts;
  readonly error: readonly [status: number, code: string];
  readonly allow?: string;
}

const REFUSALS: readonly Refusal[] = [
  { name: 'listPets refuses a limit of 0', request: 'GET /pets?limit=0', error: [400, 'invalid_request'] },
  {
    name: 'listPets refuses a forged cursor',
    request: 'GET /pets?cursor=forged',
    error: [400, 'invalid_cursor'],
  },
  {
    name: 'createPet refuses an animal without a name',
    request: 'POST /pets',
    parts: { body: {} },
    error: [400, 'invalid_request'],
  },
  {
    name: 'createPet refuses a body that is not JSON',
    request: 'POST /pets',
    parts: { body: '{' },
    error: [400, 'invalid_request'],
  },
  {
    name: 'createPet refuses another media type',
    request: 'POST /pets',
    parts: { body: 'name=Rex', headers: { 'Content-Type': 'text/plain' } },
    error: [415, 'unsupported_media_type'],
  },
  {
    name: 'createPet refuses a body over 16 KiB',
    request: 'POST /pets',
    parts: { body: TOO_LARGE },
    error: [413, 'payload_too_large'],
  },
  {
    name: 'getPet does not find an id that no animal has',
    request: 'GET /pets/1',
    error: [404, 'not_found'],
  },
  { name: 'an unknown path is not found', request: 'GET /no-such-path', error: [404, 'not_found'] },
  {
    name: 'an unknown path is not found whatever is sent there',
    request: 'POST /no-such-path',
    parts: { body: 'x', headers: { 'Content-Type': 'image/png' } },
    error: [404, 'not_found'],
  },
  {
    name: 'a body of a rare media type is refused (gateway response UNSUPPORTED_MEDIA_TYPE)',
    request: 'DELETE /pets',
    parts: { body: 'x', headers: { 'Content-Type': 'application/x-petstore-smoke' } },
    error: [405, 'method_not_allowed'],
    allow: 'GET, HEAD, OPTIONS, POST',
  },
  {
    name: 'an unknown path is not found without an API key',
    request: 'GET /no-such-path',
    parts: { key: null },
    error: [404, 'not_found'],
  },
  {
    name: 'a method that /pets does not have is refused',
    request: 'DELETE /pets',
    error: [405, 'method_not_allowed'],
    allow: 'GET, HEAD, OPTIONS, POST',
  },
  {
    name: 'a method that /pets/{petId} does not have is refused',
    request: 'DELETE /pets/1',
    error: [405, 'method_not_allowed'],
    allow: 'GET, HEAD, OPTIONS',
  },
  {
    name: 'a method that /store/orders does not have is refused',
    request: 'POST /store/orders',
    parts: { body: {} },
    error: [405, 'method_not_allowed'],
    allow: 'GET, HEAD, OPTIONS',
  },
];

/** What is refused, by the functions and by API Gateway itself. */
export const REFUSAL_CHECKS: readonly Check[] = [
  ...OPERATIONS.flatMap(([operation, request, parts]): Check[] => [
    {
      name: `${operation} refuses a request without an API key (authorizer, gateway response UNAUTHORIZED)`,
      async run({ send }) {
        const answer = await send(request, { ...parts, key: null });
        expectError(answer, 401, 'unauthorized');
        expectHeader(answer, 'www-authenticate', 'Bearer realm="petstore"');
      },
    },
    {
      name: `${operation} refuses an API key that nobody has (authorizer)`,
      async run({ send, keys }) {
        // It has the form that API Gateway asks for, so the authorizer function is invoked.
        const key = keys.pets.replace(/[0-9A-Za-z]{34}$/, '0'.repeat(34));
        const answer = await send(request, { ...parts, key });
        expectError(answer, 401, 'unauthorized');
        expectHeader(answer, 'www-authenticate', 'Bearer realm="petstore"');
      },
    },
  ]),
  ...OPERATIONS.map(
    ([operation, request, parts]): Check => ({
      name: `${operation} refuses an API key without its scope`,
      async run({ send, keys }) {
        const key = operation === 'listOrders' ? keys.pets : keys.orders;
        expectError(await send(request, { ...parts, key }), 403, 'forbidden');
      },
    }),
  ),
  {
    name: 'listOrders refuses a limit of 0',
    async run({ send, keys }) {
      expectError(await send('GET /store/orders?limit=0', { key: keys.orders }), 400, 'invalid_request');
    },
  },
  ...REFUSALS.map(
    ({ name, request, parts, error, allow }): Check => ({
      name,
      async run({ send }) {
        const answer = await send(request, parts);
        expectError(answer, ...error);
        if (allow !== undefined) expectHeader(answer, 'allow', allow);
      },
    }),
  ),
];
