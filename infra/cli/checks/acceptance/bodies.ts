import { OPENAPI_ROUTE, REFERENCE_ROUTE } from '../../../../shared/docs/servers.ts';
import type { DomainSession } from '../../domains/domain-session.ts';
import { interruptible } from '../../framework/terminal.ts';
import { type Check, type Finding, failed, ok } from '../check.ts';
import { runWithoutKeys } from '../http/connect.ts';
import { WRONG_METHODS } from '../http/every-operation-checks.ts';
import { broken, expectError } from '../http/expectations.ts';
import type { Send } from '../http/smoke-client.ts';
import { type SmokeCheck, smokeCheckOf } from '../smoke-command.ts';
import type { Acceptance } from './report.ts';

type SendingCheck = Check<{ readonly send: Send }>;

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

const [WRONG_METHOD = { request: 'PUT /pets' }] = WRONG_METHODS;
const MOCK_REQUESTS: readonly (readonly [request: string, status: number])[] = [
  ['POST /no-such-path', 404],
  [WRONG_METHOD.request, 405],
  ['OPTIONS /pets', 204],
];

function mediaTypeCheck(
  request: string,
  [type, body]: (typeof COMMON_TYPES)[number],
  statuses: readonly number[],
): SendingCheck {
  return {
    name: `${type}${body === BYTES ? ' (bytes)' : ''}`,
    async run({ send }) {
      const response = await send(request, { key: null, body, headers: { 'Content-Type': type } });
      if (!statuses.includes(response.status)) {
        throw broken(response, statuses.join(' or '), `${response.status} ${response.text}`);
      }
      if (response.status === 404) expectError(response, 404, 'not_found');
      if (response.status === 405) expectError(response, 405, 'method_not_allowed');
      if (response.status === 415) expectError(response, 415, 'unsupported_media_type');
    },
  };
}

export function sendMediaTypes({ session }: Acceptance): Promise<Finding> {
  return sendBodies(
    session,
    MOCK_REQUESTS.map(([request, status]) => {
      const common = COMMON_TYPES.map(each => mediaTypeCheck(request, each, [status]));
      const rare = RARE_TYPES.map(each => mediaTypeCheck(request, each, [status, 415]));
      return [request, [...common, ...rare]];
    }),
  );
}

/** Lambda takes events of 6 MB, in which a body is in base64; API Gateway takes bodies of 10 MB. */
const LARGE_MB = [5, 9.9];

/** Nobody needs a key for these, so that a 5xx would be one that anybody can cause. */
const OPEN_REQUESTS = [OPENAPI_ROUTE, REFERENCE_ROUTE].map(({ method, path }) => `${method} ${path}`);

export function sendLargeBodies({ session }: Acceptance): Promise<Finding> {
  const check = (request: string, megabytes: number): SendingCheck => ({
    name: `${megabytes} MB`,
    async run({ send }) {
      const response = await send(request, { key: null, body: 'x'.repeat(megabytes * 1_000_000) });
      if (response.status !== 413) throw broken(response, '413', `${response.status} ${response.text}`);
    },
  });
  return sendBodies(
    session,
    OPEN_REQUESTS.map(request => [request, LARGE_MB.map(megabytes => check(request, megabytes))]),
  );
}

async function sendBodies(
  session: DomainSession,
  requests: readonly (readonly [request: string, checks: readonly SendingCheck[]])[],
): Promise<Finding> {
  const results = await interruptible(
    signal =>
      Promise.all(
        requests.map(async ([, checks]) => (await runWithoutKeys(checks, session, signal)).map(smokeCheckOf)),
      ),
    'Interrupted.',
  );
  const all = results.flat();
  const wrong = all.filter(({ outcome }) => outcome !== 'ok');
  const statusOf = ({ requests }: SmokeCheck) => requests[0]?.status ?? 'no response';
  const verdict = wrong.length > 0 ? failed : ok;
  return verdict(`${all.length - wrong.length} of ${all.length} responses are as documented`, [
    ...results.flatMap((ofRequest, index) =>
      [...Map.groupBy(ofRequest, statusOf)].map(
        ([status, checks]) =>
          `${requests[index]?.[0]}: ${status} for ${checks.map(({ name }) => name).join(', ')}`,
      ),
    ),
    ...wrong.map(({ name, outcome, message }) => `${outcome}: ${name}: ${message}`),
  ]);
}
