import { describe, expect, test } from 'vitest';
import { RECONCILE_MINUTES } from '../../../shared/domains/life/reconciliation.ts';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the project of %s itself', stack => {
  const rules = resourcesOf(templateOf(stack), 'AWS::Events::Rule');

  test('records a deploy when this stack, and no other, was created or updated', () => {
    const rule = rules.get('ProjectsDeployed')?.Properties;
    expect(rule?.State).toBe('ENABLED');
    expect(rule?.EventPattern).toEqual({
      source: ['aws.cloudformation'],
      'detail-type': ['CloudFormation Stack Status Change'],
      detail: {
        'stack-id': [{ Ref: 'AWS::StackId' }],
        'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE'] },
      },
    });
    expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe('ProjectsRecordDeployFunction');
  });

  test('reconciles its default endpoint every few minutes', () => {
    const rule = rules.get('ProjectsEveryFewMinutes')?.Properties;
    expect(rule).toMatchObject({
      ScheduleExpression: `rate(${RECONCILE_MINUTES} minutes)`,
      State: 'ENABLED',
    });
    expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe('ProjectsReconcileEndpointFunction');
  });
});
