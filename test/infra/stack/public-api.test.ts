import { describe, expect, test } from 'vitest';
import { generateKey } from '../../../shared/api-keys/api-key.ts';
import { nameOf, partsOf, resourcesOf, STACKS, type TemplateResource, templateOf } from './templates.ts';

describe.each(STACKS)('the API of %s', stack => {
  const template = templateOf(stack);
  const api = resourcesOf(template, 'AWS::ApiGateway::RestApi').get('PublicApi');
  const methods = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Method');
  const [authorizer] = [...resourcesOf(template, 'AWS::ApiGateway::Authorizer').values()];
  const [stage] = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage');
  const isRefusal = ({ Properties }: TemplateResource) => Properties.Integration.Type === 'MOCK';

  /** The documentation is open to everybody; docs.test.ts names what that is. */
  const isOpen = ({ Properties }: TemplateResource) =>
    JSON.stringify(Properties.Integration.Uri ?? '').includes('["Docs');

  test('no operation is without the authorizer', () => {
    for (const { Properties } of methods.filter(method => !isRefusal(method) && !isOpen(method))) {
      expect(Properties.AuthorizationType).toBe('CUSTOM');
      expect(nameOf(Properties.AuthorizerId.Ref)).toBe('PublicApiAuthorizer');
    }
  });

  test('every operation counts for the usage plan of a key, which the authorizer names', () => {
    expect(api?.Properties.ApiKeySourceType).toBe('AUTHORIZER');
    for (const method of methods) {
      expect(method.Properties.ApiKeyRequired ?? false).toBe(!isRefusal(method) && !isOpen(method));
    }
  });

  test('the usage plan limits the rate of each key on this stage, below that of the stage', () => {
    const [plan, ...others] = [...resourcesOf(template, 'AWS::ApiGateway::UsagePlan').values()];
    expect(others).toEqual([]);
    const { ApiStages, Throttle, Quota } = plan?.Properties ?? {};
    expect(ApiStages).toHaveLength(1);
    expect(nameOf(ApiStages[0].ApiId.Ref)).toBe('PublicApi');
    expect(nameOf(ApiStages[0].Stage.Ref)).toMatch(/^PublicApiDeploymentStage/);
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(Throttle.RateLimit).toBeGreaterThan(0);
    expect(Throttle.RateLimit).toBeLessThan(settings.ThrottlingRateLimit);
    expect(Throttle.BurstLimit).toBeGreaterThan(0);
    expect(Throttle.BurstLimit).toBeLessThan(settings.ThrottlingBurstLimit);
    expect(Quota).toBeUndefined();
  });

  test('no API key is declared: operators make them, and a template is no place for one', () => {
    expect(resourcesOf(template, 'AWS::ApiGateway::ApiKey').size).toBe(0);
  });

  test('what is without the authorizer says 405 and nothing else, on every resource that has an operation', () => {
    const refusals = methods.filter(isRefusal);
    for (const { Properties } of refusals) {
      const { RequestTemplates, IntegrationResponses, PassthroughBehavior } = Properties.Integration;
      expect([Properties.HttpMethod, PassthroughBehavior]).toEqual(['ANY', 'NEVER']);
      expect(new Set(Object.values(RequestTemplates))).toEqual(new Set(['{"statusCode":405}']));
      expect(IntegrationResponses).toMatchObject([{ StatusCode: '405' }]);
      const body = JSON.parse(IntegrationResponses[0].ResponseTemplates['application/json']);
      expect(body).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
    const resourceIds = (of: TemplateResource[]) =>
      new Set(of.map(({ Properties }) => Properties.ResourceId.Ref));
    expect(resourceIds(refusals)).toEqual(resourceIds(methods));
  });

  test('Allow names exactly the methods of its resource', () => {
    for (const { Properties: refusal } of methods.filter(isRefusal)) {
      const operations = methods.filter(
        method => !isRefusal(method) && method.Properties.ResourceId.Ref === refusal.ResourceId.Ref,
      );
      const names = operations.map(({ Properties }) => Properties.HttpMethod).toSorted();
      const [{ ResponseParameters }] = refusal.Integration.IntegrationResponses;
      expect(ResponseParameters['method.response.header.Allow']).toBe(`'${names.join(', ')}'`);
    }
  });

  test('the authorizer looks at the token alone, and asks for keys of this environment only', () => {
    const { Type, IdentitySource, IdentityValidationExpression } = authorizer?.Properties ?? {};
    expect([Type, IdentitySource]).toEqual(['TOKEN', 'method.request.header.Authorization']);
    const asksFor = (header: string) => new RegExp(IdentityValidationExpression).test(header);
    const isProduction = stack === 'Petstore-Production';
    expect(asksFor(`Bearer ${generateKey('pet_live_')}`)).toBe(isProduction);
    expect(asksFor(`Bearer ${generateKey('pet_test_')}`)).toBe(!isProduction);
  });

  test('the API is regional, with a stage that is throttled', () => {
    expect(api?.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(settings).toMatchObject({ HttpMethod: '*', ResourcePath: '/*' });
    expect(settings.ThrottlingRateLimit).toBeGreaterThan(0);
    expect(settings.ThrottlingBurstLimit).toBeGreaterThan(0);
  });

  test('no log holds what clients send: no header, query, body, token or whole path', () => {
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(settings.DataTraceEnabled).toBe(false);
    expect(settings.LoggingLevel).not.toBe('INFO');
    const { Format } = stage?.Properties.AccessLogSetting ?? {};
    expect(() => JSON.parse(Format)).not.toThrow();
    const variables: string[] = Format.match(/\$[\w.]+/g);
    for (const variable of variables) expect(variable).toMatch(/^\$context\.\w/);
    const revealing =
      /header|query|body|token|override|userAgent|apiKey$|context\.path$|messageString|caller/i;
    expect(variables.filter(variable => revealing.test(variable))).toEqual([]);
  });

  test('the log tells which request, by whose key, and what went wrong', () => {
    const { Format } = stage?.Properties.AccessLogSetting ?? {};
    expect(Object.values(JSON.parse(Format))).toEqual(
      expect.arrayContaining([
        '$context.extendedRequestId',
        '$context.authorizer.principalId',
        '$context.status',
        '$context.error.responseType',
      ]),
    );
  });
});
