import { describe, expect, test } from 'vitest';
import { NEEDS_ATTENTION } from '../../../shared/domains/life/needs-attention.ts';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the scheduled checks of %s', stack => {
  const template = templateOf(stack);
  const rules = resourcesOf(template, 'AWS::Events::Rule');
  const environment = stack.replace('Petstore-', '').toLowerCase();

  test('run every day, and when ACM cannot renew a certificate or one is about to expire', () => {
    const daily = rules.get('DomainChecksDaily')?.Properties;
    const renewal = rules.get('DomainChecksRenewalActionRequired')?.Properties;
    expect(daily).toMatchObject({ ScheduleExpression: 'rate(1 day)', State: 'ENABLED' });
    expect(renewal).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.acm'],
        'detail-type': ['ACM Certificate Renewal Action Required', 'ACM Certificate Approaching Expiration'],
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

  test('raise an alarm when one domain needs attention, and none when nothing was logged', () => {
    const filter = resourcesOf(template, 'AWS::Logs::MetricFilter').get('DomainChecksAttention')?.Properties;
    expect(filter?.FilterPattern).toBe(`{ $.message = "${NEEDS_ATTENTION}" }`);
    expect(nameOf(filter?.LogGroupName.Ref)).toBe('DomainChecksRecheckDomainsLogs');
    const [metric] = filter?.MetricTransformations ?? [];
    expect(metric).toMatchObject({ MetricValue: '1', MetricNamespace: `Petstore/${environment}` });

    const alarm = resourcesOf(template, 'AWS::CloudWatch::Alarm').get('DomainChecksNeedsAttention');
    expect(alarm?.Properties).toMatchObject({
      Namespace: metric.MetricNamespace,
      MetricName: metric.MetricName,
      Statistic: 'Sum',
      Period: 24 * 60 * 60,
      EvaluationPeriods: 1,
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
  });
});
