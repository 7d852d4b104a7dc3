/** Resource types whose properties are checked and which have no effect on one machine. */
import * as z from 'zod';
import { ACCOUNT_ID, REGION, regionalArn } from './cloudformation/pseudo-parameters.ts';
import {
  anyProperties,
  type Declaration,
  nameOf,
  noEffect,
  type ResourceType,
  shortId,
} from './cloudformation/resource-type.ts';

/** No metrics are collected, so alarms and dashboards are accepted with any properties. */
const alarmType: ResourceType = {
  properties: anyProperties,
  ref: declaration => nameOf(declaration, 'AlarmName'),
  attributes: { Arn: declaration => regionalArn('cloudwatch', `alarm:${nameOf(declaration, 'AlarmName')}`) },
};

const dashboardType: ResourceType = {
  properties: anyProperties,
  ref: declaration => nameOf(declaration, 'DashboardName'),
};

/** For symmetric encryption. Nothing is encrypted. */
const Key = z.strictObject({
  KeyPolicy: z.unknown(),
  Description: noEffect,
  EnableKeyRotation: noEffect,
  Enabled: noEffect,
  KeySpec: z.literal('SYMMETRIC_DEFAULT').optional(),
  KeyUsage: z.literal('ENCRYPT_DECRYPT').optional(),
  MultiRegion: z.literal(false).optional(),
  PendingWindowInDays: noEffect,
  RotationPeriodInDays: noEffect,
  Tags: noEffect,
});

/** On AWS a key has a UUID. */
const keyId = (declaration: Declaration) => shortId(declaration, 32);

const keyType: ResourceType = {
  properties: Key,
  ref: keyId,
  attributes: {
    Arn: declaration => regionalArn('kms', `key/${keyId(declaration)}`),
    KeyId: keyId,
  },
};

/** Only alarms publish to topics, and no metric raises one. */
const Topic = z.strictObject({
  TopicName: z.string().optional(),
  DisplayName: z.string().max(100).optional(),
  KmsMasterKeyId: noEffect,
  SignatureVersion: noEffect,
  Tags: noEffect,
  TracingConfig: noEffect,
});

const topicName = (declaration: Declaration) => nameOf(declaration, 'TopicName');
const topicArn = (declaration: Declaration) => regionalArn('sns', topicName(declaration));

const topicType: ResourceType = {
  properties: Topic,
  ref: topicArn,
  attributes: { TopicArn: topicArn, TopicName: topicName },
};

const TopicPolicy = z.strictObject({ PolicyDocument: z.unknown(), Topics: z.array(z.string()).min(1) });

/**
 * A standard queue, where EventBridge puts events that it cannot deliver. Here every delivery reaches its function, so
 * that it stays empty.
 */
const Queue = z.strictObject({
  QueueName: z.string().optional(),
  KmsMasterKeyId: noEffect,
  MessageRetentionPeriod: z.int().min(60).max(1_209_600).optional(),
  SqsManagedSseEnabled: noEffect,
  Tags: noEffect,
});

const queueName = (declaration: Declaration) => nameOf(declaration, 'QueueName');
const queueUrl = (declaration: Declaration) =>
  `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${queueName(declaration)}`;

const queueType: ResourceType = {
  properties: Queue,
  ref: queueUrl,
  attributes: {
    Arn: declaration => regionalArn('sqs', queueName(declaration)),
    QueueName: queueName,
    QueueUrl: queueUrl,
  },
};

const QueuePolicy = z.strictObject({ PolicyDocument: z.unknown(), Queues: z.array(z.string()).min(1) });

const VisibilityConfig = z.strictObject({
  MetricName: z.string().regex(/^[\w#:./-]{1,255}$/),
  CloudWatchMetricsEnabled: z.boolean(),
  SampledRequestsEnabled: z.boolean(),
});

/** A rule that blocks clients with too many requests. Other rules are not supported by the local AWS. */
const RateRule = z.strictObject({
  Name: z.string().regex(/^[\w-]{1,128}$/),
  Priority: z.int().min(0),
  Action: z.strictObject({ Block: z.strictObject({}) }),
  Statement: z.strictObject({
    RateBasedStatement: z.strictObject({
      AggregateKeyType: z.literal('IP'),
      Limit: z.int().min(10).max(2_000_000_000),
      EvaluationWindowSec: z.literal([60, 120, 300, 600]).optional(),
    }),
  }),
  VisibilityConfig,
});

/** It blocks nobody: all clients of the local AWS have the same IP address. */
const WebAcl = z.strictObject({
  Name: z.string().optional(),
  Description: z
    .string()
    .regex(/^[\w+=:#@/,.-][\w+=:#@/,.\-\s]+[\w+=:#@/,.-]$/)
    .max(256)
    .optional(),
  Scope: z.literal('REGIONAL'),
  DefaultAction: z.strictObject({ Allow: z.strictObject({}) }),
  Rules: z.array(RateRule),
  VisibilityConfig,
  Tags: noEffect,
});

/** A web ACL in front of the stage of an API. */
const WebAclAssociation = z.strictObject({
  ResourceArn: z.string().regex(/^arn:[\w-]+:apigateway:[\w-]+::\/restapis\/[^/]+\/stages\/[^/]+$/),
  WebACLArn: z.string().regex(/^arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/),
});

const webAclId = (declaration: Declaration) => shortId(declaration, 12);

const webAclType: ResourceType = {
  properties: WebAcl,
  ref: declaration => `${nameOf(declaration, 'Name')}|${webAclId(declaration)}|REGIONAL`,
  attributes: {
    Arn: declaration =>
      regionalArn('wafv2', `regional/webacl/${nameOf(declaration, 'Name')}/${webAclId(declaration)}`),
    Id: webAclId,
  },
};

const webAclAssociationType: ResourceType = { properties: WebAclAssociation, ref: webAclId };

const policyName: ResourceType['ref'] = ({ stack, logicalId }) => `${stack}-${logicalId}`;

export const INERT_RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::CloudWatch::Alarm': alarmType,
  'AWS::CloudWatch::Dashboard': dashboardType,
  'AWS::KMS::Key': keyType,
  'AWS::SNS::Topic': topicType,
  'AWS::SNS::TopicPolicy': { properties: TopicPolicy, ref: policyName },
  'AWS::SQS::Queue': queueType,
  'AWS::SQS::QueuePolicy': { properties: QueuePolicy, ref: policyName },
  'AWS::WAFv2::WebACL': webAclType,
  'AWS::WAFv2::WebACLAssociation': webAclAssociationType,
};
