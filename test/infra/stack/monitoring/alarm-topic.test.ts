import { describe, expect, test } from 'vitest';
import { STACKS, templateOf } from '../templates.ts';
import { resourcesOf } from './watched.ts';

interface Statement {
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Action: string | string[];
  readonly Condition?: unknown;
}

describe.each(STACKS)('what alarms of %s are sent by', stack => {
  const template = templateOf(stack);
  const [[topicId, topic] = ['']] = resourcesOf(template, 'AWS::SNS::Topic');
  const [[queueId, queue] = ['']] = resourcesOf(template, 'AWS::SQS::Queue');
  const statementsOf = (type: string): Statement[] =>
    resourcesOf(template, type).flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
  const isInsecure = { Bool: { 'aws:SecureTransport': 'false' } };

  test('the topic is encrypted with a key that CloudWatch may use, and that is rotated', () => {
    const [[keyId, key] = ['']] = resourcesOf(template, 'AWS::KMS::Key');
    expect(topic?.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] });
    expect(key?.Properties.EnableKeyRotation).toBe(true);
    expect(key?.Properties.KeyPolicy.Statement).toEqual([
      // By this statement IAM policies of the account apply. Without it nobody could manage the key.
      {
        Effect: 'Allow',
        Principal: {
          AWS: { 'Fn::Join': ['', expect.arrayContaining([{ Ref: 'AWS::AccountId' }, ':root'])] },
        },
        Action: 'kms:*',
        Resource: '*',
      },
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        Resource: '*',
      },
    ]);
  });

  test('the topic takes messages of the alarms of the account, by TLS only', () => {
    const statements = statementsOf('AWS::SNS::TopicPolicy');
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: topicId },
        Condition: { ArnLike: { 'aws:SourceArn': expect.anything() } },
      }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Principal: '*', Condition: isInsecure }),
    );
    expect(statements).toHaveLength(2);
  });

  test('every target of every rule has the dead-letter queue, which is encrypted and takes events of the rules', () => {
    expect(queue?.Properties.SqsManagedSseEnabled).toBe(true);
    const deadLetters = { Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } };
    const rules = resourcesOf(template, 'AWS::Events::Rule');
    for (const [id, { Properties }] of rules) {
      expect(Properties.Targets.length, id).toBeGreaterThan(0);
      for (const target of Properties.Targets) expect(target.DeadLetterConfig, id).toEqual(deadLetters);
    }
    const statements = statementsOf('AWS::SQS::QueuePolicy');
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Condition: {
          ArnEquals: { 'aws:SourceArn': rules.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] })) },
        },
      }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Principal: { AWS: '*' }, Condition: isInsecure }),
    );
    expect(statements).toHaveLength(2);
  });
});
