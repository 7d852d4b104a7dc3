import { describe, expect, inject, test } from 'vitest';
import type { Resource } from '../../../infra/local/template.ts';
import { ofType } from '../../../infra/local/template.ts';
import { type Reply, resource, serve } from '../../../infra/local/testing/served-api.ts';
import { EXPOSED_HEADERS } from '../../../shared/http/cors.ts';
import { OPERATION_PATHS } from '../../../shared/operations.ts';
import { LISTED_ORIGINS, otherEnvironments } from './other-environments/assembly.ts';
import { resolvedResources } from './templates.ts';

const [LISTED, ALSO_LISTED] = LISTED_ORIGINS;
const OTHER = 'https://elsewhere.example';

const assembly = otherEnvironments();
const zoo = assembly.getStackByName('Petstore-Zoo');

/** The resources of an environment, to which another stack gives the role by which API Gateway writes logs. */
const resourcesIn = (folder: string, stack: string): readonly Resource[] => [
  ...resolvedResources(`Petstore-${stack}`, folder),
  resource('Account', 'Account', { CloudWatchRoleArn: 'arn' }),
];
const RESOURCES_BY_STAGE = {
  zoo: resourcesIn(assembly.directory, 'Zoo'),
  staging: resourcesIn(inject('assembly'), 'Staging'),
  production: resourcesIn(inject('assembly'), 'Production'),
};

/** The API that the redirecting domains of an environment are mapped to. */
function redirects() {
  const resources = RESOURCES_BY_STAGE.zoo;
  const api = resources.find(({ logicalId, type }) => /^RedirectsApi.*RestApi$/.test(logicalId + type));
  const mapping = { apiId: api?.physicalId ?? '', stageName: 'zoo-redirects' };
  return serve(resources, undefined, undefined, undefined, mapping);
}

/** The API of an environment as the local gateway serves it. */
async function gateway(stage: keyof typeof RESOURCES_BY_STAGE) {
  const served = await serve(RESOURCES_BY_STAGE[stage]);
  return {
    served,
    send: (methodAndPath: string, headers: Readonly<Record<string, string>> = {}) => {
      const [method = '', path = ''] = methodAndPath.split(' ');
      return served.send(`/${stage}/v1${path}`, { method, headers: Object.entries(headers).flat() });
    },
  };
}

const preflight = (origin: string) => ({ Origin: origin, 'Access-Control-Request-Method': 'POST' });

const corsOf = ({ headers }: Reply) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );

const RESOURCES: [path: string, methods: string, requestHeaders: string][] = [
  ...OPERATION_PATHS.map(({ path, methods, requestHeaders }): [string, string, string] => [
    path.replaceAll(/\{\w+\}/g, '1'),
    methods,
    requestHeaders,
  ]),
  ['/docs', 'GET, HEAD', 'If-None-Match'],
  ['/openapi.json', 'GET, HEAD', 'If-None-Match'],
];

const allowOf = (methods: string) => [...methods.split(', '), 'OPTIONS'].toSorted().join(', ');

describe('an environment with a list of origins', () => {
  test.each(RESOURCES)('204: preflight of %s, which has %s and takes %s', async (path, methods, taken) => {
    const { served, send } = await gateway('zoo');
    for (const origin of [LISTED, ALSO_LISTED]) {
      const response = await send(`OPTIONS ${path}`, preflight(origin));
      expect([response.status, response.body]).toEqual([204, '']);
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': taken,
        'access-control-max-age': '7200',
        vary: 'Origin',
      });
      expect(response.headers.allow).toBe(allowOf(methods));
    }
    expect(served.invocations).toEqual([]);
  });

  test('204: the name of the header in lower case, as HTTP/2 has it', async () => {
    const { send } = await gateway('zoo');
    const { headers } = await send('OPTIONS /pets', {
      origin: LISTED,
      'access-control-request-method': 'GET',
    });
    expect(headers['access-control-allow-origin']).toBe(LISTED);
  });

  test.each([OTHER, 'null', `${LISTED}.elsewhere.example`, 'https://zoo.dev', ''])(
    '204, 404, 405: no permission for the origin "%s"',
    async origin => {
      const { send } = await gateway('zoo');
      for (const request of ['OPTIONS /pets', 'GET /nothing', 'DELETE /pets']) {
        const { headers } = await send(request, preflight(origin));
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers.vary).toBe('Origin');
      }
    },
  );

  test.each([
    ['GET /nothing', 404],
    ['DELETE /pets', 405],
  ])('the refusal of %s is readable: %i', async (request, status) => {
    const { send } = await gateway('zoo');
    const response = await send(request, { Origin: LISTED });
    expect(JSON.parse(response.body)).toMatchObject({ status });
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': LISTED,
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'Origin',
    });
  });

  test('204: preflight of a path that does not exist, so that its 404 is readable', async () => {
    const { send } = await gateway('zoo');
    for (const path of ['/nothing', '/pets/1/name', '']) {
      const response = await send(`OPTIONS ${path}`, preflight(LISTED));
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([204, LISTED]);
      expect(response.headers['access-control-allow-headers']).toMatch(/Authorization/);
    }
  });

  test('401: every page can read a gateway response', async () => {
    const { send } = await gateway('zoo');
    const response = await send('GET /pets', { Origin: OTHER });
    expect(response.status).toBe(401);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED_HEADERS,
    });
  });

  test.each(['/', '/v1/pets', '/any/path?query=1'])(
    '204: preflight of a redirecting domain, %s',
    async path => {
      const served = await redirects();
      const headers = Object.entries(preflight(LISTED)).flat();
      const response = await served.send(path, { method: 'OPTIONS', headers });
      expect([response.status, response.headers.location]).toEqual([204, undefined]);
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': LISTED,
        'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
        'access-control-allow-headers': expect.stringContaining('Authorization'),
        'access-control-max-age': '7200',
        vary: 'Origin',
      });
      expect(served.invocations).toEqual([]);
    },
  );

  test('gives the origins to functions', () => {
    const given = JSON.stringify(zoo.template).match(/"BROWSER_ORIGINS":"[^"]*"/g);
    expect(new Set(given)).toEqual(new Set([`"BROWSER_ORIGINS":"${LISTED} ${ALSO_LISTED}"`]));
  });
});

describe('an environment for any origin', () => {
  test('204, 401, 404, 405: the same for everybody', async () => {
    const { send } = await gateway('staging');
    for (const request of [
      'OPTIONS /pets',
      'OPTIONS /nothing',
      'GET /pets',
      'GET /nothing',
      'DELETE /pets',
    ]) {
      const response = await send(request, preflight(OTHER));
      expect(response.headers['access-control-allow-origin'], request).toBe('*');
      expect(response.headers.vary, request).toBeUndefined();
    }
  });
});

describe('an environment without origins', () => {
  test('204, 401, 404, 405: no response permits anything', async () => {
    const { send } = await gateway('production');
    const requests = [
      'OPTIONS /pets',
      'OPTIONS /nothing',
      'GET /pets',
      'GET /nothing',
      'DELETE /pets',
      'TRACE /pets',
    ];
    const statuses: number[] = [];
    for (const request of requests) {
      const response = await send(request, preflight(LISTED));
      expect(corsOf(response)).toEqual({});
      statuses.push(response.status);
    }
    expect(statuses).toEqual([204, 404, 401, 404, 405, 404]);
  });
});

test('Strict-Transport-Security has the max-age of the settings everywhere, and is for one host only', () => {
  const values = JSON.stringify(zoo.template).match(/max-age[^'"]*/g);
  expect(new Set(values)).toEqual(new Set(['max-age=300']));
});

test('429: what the web ACL blocks is asked to come later', () => {
  const blocked = [...ofType(zoo.template, 'AWS::ApiGateway::GatewayResponse').values()].filter(
    ({ Properties }) => Properties.ResponseType === 'WAF_FILTERED',
  );
  expect(blocked).toHaveLength(2);
  for (const { Properties } of blocked) {
    expect(Properties.StatusCode).toBe('429');
    expect(Properties.ResponseParameters['gatewayresponse.header.Retry-After']).toMatch(/^'\d+'$/);
  }
});
