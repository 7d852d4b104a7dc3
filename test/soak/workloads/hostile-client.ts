import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../infra/local/virtual/random.ts';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import type { StageContext } from '../stage-context.ts';
import { ApiClient, type ApiRequest, checkResponse } from './api-client.ts';

/** A request that must be refused, and the statuses that it may be refused with. */
interface HostileRequest {
  readonly request: Omit<ApiRequest, 'url'> & { readonly path: string };
  readonly expected: readonly number[];
}

const LONG_NAME = 'x'.repeat(256);
const DEEP_LIST = `${'['.repeat(5000)}${']'.repeat(5000)}`;

const REFUSED_BODIES = [
  '',
  '{',
  '{"name":',
  'null',
  '[]',
  '"Rex"',
  '5',
  '{}',
  '{"name":"Rex"}',
  '{"categoryId":1}',
  '\u0000',
  '{]',
  '{"name":5,"categoryId":1}',
  '{"name":"","categoryId":1}',
  '{"name":" \\u00a0 ","categoryId":1}',
  '{"name":"Rex\\u0000","categoryId":1}',
  '{"name":"Rex\\ud800","categoryId":1}',
  ...['"5"', '5.5', '1e400', '9223372036854775808'].map(id => `{"name":"Rex","categoryId":${id}}`),
  '{"name":"Rex","categoryId":1,"status":"lost"}',
  '{"name":{"toString":1},"categoryId":[]}',
  `{"name":"${LONG_NAME}","categoryId":1}`,
  '{"__proto__":{"name":"Rex","categoryId":1}}',
  DEEP_LIST,
];

const REFUSED_QUERIES = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=abc',
  'limit=1e1',
  'limit=',
  'limit=5&limit=6',
  'limit=%zz',
  'status=lost',
  'status=',
  'status=SOLD',
  'status=sold&status=sold',
  'cursor=',
  'cursor=x',
  'cursor=%00',
  'cursor=eyJhIjoxfQ',
  'cursor=..%2F..%2Fetc',
  'cursor=1&cursor=2',
  `cursor=${'A'.repeat(3000)}`,
];

const UNKNOWN_PATHS = ['/dogs', '/pets/1/name', '/store', '/pets/../../etc/passwd', '//', '/v2/pets'];

const NO_IDS = [
  'x',
  '0',
  '-1',
  '9223372036854775808',
  '1.5',
  '1e3',
  '%20',
  '%F0%9F%A6%8A',
  'null',
  '00',
  '__proto__',
];

const MEDIA_TYPES = [
  '',
  'text/plain',
  'application/xml',
  'application/json, text/plain',
  'multipart/form-data',
];

/** Headers that a gateway or a function might trust, if it were careless. */
const FORGED: Readonly<Record<string, string>> = {
  'X-Request-Id': 'forged-request-id',
  'X-Forwarded-For': '10.0.0.1',
  'X-Amzn-Requestid': 'forged',
  'X-Api-Key': 'pet_live_forged',
  'X-Http-Method-Override': 'DELETE',
  'Transfer-Encoding-X': 'chunked',
};

/** Sends what must be refused until the run is over, and checks that it is, with the documented error and nothing else. */
export async function sendHostileRequests(context: StageContext, random: Random): Promise<void> {
  const { url, service, tally, violations } = context;
  const api = new ApiClient(context);
  while (!context.isOver()) {
    if (random.chance(0.05)) {
      await service.whenRunning();
      await sendRawBytes(new URL(url), random);
      tally.count('hostile connections with raw bytes');
      continue;
    }
    const { request, expected } = hostileRequest(context, random);
    const { path, ...parts } = request;
    const response = await api.send({ ...parts, url: `${url}${path}` });
    tally.count('hostile requests');
    const shown = `hostile ${request.method} ${path.slice(0, 80)} ${String(request.body ?? '').slice(0, 80)}`;
    if (response) checkResponse(shown, response, expected, violations.add);
    // Not the whole machine for hostile clients.
    else await delay(100);
    await delay(random.between(0, 40));
  }
  api.close();
}

function hostileRequest({ apiKey, stage }: StageContext, random: Random): HostileRequest {
  const Authorization = `Bearer ${apiKey}`;
  const json = 'application/json';
  const post = (body: string | Buffer, headers: Record<string, string> = {}) => ({
    request: {
      method: 'POST',
      path: '/pets',
      headers: { Authorization, 'Content-Type': json, ...headers },
      body,
    },
  });
  const get = (path: string, headers: Record<string, string> = { Authorization }) => ({
    request: { method: 'GET', path, headers },
  });
  const kinds: (() => HostileRequest)[] = [
    () => ({ ...post(random.pick(REFUSED_BODIES)), expected: [400] }),
    () => ({ ...post(randomBytes(random.between(1, 200))), expected: [400] }),
    () => ({ ...post(`"${'x'.repeat(random.between(16_384, 400_000))}"`), expected: [413] }),
    () => ({
      ...post('{"name":"Rex","categoryId":1}', { 'Content-Type': random.pick(MEDIA_TYPES) }),
      expected: [415],
    }),
    () => ({ ...post('{"name":1}', { 'Idempotency-Key': 'x'.repeat(256) }), expected: [400] }),
    () => ({ ...get(`/pets?${random.pick(REFUSED_QUERIES)}`), expected: [400] }),
    () => ({ ...get(`/store/orders?${random.pick(REFUSED_QUERIES)}`), expected: [400] }),
    () => ({ ...get(`/pets/${random.pick(NO_IDS)}`), expected: [404] }),
    () => ({ ...get(random.pick(UNKNOWN_PATHS)), expected: [404] }),
    () => ({ ...get('/pets?limit=1&status=lost', { Authorization, ...FORGED }), expected: [400] }),
    () => ({ ...get('/pets', { Authorization, 'X-Long': 'x'.repeat(11_000) }), expected: [400] }),
    () => ({ ...get('/pets', refusedKey(random, apiKey, stage)), expected: [401] }),
    () => ({
      request: { method: random.pick(['PUT', 'PATCH', 'DELETE']), path: '/pets', headers: { Authorization } },
      expected: [405],
    }),
  ];
  return random.pick(kinds)();
}

/** An Authorization header that no key of this environment has. */
function refusedKey(random: Random, own: string, stage: string): Record<string, string> {
  const foreign = generateKey(stage === 'production' ? 'pet_test_' : 'pet_live_');
  const unknown = generateKey(stage === 'production' ? 'pet_live_' : 'pet_test_');
  const headers = [
    undefined,
    'Bearer',
    'Bearer ',
    `Basic ${own}`,
    own,
    `Bearer ${own}x`,
    `Bearer ${own.slice(0, -1)}`,
    `Bearer ${own} ${own}`,
    `Bearer ${foreign}`,
    `Bearer ${unknown}`,
    `Bearer ${own.slice(0, 12)}${own[12] === 'a' ? 'b' : 'a'}${own.slice(13)}`,
  ];
  const Authorization = random.pick(headers);
  return Authorization === undefined ? {} : { Authorization };
}

/** Writes bytes that aren't HTTP, or half a request, to the port, and hangs up. */
async function sendRawBytes({ hostname, port }: URL, random: Random): Promise<void> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    random.pick([
      randomBytes(random.between(1, 2000)),
      Buffer.from('GET /pets HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'),
      Buffer.from('POST /staging/v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":'),
      Buffer.from('GET / HTTP/9.9\r\n\r\n'),
      Buffer.from(`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
    ]),
  );
  await delay(random.between(1, 100));
  socket.destroy();
}
