import { describe, expect, test } from 'vitest';
import { nameOf, partsOf, resourcesOf, STACKS, templateOf, templateText } from './templates.ts';

describe.each(STACKS)('the redirects API of %s', stack => {
  const template = templateOf(stack);
  const environment = stack.replace('Petstore-', '').toLowerCase();
  const [stage] = partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Stage');

  const all = partsOf(template, 'RedirectsApi', 'AWS::ApiGateway::Method');
  const methods = all.filter(({ Properties }) => Properties.HttpMethod === 'ANY');

  test('routes every method but OPTIONS of every path, the root included, to the redirect function', () => {
    for (const { Properties } of methods) {
      expect([Properties.HttpMethod, Properties.AuthorizationType]).toEqual(['ANY', 'NONE']);
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

  test('is regional, and its stage is throttled as one key is and has its own name', () => {
    const api = resourcesOf(template, 'AWS::ApiGateway::RestApi').get('RedirectsApi');
    expect(api?.Properties).toMatchObject({
      Name: `petstore-${environment}-redirects`,
    });
    expect(stage?.Properties.StageName).toBe(`${environment}-redirects`);
    const [settings] = stage?.Properties.MethodSettings ?? [];
    expect(settings).toMatchObject({ HttpMethod: '*', ResourcePath: '/*', DataTraceEnabled: false });
    const [plan] = resourcesOf(template, 'AWS::ApiGateway::UsagePlan').values();
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = settings;
    expect({ RateLimit: ThrottlingRateLimit, BurstLimit: ThrottlingBurstLimit }).toEqual(
      plan?.Properties.Throttle,
    );
  });

  test('writes an access log, and is deployed after the account’s role for it', () => {
    // One stack sets it for all of the account.
    const accounts = [...resourcesOf(template, 'AWS::ApiGateway::Account').keys()];
    expect(accounts).toEqual(environment === 'staging' ? ['PublicApiAccount'] : []);
    const [publicStage] = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage');
    expect(stage?.DependsOn?.map(id => template.Resources[id])).toContain(publicStage);
    expect(publicStage?.DependsOn?.map(nameOf)).toEqual(expect.arrayContaining(accounts));
    expect(stage?.Properties.AccessLogSetting.Format).toContain('$context.domainName');
  });

  test('responds by the function as a proxy, without a time-out of the gateway', () => {
    for (const { Properties } of methods) {
      expect(Object.keys(Properties.Integration)).toEqual(['IntegrationHttpMethod', 'Type', 'Uri']);
      expect(Properties.Integration).toMatchObject({ IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY' });
      expect(Properties).not.toHaveProperty('ApiKeyRequired');
    }
  });

  test('has no output with its address, because only custom domains lead to it', () => {
    const { Outputs } = JSON.parse(templateText(stack));
    expect(JSON.stringify(Outputs)).not.toContain('Redirects');
  });
});
