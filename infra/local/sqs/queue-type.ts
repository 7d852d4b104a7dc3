import * as z from 'zod';
import { ACCOUNT_ID, REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { type Declaration, nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

// EventBridge puts events here that it cannot deliver. In the local runtime every delivery reaches its function, which
// reports that it failed, so that a queue is accepted and stays empty.

/** AWS::SQS::Queue, of the standard kind. */
const Queue = z.strictObject({
  QueueName: z.string().optional(),
  KmsMasterKeyId: noEffect,
  MessageRetentionPeriod: z.int().min(60).max(1_209_600).optional(),
  SqsManagedSseEnabled: noEffect,
  Tags: noEffect,
});

const nameOfQueue = (declaration: Declaration) => nameOf(declaration, 'QueueName');
const urlOf = (declaration: Declaration) =>
  `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${nameOfQueue(declaration)}`;

export const queueType: ResourceType = {
  properties: Queue,
  ref: urlOf,
  attributes: {
    Arn: declaration => regionalArn('sqs', nameOfQueue(declaration)),
    QueueName: nameOfQueue,
    QueueUrl: urlOf,
  },
};

/** AWS::SQS::QueuePolicy. */
const QueuePolicy = z.strictObject({ PolicyDocument: z.unknown(), Queues: z.array(z.string()).min(1) });

export const queuePolicyType: ResourceType = {
  properties: QueuePolicy,
  ref: ({ stack, logicalId }) => `${stack}-${logicalId}`,
};
