import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assetOf, FUNCTIONS, nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the scheduled checks of %s', stack => {
  const template = templateOf(stack);
  const rules = resourcesOf(template, 'AWS::Events::Rule');

  test('run every day, and when ACM cannot renew a certificate, or one has expired or was revoked', () => {
    const daily = rules.get('DomainChecksDaily')?.Properties;
    const renewal = rules.get('DomainChecksRenewalActionRequired')?.Properties;
    expect(daily).toMatchObject({ ScheduleExpression: 'rate(1 day)', State: 'ENABLED' });
    expect(renewal).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.acm'],
        'detail-type': [
          'ACM Certificate Renewal Action Required',
          'ACM Certificate Expired',
          'ACM Certificate Revoked',
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

const PUBLISH = 'DomainEventsPublishEventsFunction';
const bundleOf = (name: string) => join(assetOf(name), 'index.cjs');

describe.each(STACKS)('the domain events of %s', stack => {
  const template = templateOf(stack);

  test('are published every two minutes', () => {
    const rule = resourcesOf(template, 'AWS::Events::Rule').get('DomainEventsEveryTwoMinutes')?.Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(2 minutes)', State: 'ENABLED' });
    expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe(PUBLISH);
  });
});

describe('the function that publishes events', () => {
  test('alone has the client of EventBridge', () => {
    const having = [...FUNCTIONS.keys()].filter(name =>
      readFileSync(bundleOf(name), 'utf8').includes('AWSEvents'),
    );
    expect(having).toEqual([PUBLISH]);
  });

  test('is small, because it runs every two minutes', () => {
    expect(statSync(bundleOf(PUBLISH)).size).toBeLessThan(245_000);
  });
});
