import { describe, expect, test } from 'vitest';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the scheduled checks of %s', stack => {
  const template = templateOf(stack);
  const rules = resourcesOf(template, 'AWS::Events::Rule');

  test('run every day, and when ACM cannot renew a certificate or one is about to expire, has expired or was revoked', () => {
    const daily = rules.get('DomainChecksDaily')?.Properties;
    const renewal = rules.get('DomainChecksRenewalActionRequired')?.Properties;
    expect(daily).toMatchObject({ ScheduleExpression: 'rate(1 day)', State: 'ENABLED' });
    expect(renewal).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.acm'],
        'detail-type': [
          ...['ACM Certificate Renewal Action Required', 'ACM Certificate Approaching Expiration'],
          ...['ACM Certificate Expired', 'ACM Certificate Revoked'],
        ],
      },
    });
    for (const rule of [daily, renewal]) {
      expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe('DomainChecksRecheckDomainsFunction');
    }
  });

  test('reconcile domains every five minutes', () => {
    const rule = rules.get('DomainChecksEveryFewMinutes')?.Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe('DomainChecksReconcileDomainsFunction');
  });
});
