import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError } from './aws-api/aws-api-error.ts';
import { regionalArn } from './cloudformation/pseudo-parameters.ts';
import {
  type Declaration,
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  resourcesOf,
} from './cloudformation/resource-type.ts';

/** AWS::SNS::Topic. */
const TopicProperties = z.strictObject({
  TopicName: z.string().optional(),
  DisplayName: z.string().max(100).optional(),
  KmsMasterKeyId: z.string().optional(),
  Tags: noEffect,
});

const topicName = (declaration: Declaration) => nameOf(declaration, 'TopicName');
const topicArn = (declaration: Declaration) => regionalArn('sns', topicName(declaration));

export const topicType: ResourceType = {
  properties: TopicProperties,
  ref: topicArn,
  attributes: { TopicArn: topicArn, TopicName: topicName },
};

/** AWS::SNS::Subscription, by email. */
const SubscriptionProperties = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.literal('email'),
  Endpoint: z.email(),
});

export const subscriptionType: ResourceType = {
  properties: SubscriptionProperties,
  ref: ({ stack, logicalId }) => `${stack}-${logicalId}`,
};

/** The input of Publish, as far as it is supported. */
export const Publication = z.strictObject({ TopicArn: z.string(), Subject: z.string(), Message: z.string() });
export type Publication = z.output<typeof Publication>;

/** A mail that SNS would send. */
interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly message: string;
}

/** No control characters, at most 99. */
const SUBJECT = /^[^\s\p{Cc}]\P{Cc}{0,98}$/u;

const MAX_MESSAGE_BYTES = 262_144;

/** The key of AWS, whose policy lets all roles of the account use it by way of SNS. */
const AWS_KEY = /^(arn:[\w-]+:kms:[\w-]+:\d{12}:)?alias\/aws\/sns$/;

/** The topics of SNS. Their mails are sent nowhere, and addresses count as confirmed. */
export class Topics {
  readonly #send: (mail: Mail) => void;
  #topics: ReadonlyMap<string, z.output<typeof TopicProperties>> = new Map();
  #subscriptions: readonly z.output<typeof SubscriptionProperties>[] = [];

  constructor(send: (mail: Mail) => void) {
    this.#send = send;
  }

  /** Replaces the topics by those of a new deployment. */
  deploy(resources: readonly Resource[]): void {
    const topics = resourcesOf('AWS::SNS::Topic', TopicProperties, resources);
    this.#topics = new Map(topics.map(({ physicalId, properties }) => [physicalId, properties]));
    this.#subscriptions = resourcesOf('AWS::SNS::Subscription', SubscriptionProperties, resources).map(
      ({ properties }) => properties,
    );
  }

  publish({ TopicArn, Subject, Message }: Publication): { MessageId: string } {
    const topic = this.#topics.get(TopicArn);
    if (topic === undefined) throw new AwsApiError('NotFoundException', 'Topic does not exist');
    if (!SUBJECT.test(Subject)) {
      throw new AwsApiError('InvalidParameterException', 'Invalid parameter: Subject');
    }
    if (Message === '' || Buffer.byteLength(Message) > MAX_MESSAGE_BYTES) {
      throw new AwsApiError('InvalidParameterException', 'Invalid parameter: Message');
    }
    const { KmsMasterKeyId: key = 'alias/aws/sns', DisplayName: from = 'AWS Notifications' } = topic;
    // A key of the account has a policy of its own, which is not evaluated here.
    if (!AWS_KEY.test(key)) {
      throw new AwsApiError('KMSAccessDeniedException', `The local AWS cannot use the key ${key}`);
    }
    for (const { Endpoint: to } of this.#subscriptions.filter(each => each.TopicArn === TopicArn)) {
      this.#send({ from, to, subject: Subject, message: Message });
    }
    return { MessageId: randomUUID() };
  }
}
