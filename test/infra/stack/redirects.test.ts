import { describe, expect, test } from 'vitest';
import { nameOf, partsOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the redirects API of %s', stack => {
  const template = templateOf(stack);
  const environment = stack.replace('Petstore-', '').toLowerCase();
  const [stage] = partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Stage');

  const all = partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Method');
  const methods = all.filter(({ Properties }) => Properties.HttpMethod === 'ANY');

  test('routes every method but OPTIONS of every path, the root included, to the redirect function', () => {
    for (const { Properties } of methods) {
      expect(Properties.AuthorizationType).toBe('NONE');
      expect(Properties).not.toHaveProperty('ApiKeyRequired');
      // As a proxy, without a time-out of the gateway.
      expect(Properties.Integration).toEqual({
        IntegrationHttpMethod: 'POST',
        Type: 'AWS_PROXY',
        Uri: expect.anything(),
      });
      expect(JSON.stringify(Properties.Integration.Uri)).toMatch(/"RedirectsRedirectFunction[0-9A-F]{8}"/);
    }
    const options = all.filter(each => !methods.includes(each));
    for (const { Properties } of options) {
      expect([Properties.HttpMethod, Properties.Integration.Type]).toEqual(['OPTIONS', 'MOCK']);
      const [{ ResponseParameters }] = Properties.Integration.IntegrationResponses;
      expect(ResponseParameters['method.response.header.Allow']).toMatch(/^'.*GET.*OPTIONS.*'$/);
    }
    const resources = methods.map(({ Properties }) => JSON.stringify(Properties.ResourceId));
    expect(resources.toSorted()).toEqual([
      expect.stringMatching(/"Fn::GetAtt":\["RedirectsApi[0-9A-F]{8}","RootResourceId"\]/),
      expect.stringMatching(/"Ref":"RedirectsApiproxy[0-9A-F]{8}"/),
    ]);
    const [proxy] = partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Resource');
    expect(proxy?.Properties.PathPart).toBe('{proxy+}');
  });

  test('is throttled as one key is', () => {
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(settings).toMatchObject({ HttpMethod: '*', ResourcePath: '/*' });
    const [plan] = resourcesOf(template, 'AWS::ApiGateway::UsagePlan').values();
    expect({ RateLimit: settings.ThrottlingRateLimit, BurstLimit: settings.ThrottlingBurstLimit }).toEqual(
      plan?.Properties.Throttle,
    );
  });

  test('is deployed after the account’s role for logs', () => {
    // One stack sets it for all of the account.
    const accounts = [...resourcesOf(template, 'AWS::ApiGateway::Account').keys()];
    expect(accounts).toEqual(environment === 'staging' ? ['PublicApiAccount'] : []);
    const [publicStage] = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage');
    expect(stage?.DependsOn?.map(id => template.Resources[id])).toContain(publicStage);
    expect(publicStage?.DependsOn?.map(nameOf)).toEqual(expect.arrayContaining(accounts));
  });
});
