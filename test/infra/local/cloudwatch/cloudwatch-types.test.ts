import { expect, test } from 'vitest';
import { resolveStack } from '../../../../infra/local/cloudformation/stack.ts';
import { Template } from '../../../../infra/local/cloudformation/template.ts';
import { RESOURCE_TYPES } from '../../../../infra/local/resource-types.ts';

test('accepts an alarm on the metric of a filter, and a dashboard, with all their properties', () => {
  const metric = { MetricNamespace: 'Petstore', MetricName: 'LostDomains' };
  const template = Template.parse({
    Resources: {
      Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 14 } },
      Lost: {
        Type: 'AWS::Logs::MetricFilter',
        Properties: {
          LogGroupName: { Ref: 'Logs' },
          FilterPattern: '{ $.level = "WARN" }',
          MetricTransformations: [{ ...metric, MetricValue: '1', DefaultValue: 0 }],
        },
      },
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Namespace: metric.MetricNamespace,
          MetricName: metric.MetricName,
          ComparisonOperator: 'GreaterThanThreshold',
          EvaluationPeriods: 1,
        },
      },
      Dashboard: { Type: 'AWS::CloudWatch::Dashboard', Properties: { DashboardBody: '{}' } },
    },
    Outputs: { Filter: { Value: { Ref: 'Lost' } } },
  });
  const { resources, outputs } = resolveStack({ name: 'Zoo', template, parameters: {} }, RESOURCE_TYPES);
  expect(resources.map(({ physicalId }) => physicalId)).toEqual([
    'Zoo-Logs',
    'Zoo-Lost',
    'Zoo-Alarm',
    'Zoo-Dashboard',
  ]);
  expect(resources[1]?.properties).toMatchObject({ LogGroupName: 'Zoo-Logs' });
  expect(outputs.Filter).toBe('Zoo-Lost');
});

test.each([
  ['a filter pattern that CloudWatch Logs cannot read', { FilterPattern: '{ level = WARN }' }],
  ['two transformations', { MetricTransformations: [{}, {}] }],
  ['no log group', { LogGroupName: undefined }],
])('rejects a metric filter with %s', (_, properties) => {
  const valid = {
    LogGroupName: 'logs',
    FilterPattern: '{ $.level = "WARN" }',
    MetricTransformations: [{ MetricNamespace: 'Petstore', MetricName: 'Lost', MetricValue: '$.lost' }],
  };
  const filter = (Properties: object) =>
    resolveStack(
      {
        name: 'Zoo',
        template: Template.parse({ Resources: { Lost: { Type: 'AWS::Logs::MetricFilter', Properties } } }),
        parameters: {},
      },
      RESOURCE_TYPES,
    );
  expect(() => filter(valid)).not.toThrow();
  expect(() => filter({ ...valid, ...properties })).toThrow('Lost');
});
