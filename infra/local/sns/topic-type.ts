import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { type Declaration, nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

// Alarms publish to topics, and the local runtime has no metrics that raise one: topics are accepted and have no effect.

/** AWS::SNS::Topic. */
const Topic = z.strictObject({
  TopicName: z.string().optional(),
  DisplayName: z.string().max(100).optional(),
  KmsMasterKeyId: noEffect,
  SignatureVersion: noEffect,
  Tags: noEffect,
  TracingConfig: noEffect,
});

const nameOfTopic = (declaration: Declaration) => nameOf(declaration, 'TopicName');
const arnOf = (declaration: Declaration) => regionalArn('sns', nameOfTopic(declaration));

export const topicType: ResourceType = {
  properties: Topic,
  ref: arnOf,
  attributes: { TopicArn: arnOf, TopicName: nameOfTopic },
};

/** AWS::SNS::TopicPolicy. */
const TopicPolicy = z.strictObject({ PolicyDocument: z.unknown(), Topics: z.array(z.string()).min(1) });

export const topicPolicyType: ResourceType = {
  properties: TopicPolicy,
  ref: ({ stack, logicalId }) => `${stack}-${logicalId}`,
};
