import { describe, expect, test } from 'vitest';
import { placeOf, resourcesOf, STACKS, templateOf } from '../templates.ts';

describe.each(STACKS)('what alarms of %s are sent by', stack => {
  const template = templateOf(stack);
  // Those of domain events have nothing to do with alarms: test/infra/stack/domain-mail.test.ts.
  const ofAlarms = (type: string) =>
    [...resourcesOf(template, type)].filter(([name]) => name.startsWith('MonitoringAlarms'));
  const topics = ofAlarms('AWS::SNS::Topic');
  const [[queueName, queue] = ['']] = resourcesOf(template, 'AWS::SQS::Queue');
  const alarms = { 'Fn::Join': ['', expect.arrayContaining([{ Ref: 'AWS::AccountId' }, ':alarm:*'])] };
  const fromAlarms = {
    ArnLike: { 'aws:SourceArn': alarms },
    StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
  };
  const isInsecure = { Bool: { 'aws:SecureTransport': 'false' } };

  test('there is a topic for pages and one for tickets, with an address each', () => {
    const subscriptions = ofAlarms('AWS::SNS::Subscription').map(([, { Properties }]) => Properties);
    expect(subscriptions).toEqual(
      [
        ['pages@zoo.dev', 'Topic'],
        ['tickets@zoo.dev', 'Tickets'],
      ].map(([Endpoint, topic]) => ({
        Protocol: 'email',
        Endpoint,
        TopicArn: { Ref: expect.stringMatching(`^MonitoringAlarms${topic}[0-9A-F]{8}$`) },
      })),
    );
    expect(topics).toHaveLength(2);
  });

  test('the topics are encrypted with a key that CloudWatch may use, and that is rotated', () => {
    const [[keyName, key] = ['']] = resourcesOf(template, 'AWS::KMS::Key');
    for (const [name, topic] of topics) expect(placeOf(topic.Properties.KmsMasterKeyId), name).toBe(keyName);
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
        Condition: fromAlarms,
      },
    ]);
  });

  test.each(topics)('%s takes messages of the alarms of the account, by TLS only', topicName => {
    const [policy] = [...resourcesOf(template, 'AWS::SNS::TopicPolicy').values()].flatMap(({ Properties }) =>
      Properties.Topics.map(placeOf).includes(topicName) ? Properties : [],
    );
    const { Statement } = policy?.PolicyDocument ?? {};
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: expect.stringMatching(`^${topicName}[0-9A-F]{8}$`) },
        Condition: fromAlarms,
      }),
    );
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Principal: '*', Condition: isInsecure }),
    );
    expect(Statement).toHaveLength(2);
  });

  test('every target of every rule has the dead-letter queue, which is encrypted and takes events of the rules', () => {
    expect(queue?.Properties.SqsManagedSseEnabled).toBe(true);
    const rules = [...resourcesOf(template, 'AWS::Events::Rule')];
    for (const [id, { Properties }] of rules) {
      expect(Properties.Targets.length, id).toBeGreaterThan(0);
      for (const { DeadLetterConfig } of Properties.Targets) {
        expect(placeOf(DeadLetterConfig.Arn), id).toBe(queueName);
      }
    }
    const [policy] = resourcesOf(template, 'AWS::SQS::QueuePolicy').values();
    const statements = policy?.Properties.PolicyDocument.Statement;
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Condition: {
          ArnEquals: {
            'aws:SourceArn': rules.map(([id]) => ({
              'Fn::GetAtt': [expect.stringMatching(`^${id}[0-9A-F]{8}$`), 'Arn'],
            })),
          },
        },
      }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Principal: { AWS: '*' }, Condition: isInsecure }),
    );
    expect(statements).toHaveLength(2);
  });
});
