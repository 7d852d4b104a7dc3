import { describe, expect, test } from 'vitest';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

/** Which rule invokes which function. */
const RULES: Record<string, string> = {
  DomainEventsEveryTwoMinutes: 'DomainEventsPublishEventsFunction',
  ProjectsDeployed: 'ProjectsRecordDeployFunction',
  ProjectsEveryFewMinutes: 'ProjectsReconcileEndpointFunction',
  ApiKeysEveryFewMinutes: 'ApiKeysReconcileKeysFunction',
  DomainChecksDaily: 'DomainChecksRecheckDomainsFunction',
  DomainChecksEveryFewMinutes: 'DomainChecksReconcileDomainsFunction',
  DomainChecksRenewalActionRequired: 'DomainChecksRecheckDomainsFunction',
};

describe.each(STACKS)('the permissions to invoke functions of %s', stack => {
  const template = templateOf(stack);

  test('an API invokes the functions of its methods, a rule its target, and nothing else any function', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::Lambda::Permission')) {
      // Rules invoke the functions that record deploys and check domains.
      const rule = Object.keys(RULES).find(start => name.startsWith(start));
      if (rule) {
        expect(Properties.Principal).toBe('events.amazonaws.com');
        expect(nameOf(Properties.SourceArn['Fn::GetAtt'][0])).toBe(rule);
        expect(nameOf(Properties.FunctionName['Fn::GetAtt'][0])).toBe(RULES[rule]);
        continue;
      }
      expect(Properties.Principal, name).toBe('apigateway.amazonaws.com');
      const source = JSON.stringify(Properties.SourceArn);
      // Every method and path of the API of redirects is the one function's.
      if (nameOf(Properties.FunctionName['Fn::GetAtt'][0]) === 'RedirectsRedirectFunction') {
        expect(source, name).toMatch(/"Ref":"RedirectsApi[0-9A-F]{8}"/);
        continue;
      }
      expect(source, name).toMatch(/"Ref":"PublicApi[0-9A-F]{8}"/);
      expect(source, name).not.toContain('/*/*');
    }
  });
});
