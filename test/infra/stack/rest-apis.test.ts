import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { readAccessLine } from '../../../infra/operator/logs/access-line.ts';
import { otherEnvironments } from './other-environments/assembly.ts';
import { nameOf, partsOf, resourcesOf, routesOf, STACKS, type Template, templateOf } from './templates.ts';

/** The function of each operation of the document, such as `GET /v1/pets` by `ListPetsFunction`. */
const OPERATIONS = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries<{ operationId: string }>(methods as never).map(([method, { operationId }]) => [
    `${method.toUpperCase()} /v1${path}`,
    expect.stringMatching(
      new RegExp(`${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Function$`),
    ),
  ]),
);

describe.each(STACKS)('the APIs of %s', stack => {
  const template = templateOf(stack);
  const environment = stack.replace('Petstore-', '').toLowerCase();
  const apis = resourcesOf(template, 'AWS::ApiGateway::RestApi');
  const stages = [...resourcesOf(template, 'AWS::ApiGateway::Stage').values()];

  test('have these settings, and no policy or compression; only custom domains lead to the redirects', () => {
    const endpoint = {
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' },
      // TLS 1.2 and 1.3; by default a regional API admits TLS 1.0.
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
      EndpointAccessMode: 'BASIC',
    };
    expect(Object.fromEntries([...apis].map(([name, { Properties }]) => [name, Properties]))).toEqual({
      PublicApi: {
        Name: `petstore-${environment}`,
        ApiKeySourceType: 'AUTHORIZER',
        // Bodies reach functions as bytes: text would lose what isn't UTF-8.
        BinaryMediaTypes: ['*/*'],
        ...endpoint,
      },
      RedirectsApi: {
        Name: `petstore-${environment}-redirects`,
        DisableExecuteApiEndpoint: true,
        ...endpoint,
      },
    });
  });

  test('are deployed at the stage of the environment, without a cache of responses', () => {
    expect(stages.map(({ Properties }) => Properties.StageName)).toEqual([
      environment,
      `${environment}-redirects`,
    ]);
    for (const { Properties } of stages) {
      expect(Object.keys(Properties).toSorted()).toEqual([
        'AccessLogSetting',
        'DeploymentId',
        'MethodSettings',
        'RestApiId',
        'StageName',
      ]);
    }
  });

  test('log errors, and measure every method', () => {
    for (const { Properties } of stages) {
      for (const settings of Properties.MethodSettings) {
        expect(settings).toMatchObject({
          DataTraceEnabled: false,
          LoggingLevel: 'ERROR',
          MetricsEnabled: true,
        });
      }
    }
  });

  test('write an access log with every field that the petstore command reads', () => {
    for (const { Properties } of stages) {
      const line = Properties.AccessLogSetting.Format.replaceAll(/\$context\.[\w.]+/g, '201');
      expect(readAccessLine(line)).toEqual({
        method: '201',
        resource: '201',
        status: 201,
        host: '201',
        keyId: '201',
        sourceIp: '201',
        latencyMs: 201,
        functionLatencyMs: 201,
        authorizerLatencyMs: 201,
        responseBytes: 201,
        functionRequestId: '201',
        authorizerRequestId: '201',
        gatewayError: '201',
        keyRefusal: '201',
        lambdaStatus: '201',
      });
      expect(JSON.parse(line)).toMatchObject({ time: '201', requestId: '201' });
    }
  });

  test('log nothing that clients send: no header, query, body, token or whole path', () => {
    const revealing =
      /header|query|body|token|override|userAgent|apiKey$|context\.path$|messageString|caller/i;
    for (const { Properties } of stages) {
      const variables: string[] = Properties.AccessLogSetting.Format.match(/\$[\w.]+/g);
      expect(variables.filter(name => revealing.test(name) || !/^\$context\.\w/.test(name))).toEqual([]);
    }
  });

  test('write their error logs to groups of the stack, which exist before a stage could create them', () => {
    for (const stage of stages) {
      const group = stage.DependsOn?.map(id => template.Resources[id]).find(
        resource => resource?.Type === 'AWS::Logs::LogGroup',
      );
      expect(group?.Properties.LogGroupName).toEqual({
        'Fn::Join': [
          '',
          ['API-Gateway-Execution-Logs_', stage.Properties.RestApiId, `/${stage.Properties.StageName}`],
        ],
      });
    }
  });

  test('are deployed after all of their methods, resources, gateway responses and the authorizer', () => {
    for (const deployment of resourcesOf(template, 'AWS::ApiGateway::Deployment').values()) {
      const api = nameOf(deployment.Properties.RestApiId.Ref);
      const parts = ['Method', 'Resource', 'GatewayResponse', 'Authorizer'].flatMap(type =>
        partsOf(template, api, `AWS::ApiGateway::${type}`),
      );
      const before = deployment.DependsOn?.map(id => template.Resources[id]);
      expect(parts.filter(part => !before?.includes(part))).toEqual([]);
    }
  });

  test('lead each operation to the function of its name, as a proxy and without a time-out of its own', () => {
    const methods = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Method').filter(
      ({ Properties }) => Properties.Integration.Type !== 'MOCK',
    );
    const functions = routesOf(template, 'PublicApi').map(
      ({ method, path, fn }) => [`${method} ${path}`, fn] as const,
    );
    // A HEAD is its GET, as public-api.test.ts has it.
    expect(Object.fromEntries(functions.filter(([route]) => !route.startsWith('HEAD ')))).toEqual({
      ...Object.fromEntries(OPERATIONS),
      // These are for no client, and the document does not describe them.
      'GET /v1/domain-proof': 'RedirectsRedirectFunction',
      'GET /v1/openapi.json': 'DocsGetOpenapiFunction',
      'GET /v1/docs': 'DocsGetReferenceFunction',
    });
    for (const { Properties } of methods) {
      expect(Properties.Integration).toEqual({
        IntegrationHttpMethod: 'POST',
        Type: 'AWS_PROXY',
        Uri: expect.anything(),
      });
    }
  });

  test('keep the response of the authorizer for five minutes', () => {
    const [authorizer] = [...resourcesOf(template, 'AWS::ApiGateway::Authorizer').values()];
    expect(authorizer?.Properties.AuthorizerResultTtlInSeconds).toBe(300);
    expect(JSON.stringify(authorizer?.Properties.AuthorizerUri)).toMatch(
      /"ApiKeysAuthorizeFunction[0-9A-F]{8}"/,
    );
  });
});

/** What each resource waits for, directly or not. */
function prerequisites({ Resources }: Template): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return function of(id): ReadonlySet<string> {
    const found = known.get(id);
    if (found) return found;
    const named = new Set(JSON.stringify(Resources[id]).match(/\w+/g));
    const direct = [...named].filter(word => word !== id && word in Resources);
    const all = new Set(direct.flatMap(each => [each, ...of(each)]));
    known.set(id, all);
    return all;
  };
}

/**
 * The size of the largest set in which nothing waits for anything else. By Dilworth's theorem it is the number of chains
 * that it takes to cover all: that of the ids, less the largest matching of each with one that it waits for.
 */
function mostAtOnce(ids: readonly string[], before: (id: string) => ReadonlySet<string>): number {
  const followers = new Map<string, string>();
  const isMatched = (id: string, seen: Set<string>): boolean =>
    ids.some(other => {
      if (seen.has(other) || !before(id).has(other)) return false;
      seen.add(other);
      const rival = followers.get(other);
      if (rival !== undefined && !isMatched(rival, seen)) return false;
      followers.set(other, id);
      return true;
    });
  return ids.length - ids.filter(id => isMatched(id, new Set())).length;
}

test.each([...STACKS, 'all settings'])(
  'API Gateway’s control plane, which takes 40 calls at once, gets at most 25 (%s)',
  stack => {
    const withAllSettings = () => otherEnvironments().getStackByName('Petstore-Production').template;
    const template: Template = stack === 'all settings' ? withAllSettings() : templateOf(stack);
    const ids = Object.keys(template.Resources).filter(id =>
      template.Resources[id]?.Type.startsWith('AWS::ApiGateway::'),
    );
    expect(ids.length).toBeGreaterThan(50);
    expect(mostAtOnce(ids, prerequisites(template))).toBeLessThanOrEqual(25);
    // They refer to nothing but their API.
    for (const [id, { DependsOn }] of resourcesOf(template, 'AWS::ApiGateway::GatewayResponse'))
      expect(DependsOn, id).toHaveLength(1);
  },
);
