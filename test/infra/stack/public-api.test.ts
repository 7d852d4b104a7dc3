import { describe, expect, test } from 'vitest';
import { COMMON_MEDIA_TYPES } from '../../../infra/stack/unrouted-requests.ts';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import {
  nameOf,
  partsOf,
  resourcesOf,
  routesOf,
  STACKS,
  type TemplateResource,
  templateOf,
} from './templates.ts';

describe.each(STACKS)('the API of %s', stack => {
  const template = templateOf(stack);
  const methods = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Method');
  const [authorizer] = [...resourcesOf(template, 'AWS::ApiGateway::Authorizer').values()];
  const [stage] = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage');
  const isMock = ({ Properties }: TemplateResource) => Properties.Integration.Type === 'MOCK';
  const isRefusal = (method: TemplateResource) => isMock(method) && method.Properties.HttpMethod === 'ANY';

  /** The documentation and the proof of domains are open to everybody. */
  const isOpen = ({ Properties }: TemplateResource) =>
    /\["(Docs|Redirects)/.test(JSON.stringify(Properties.Integration.Uri ?? ''));

  test('only the documentation and the proof of domains are open, each throttled on its own', () => {
    const open = routesOf(template, 'PublicApi').flatMap(({ method, path, isOpen }) =>
      isOpen ? { method, path } : [],
    );
    const paths = ['/v1/domain-proof', '/v1/openapi.json', '/v1/docs'];
    const routes = paths.flatMap(path => ['GET', 'HEAD'].map(method => ({ method, path })));
    expect(new Set(open)).toEqual(new Set(routes));
    const [common, ...own] = stage?.Properties.MethodSettings ?? [];
    const limits = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 100 };
    expect(own).toEqual(
      routes.map(({ method, path }) => ({
        ...common,
        ...limits,
        ResourcePath: `/${path.replaceAll('/', '~1')}`,
        HttpMethod: method,
      })),
    );
  });

  test('every other operation is behind the authorizer, and counts for the usage plan of the key that it names', () => {
    for (const method of methods) {
      const { AuthorizationType, AuthorizerId, ApiKeyRequired = false } = method.Properties;
      const isGuarded = !isMock(method) && !isOpen(method);
      expect([AuthorizationType, AuthorizerId && nameOf(AuthorizerId.Ref), ApiKeyRequired]).toEqual(
        isGuarded ? ['CUSTOM', 'PublicApiAuthorizer', true] : ['NONE', undefined, false],
      );
    }
  });

  test('the usage plan limits the rate of each key, and has no quota', () => {
    const plans = [...resourcesOf(template, 'AWS::ApiGateway::UsagePlan').values()];
    expect(plans.map(({ Properties }) => Properties)).toEqual([
      {
        ApiStages: [
          {
            ApiId: { Ref: expect.stringMatching(/^PublicApi[0-9A-F]{8}$/) },
            Stage: { Ref: expect.stringMatching(/^PublicApiDeploymentStage/) },
            Throttle: {},
          },
        ],
        Throttle: { RateLimit: 200, BurstLimit: 1000 },
      },
    ]);
  });

  test('the template declares no API key: operators create them', () => {
    expect(resourcesOf(template, 'AWS::ApiGateway::ApiKey').size).toBe(0);
  });

  const idOf = ({ Properties }: TemplateResource): string =>
    Properties.ResourceId.Ref ?? Properties.ResourceId['Fn::GetAtt'][0];
  const operations = methods.filter(method => !isMock(method));
  const refusals = new Map(methods.filter(isRefusal).map(method => [idOf(method), method.Properties]));
  const resources = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Resource');

  /** Those of the redirects API, too. */
  const mocks = [...methods, ...partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Method')].filter(isMock);

  test('every mock method takes and gives text, for all common media types, with the headers that it declares', () => {
    const [mediaTypes] = mocks.map(({ Properties }) => Object.keys(Properties.Integration.RequestTemplates));
    expect(mediaTypes).toEqual(expect.arrayContaining([...COMMON_MEDIA_TYPES]));
    for (const { Properties } of mocks) {
      const { AuthorizationType, Integration, MethodResponses } = Properties;
      expect(AuthorizationType).toBe('NONE');
      expect(Object.keys(Integration.RequestTemplates)).toEqual(mediaTypes);
      expect(Integration).toMatchObject({
        ContentHandling: 'CONVERT_TO_TEXT',
        PassthroughBehavior: 'NEVER',
      });
      expect(MethodResponses).toHaveLength(Integration.IntegrationResponses.length);
      for (const [index, response] of Integration.IntegrationResponses.entries()) {
        expect(response).toMatchObject({
          ContentHandling: 'CONVERT_TO_TEXT',
          ResponseParameters: {
            'method.response.header.X-Request-Id': 'context.extendedRequestId',
            'method.response.header.Cache-Control': "'no-store'",
            'method.response.header.X-Content-Type-Options': "'nosniff'",
            'method.response.header.Strict-Transport-Security': "'max-age=86400'",
          },
        });
        // A 204 has no body: neither an object nor an empty one.
        const hasBody = /\{\s*("|\})/.test(response.ResponseTemplates['application/json']);
        expect(hasBody).toBe(response.StatusCode !== '204');
        const { StatusCode, ResponseParameters } = MethodResponses[index];
        expect(StatusCode).toBe(response.StatusCode);
        expect(Object.keys(ResponseParameters)).toEqual(
          expect.arrayContaining(Object.keys(response.ResponseParameters)),
        );
      }
    }
  });

  test('every resource with an operation returns 405 to all other methods, and every other one 404', () => {
    const withOperation = new Set(operations.map(idOf));
    for (const [resource, { Integration }] of refusals) {
      const [status, code] = withOperation.has(resource) ? [405, 'method_not_allowed'] : [404, 'not_found'];
      const { RequestTemplates, IntegrationResponses } = Integration;
      expect(new Set(Object.values(RequestTemplates))).toEqual(new Set([`{"statusCode":${status}}`]));
      const [refusal, ...others] = IntegrationResponses;
      expect([refusal.StatusCode, refusal.SelectionPattern, others]).toEqual([String(status), undefined, []]);
      const body = JSON.parse(refusal.ResponseTemplates['application/json']);
      expect(body).toMatchObject({ code, status });
    }
    for (const resource of withOperation) expect(refusals.has(resource)).toBe(true);
    // All resources have a refusal, and so has the root, which isn't a resource of the template.
    expect(refusals.size).toBe(resources.length + 1);
  });

  test('every resource has one child that takes any path part, the greedy ones aside', () => {
    const parentOf = ({ Properties }: TemplateResource): string =>
      Properties.ParentId.Ref ?? Properties.ParentId['Fn::GetAtt'][0];
    const isVariable = ({ Properties }: TemplateResource) => Properties.PathPart.startsWith('{');
    const isGreedy = ({ Properties }: TemplateResource) => Properties.PathPart.endsWith('+}');
    const parents = resources.filter(isVariable).map(parentOf);
    expect(new Set(parents).size).toBe(parents.length);
    expect(parents.length).toBe(resources.filter(resource => !isGreedy(resource)).length + 1);
  });

  const options = new Map(
    methods
      .filter(({ Properties }) => Properties.HttpMethod === 'OPTIONS')
      .map(method => [idOf(method), method.Properties]),
  );
  const methodsOf = (resource: string): string[] =>
    operations.filter(method => idOf(method) === resource).map(({ Properties }) => Properties.HttpMethod);

  test('Allow of a 405 and of OPTIONS lists exactly the methods of its resource, OPTIONS included', () => {
    for (const [resource, refusal] of refusals) {
      const names = methodsOf(resource);
      const expected = names.length === 0 ? undefined : `'${[...names, 'OPTIONS'].toSorted().join(', ')}'`;
      for (const { Integration } of [refusal, options.get(resource)].filter(found => found !== undefined)) {
        const [{ ResponseParameters }] = Integration.IntegrationResponses;
        expect(ResponseParameters['method.response.header.Allow']).toBe(expected);
      }
    }
  });

  test('every resource with an operation returns 204 to OPTIONS, and others only where pages may read their 404', () => {
    const isForPages = stack === 'Petstore-Staging';
    expect(new Set(options.keys())).toEqual(new Set(isForPages ? refusals.keys() : operations.map(idOf)));
    for (const { Integration } of options.values()) {
      expect(Integration.IntegrationResponses).toMatchObject([{ StatusCode: '204' }]);
      expect(new Set(Object.values(Integration.RequestTemplates))).toEqual(new Set(['{"statusCode":204}']));
    }
  });

  test('every resource with GET has HEAD, with the same function and authorizer', () => {
    for (const get of operations.filter(({ Properties }) => Properties.HttpMethod === 'GET')) {
      const head = operations.find(
        method => method.Properties.HttpMethod === 'HEAD' && idOf(method) === idOf(get),
      );
      expect(head?.Properties).toEqual({ ...get.Properties, HttpMethod: 'HEAD' });
    }
  });

  test('the authorizer reads the token alone and is asked only for keys of this environment', () => {
    const { Type, IdentitySource, IdentityValidationExpression } = authorizer?.Properties ?? {};
    expect([Type, IdentitySource]).toEqual(['TOKEN', 'method.request.header.Authorization']);
    const isAsked = (header: string) => new RegExp(IdentityValidationExpression).test(header);
    const isProduction = stack === 'Petstore-Production';
    expect(isAsked(`Bearer ${generateKey('pet_live_')}`)).toBe(isProduction);
    expect(isAsked(`Bearer ${generateKey('pet_test_')}`)).toBe(!isProduction);
  });

  test('the stage is throttled to half of the quota of its region', () => {
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(settings).toMatchObject({ HttpMethod: '*', ResourcePath: '/*' });
    const [map = '', , rate = ''] = settings.ThrottlingRateLimit['Fn::FindInMap'] ?? [];
    const [, , burst = ''] = settings.ThrottlingBurstLimit['Fn::FindInMap'] ?? [];
    const throttles = Object.entries(template.Mappings?.[map] ?? {}).map(
      ([region, values]) => [region, Number(values[rate]), Number(values[burst])] as const,
    );
    expect(throttles.map(([region]) => region)).toEqual(expect.arrayContaining(['cn-north-1', 'us-east-1']));
    for (const [region, ...limits] of throttles) {
      expect(
        [
          [5000, 2500],
          [1250, 625],
        ],
        region,
      ).toContainEqual(limits);
    }
    // As AWS documents them.
    const small = throttles.flatMap(([region, rate]) => (rate === 1250 ? [region] : []));
    expect(small).toEqual(expect.arrayContaining(['eu-south-1', 'eu-central-2', 'eu-south-2', 'af-south-1']));
    for (const region of ['cn-north-1', 'eu-central-1', 'us-east-1']) expect(small).not.toContain(region);
  });
});
