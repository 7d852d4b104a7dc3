import type { APIGatewayClient, GatewayResponse } from '@aws-sdk/client-api-gateway';
import { OPERATION_PATHS } from '../../../../shared/operations.ts';
import { jsonFields } from '../../../operator/logs/access-line.ts';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import { Broken } from '../check.ts';
import { broken, expectHeader, expectStatus } from './expectations.ts';
import type { HttpCheck, HttpParts } from './http-checks.ts';
import type { Response } from './smoke-client.ts';
import { WRONG_METHOD } from './unrouted-checks.ts';

/** What API Gateway does itself. Most gateway responses cannot be provoked from outside, so their configuration is read. */
export const GATEWAY_CHECKS: readonly HttpCheck[] = [
  configuration(
    'every response of API Gateway itself is an Error that permitted pages can read (gateway responses)',
    async (client, { GatewayResponseType, GetGatewayResponsesCommand }, { apiId, browserOrigins }) => {
      // This collection is not paged.
      const { items = [] } = await client.send(new GetGatewayResponsesCommand({ restApiId: apiId }));
      const faults = Object.values(GatewayResponseType).flatMap(type => {
        const response = items.find(({ responseType }) => responseType === type);
        if (response?.defaultResponse !== false && AS_DEFAULT.has(type)) return [];
        const fault = faultOf(response) ?? corsFaultOf(response, browserOrigins);
        return fault === undefined ? [] : [`${type} ${fault}`];
      });
      if (faults.length > 0) throw new Broken(`gateway responses: ${faults.join('; ')}`);
    },
  ),
  configuration(
    'a decision about an API key is cached for five minutes at most (authorizer)',
    async (client, { GetAuthorizersCommand }, { apiId }) => {
      const { items = [] } = await client.send(new GetAuthorizersCommand({ restApiId: apiId }));
      if (items.length === 0) throw new Broken('the API has no authorizer');
      for (const { authorizerResultTtlInSeconds: seconds = DEFAULT_CACHE_SECONDS } of items) {
        if (seconds <= DEFAULT_CACHE_SECONDS) continue;
        throw new Broken(
          `the authorizer caches its decisions for ${seconds} s, which is more than ${DEFAULT_CACHE_SECONDS} s: a revoked key works that long if the cache can't be flushed`,
        );
      }
    },
  ),
  configuration(
    'an operation allows at least as many requests as one API key does (throttles)',
    async (client, sdk, { apiId, session }) => {
      const { operation, key } = await throttlesOf(client, sdk, apiId, session.target.stage);
      if (key.ratePerSecond === undefined) throw new Broken(`no usage plan limits the API keys of the stage`);
      if (operation.ratePerSecond !== undefined && operation.ratePerSecond < key.ratePerSecond) {
        throw new Broken(`the ${throttlesText({ operation, key })}`);
      }
    },
  ),
  {
    name: 'OPTIONS lists the methods of a path in Allow',
    async run({ send }) {
      for (const { path, allow } of OPERATION_PATHS) {
        const response = await send(optionsOf(path), { key: null });
        expectStatus(response, 204);
        expectHeader(response, 'allow', allow);
      }
    },
  },
  {
    name: 'a preflight permits what the setting browserOrigins says',
    async run(environment) {
      for (const { path, methods, requestHeaders } of OPERATION_PATHS) {
        for (const origin of originsToTry(environment.browserOrigins)) {
          const response = await environment.send(optionsOf(path), {
            key: null,
            headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
          });
          expectStatus(response, 204);
          if (!expectPermission(response, origin, environment)) continue;
          expectHeader(response, 'access-control-allow-methods', methods);
          expectHeader(response, 'access-control-allow-headers', requestHeaders);
          expectHeader(response, 'access-control-max-age', /^[1-9]\d*$/);
        }
      }
    },
  },
  {
    name: 'pages can read every response as the setting browserOrigins says',
    async run(environment) {
      for (const [request, hasKey, status] of READABLE) {
        for (const origin of originsToTry(environment.browserOrigins)) {
          const headers = { Origin: origin };
          const response = await environment.send(request, { headers, ...(!hasKey && { key: null }) });
          expectStatus(response, status);
          if (!expectPermission(response, origin, environment)) continue;
          expectHeader(response, 'access-control-expose-headers', /\bLink\b.*\bX-Request-Id\b/);
        }
      }
    },
  },
];

/** API Gateway's default, which the stack has, too. */
const DEFAULT_CACHE_SECONDS = 300;

type Sdk = typeof import('@aws-sdk/client-api-gateway');

/** A check of API Gateway's configuration, read with the credentials of the person who runs the command. */
function configuration(
  name: string,
  look: (client: APIGatewayClient, sdk: Sdk, parts: HttpParts) => Promise<void>,
): HttpCheck {
  return {
    name,
    permissions: ['apigateway:GET'],
    async run(parts) {
      const sdk = await import('@aws-sdk/client-api-gateway');
      await look(new sdk.APIGatewayClient(parts.session.target.aws), sdk, parts);
    },
  };
}

interface Throttle {
  readonly ratePerSecond?: number | undefined;
  readonly burst?: number | undefined;
}

/** As API Gateway names listPets in the settings of a stage. All operations have the same throttle. */
const AN_OPERATION = '~1v1~1pets/GET';

/** The throttle of each operation, and that of each API key. */
async function throttlesOf(
  client: APIGatewayClient,
  { GetStageCommand, paginateGetUsagePlans }: Sdk,
  restApiId: string,
  stageName: string,
): Promise<Throttles> {
  const { methodSettings } = await client.send(new GetStageCommand({ restApiId, stageName }));
  const { throttlingRateLimit, throttlingBurstLimit } = methodSettings?.[AN_OPERATION] ?? {};
  const operation = { ratePerSecond: throttlingRateLimit, burst: throttlingBurstLimit };
  for await (const { items = [] } of paginateGetUsagePlans({ client }, {})) {
    const plan = items.find(({ apiStages = [] }) =>
      apiStages.some(({ apiId, stage: name }) => apiId === restApiId && name === stageName),
    );
    const { rateLimit, burstLimit } = plan?.throttle ?? {};
    if (plan !== undefined) return { operation, key: { ratePerSecond: rateLimit, burst: burstLimit } };
  }
  return { operation, key: {} };
}

interface Throttles {
  readonly operation: Throttle;
  readonly key: Throttle;
}

function throttlesText({ operation, key }: Throttles): string {
  const text = ({ ratePerSecond, burst }: Throttle) =>
    ratePerSecond === undefined ? 'none' : `${ratePerSecond} per second with a burst of ${burst}`;
  return `throttle of an operation is ${text(operation)}, that of each API key is ${text(key)} (settings throttle, throttlePerKey)`;
}

/** Why requests are throttled, as far as the configuration says. */
export async function throttleCause({ session, apiId }: Pick<HttpParts, 'session' | 'apiId'>) {
  const sdk = await import('@aws-sdk/client-api-gateway');
  const { aws, stage } = session.target;
  const limits = await throttlesOf(new sdk.APIGatewayClient(aws), sdk, apiId, stage).catch(() => undefined);
  return limits === undefined
    ? 'Are the settings throttle and throttlePerKey too low, or is the environment busy?'
    : `The ${throttlesText(limits)}.`;
}

/**
 * API Gateway responds with DEFAULT_4: HttpCheck =>  or DEFAULT_5: HttpCheck =>  where one of these isn't customized. The Error of those has their HTTP
 * status, 400 or 500; other types have one of their own, and would contradict it.
 */
const AS_DEFAULT = new Set<string>([
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
]);

/** How a gateway response differs from an Error; undefined if it does not. */
function faultOf(response: GatewayResponse | undefined): string | undefined {
  if (response === undefined || response.defaultResponse)
    return "isn't customized, so its body isn't an Error";
  const { statusCode, responseTemplates } = response;
  const body = jsonFields(responseTemplates?.['application/json'] ?? '');
  const isError = typeof body?.code === 'string' && typeof body.message === 'string';
  if (!isError) return "has a body that isn't an Error";
  if (String(body.status) !== statusCode) {
    return `has status ${body.status} in its Error but is sent with ${statusCode}`;
  }
  return undefined;
}

/** How a gateway response differs from the settings: it permits every origin or none, since it cannot choose. */
function corsFaultOf(response: GatewayResponse | undefined, origins: BrowserOrigins): string | undefined {
  const seen = response?.responseParameters?.['gatewayresponse.header.Access-Control-Allow-Origin'];
  const expected = origins.length > 0 ? "'*'" : undefined;
  if (seen === expected) return undefined;
  return `has Access-Control-Allow-Origin ${seen ?? 'absent'}, not ${expected ?? 'absent'} as browserOrigins of the settings says`;
}

/** An origin that no settings list: the name is reserved. */
const STRANGER = 'https://petstore-smoke.invalid';

const ALLOW_ORIGIN = 'access-control-allow-origin';

/** Responses of a function, of the authorizer (gateway response), and of mock methods. */
const READABLE: readonly [request: string, hasKey: boolean, status: number][] = [
  ['GET /pets?limit=1', true, 200],
  ['GET /pets?limit=1', false, 401],
  ['GET /no-such-path', false, 404],
  [WRONG_METHOD, false, 405],
];

function optionsOf(path: string): string {
  return `OPTIONS ${path.replaceAll(/\{\w+\}/g, '1')}`;
}

function originsToTry(origins: BrowserOrigins): readonly string[] {
  return origins === '*' ? [STRANGER] : [...origins, STRANGER];
}

/** Expects that the response permits the origin, or that it does not; returns which. */
function expectPermission(
  response: Response,
  origin: string,
  { browserOrigins: origins, session }: HttpParts,
): boolean {
  const seen = response.headers[ALLOW_ORIGIN];
  if (origins === '*') {
    expectHeader(response, ALLOW_ORIGIN, '*');
    return true;
  }
  if (origins.length > 0 && response.status === 401) {
    // A gateway response cannot choose, and says the same to everybody.
    expectHeader(response, ALLOW_ORIGIN, '*');
    return true;
  }
  if (origins.length > 0) expectHeader(response, 'vary', /\bOrigin\b/i);
  if (origins.includes(origin)) {
    expectHeader(response, ALLOW_ORIGIN, origin);
    return true;
  }
  if (seen !== undefined) {
    const settings = session.target.isLocal ? 'the defaults do' : `${session.target.stage}.json does`;
    throw broken(response, `no ${ALLOW_ORIGIN} for ${origin}, which ${settings} not permit`, String(seen));
  }
  return false;
}
