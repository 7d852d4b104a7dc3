import { describe, expect, test } from 'vitest';
import { Template } from '../cloudformation/cloud-assembly.ts';
import { resolveStack } from '../cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../resource-types.ts';

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
  const { resources, outputs } = resolveStack({ name: 'Zoo', template }, RESOURCE_TYPES);
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
      },
      RESOURCE_TYPES,
    );
  expect(() => filter(valid)).not.toThrow();
  expect(() => filter({ ...valid, ...properties })).toThrow('Lost');
});

/** What a stack of a key, a topic, a queue and their policies gives as outputs. */
function outputsOf() {
  const template = Template.parse({
    Resources: {
      Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: [] }, EnableKeyRotation: true } },
      Topic: {
        Type: 'AWS::SNS::Topic',
        Properties: { KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
      },
      TopicPolicy: {
        Type: 'AWS::SNS::TopicPolicy',
        Properties: { PolicyDocument: { Statement: [] }, Topics: [{ Ref: 'Topic' }] },
      },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { SqsManagedSseEnabled: true } },
      QueuePolicy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: { PolicyDocument: { Statement: [] }, Queues: [{ Ref: 'Queue' }] },
      },
    },
    Outputs: {
      Topic: { Value: { Ref: 'Topic' } },
      TopicName: { Value: { 'Fn::GetAtt': ['Topic', 'TopicName'] } },
      Queue: { Value: { Ref: 'Queue' } },
      QueueArn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
      QueueName: { Value: { 'Fn::GetAtt': ['Queue', 'QueueName'] } },
      KeyArn: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
    },
  });
  return resolveStack({ name: 'Zoo', template }, RESOURCE_TYPES).outputs;
}

describe('topics, queues and keys', () => {
  test('have the names, ARNs and URLs that AWS would give them', () => {
    const account = 'us-east-1:000000000000';
    expect(outputsOf()).toEqual({
      Topic: `arn:aws:sns:${account}:Zoo-Topic`,
      TopicName: 'Zoo-Topic',
      Queue: 'https://sqs.us-east-1.amazonaws.com/000000000000/Zoo-Queue',
      QueueArn: `arn:aws:sqs:${account}:Zoo-Queue`,
      QueueName: 'Zoo-Queue',
      KeyArn: expect.stringMatching(/^arn:aws:kms:us-east-1:000000000000:key\/\w{32}$/),
    });
  });
});
