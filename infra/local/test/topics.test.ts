import { expect, test } from 'vitest';
import { Topics } from '../topics.ts';

const ARN = 'arn:aws:sns:us-east-1:000000000000:zoo';
const PUBLICATION = { TopicArn: ARN, Subject: 'Fütterung', Message: 'Now.\nBring hay.' };

/** A topic with two addresses beside another one, and the mails that it has sent. */
function topicWith(properties: Record<string, unknown> = {}) {
  const mails: unknown[] = [];
  const topics = new Topics(mail => mails.push(mail));
  const resource = (type: string, physicalId: string, given: Record<string, unknown>) => ({
    stack: 'Zoo',
    logicalId: 'X',
    type: `AWS::SNS::${type}`,
    physicalId,
    properties: given,
  });
  const subscription = (TopicArn: string, Endpoint: string) =>
    resource('Subscription', Endpoint, { TopicArn, Endpoint, Protocol: 'email' });
  topics.deploy([
    resource('Topic', ARN, properties),
    resource('Topic', `${ARN}-2`, {}),
    subscription(ARN, 'a@zoo.dev'),
    subscription(`${ARN}-2`, 'b@zoo.dev'),
    subscription(ARN, 'c@zoo.dev'),
  ]);
  return { topics, mails };
}

test('a message is a mail to every address of its topic', () => {
  const { topics, mails } = topicWith({ DisplayName: 'Zoo', KmsMasterKeyId: 'alias/aws/sns' });
  expect(topics.publish(PUBLICATION)).toEqual({ MessageId: expect.any(String) });
  const mail = { from: 'Zoo', subject: 'Fütterung', message: 'Now.\nBring hay.' };
  expect(mails).toEqual([
    { ...mail, to: 'a@zoo.dev' },
    { ...mail, to: 'c@zoo.dev' },
  ]);
});

test.each<[error: string, publication: object, topic?: Record<string, unknown>]>([
  ['NotFoundException', { TopicArn: `${ARN}-3` }],
  ...['', ' x', 'two\nlines', 'x'.repeat(100)].map((Subject): [string, object] => [
    'InvalidParameterException',
    { Subject },
  ]),
  ['InvalidParameterException', { Message: '' }],
  ['InvalidParameterException', { Message: 'ü'.repeat(131_073) }],
  ['KMSAccessDeniedException', {}, { KmsMasterKeyId: 'arn:aws:kms:us-east-1:000000000000:key/1' }],
])('%s: %j', (name, publication, properties) => {
  const { topics, mails } = topicWith(properties);
  expect(() => topics.publish({ ...PUBLICATION, ...publication })).toThrow(expect.objectContaining({ name }));
  expect(mails).toEqual([]);
});
