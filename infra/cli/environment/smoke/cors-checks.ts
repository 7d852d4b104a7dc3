import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { Check, SmokeEnvironment } from './check.ts';
import { broken, expectHeader, expectStatus } from './expectations.ts';
import type { Answer } from './smoke-client.ts';

/** An origin that no settings list: the name is reserved. */
const STRANGER = 'https://petstore-smoke.invalid';

const ALLOW_ORIGIN = 'access-control-allow-origin';

/** The paths with their methods as Allow and as the answer to a preflight list them, and the headers that they take. */
const PATHS: readonly [path: string, allow: string, methods: string, headers: string][] = [
  ['/pets', 'GET, HEAD, OPTIONS, POST', 'GET, HEAD, POST', 'Authorization, Content-Type, Idempotency-Key'],
  ['/pets/1', 'GET, HEAD, OPTIONS', 'GET, HEAD', 'Authorization'],
  ['/store/orders', 'GET, HEAD, OPTIONS', 'GET, HEAD', 'Authorization'],
];

/** Answers of a function, of the authorizer (gateway response), and of mock methods. */
const ANSWERS: readonly [request: string, hasKey: boolean, status: number][] = [
  ['GET /pets?limit=1', true, 200],
  ['GET /pets?limit=1', false, 401],
  ['GET /no-such-path', false, 404],
  ['DELETE /pets', false, 405],
];

/** Whether pages in browsers may call the environment as its settings say. */
export const CORS_CHECKS: readonly Check[] = [
  {
    name: 'OPTIONS lists the methods of a path in Allow',
    async run({ send }) {
      for (const [path, allow] of PATHS) {
        const answer = await send(`OPTIONS ${path}`, { key: null });
        expectStatus(answer, 204);
        expectHeader(answer, 'allow', allow);
      }
    },
  },
  {
    name: 'a preflight is answered as browserOrigins of the settings says',
    async run(environment) {
      for (const [path, , methods, headers] of PATHS) {
        for (const origin of originsToTry(environment.browserOrigins)) {
          const answer = await environment.send(`OPTIONS ${path}`, {
            key: null,
            headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
          });
          expectStatus(answer, 204);
          if (!expectPermission(answer, origin, environment)) continue;
          expectHeader(answer, 'access-control-allow-methods', methods);
          expectHeader(answer, 'access-control-allow-headers', headers);
          expectHeader(answer, 'access-control-max-age', /^[1-9]\d*$/);
        }
      }
    },
  },
  {
    name: 'every answer can be read by pages as browserOrigins of the settings says',
    async run(environment) {
      for (const [request, hasKey, status] of ANSWERS) {
        for (const origin of originsToTry(environment.browserOrigins)) {
          const headers = { Origin: origin };
          const answer = await environment.send(request, { headers, ...(!hasKey && { key: null }) });
          expectStatus(answer, status);
          if (!expectPermission(answer, origin, environment)) continue;
          expectHeader(answer, 'access-control-expose-headers', /\bLink\b.*\bX-Request-Id\b/);
        }
      }
    },
  },
];

/** Each listed origin, and one that is not. */
function originsToTry(origins: BrowserOrigins): readonly string[] {
  return origins === '*' ? [STRANGER] : [...origins, STRANGER];
}

/** Expects that the answer permits the origin, or that it does not; returns which. */
function expectPermission(
  answer: Answer,
  origin: string,
  { browserOrigins: origins, session }: SmokeEnvironment,
): boolean {
  const seen = answer.headers[ALLOW_ORIGIN];
  if (origins === '*') {
    expectHeader(answer, ALLOW_ORIGIN, '*');
    return true;
  }
  if (origins.length > 0 && answer.status === 401) {
    // A gateway response cannot choose, and says the same to everybody.
    expectHeader(answer, ALLOW_ORIGIN, '*');
    return true;
  }
  if (origins.length > 0) expectHeader(answer, 'vary', /\bOrigin\b/i);
  if (origins.includes(origin)) {
    expectHeader(answer, ALLOW_ORIGIN, origin);
    return true;
  }
  if (seen !== undefined) {
    const settings = session.target.isLocal ? 'the defaults do' : `${session.target.stage}.json does`;
    throw broken(answer, `no ${ALLOW_ORIGIN} for ${origin}, which ${settings} not permit`, String(seen));
  }
  return false;
}
