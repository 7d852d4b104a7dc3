/** Resource types that have no effect on one machine: nothing is measured, encrypted, sent or blocked. */
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

const alarmName = (declaration: Declaration) => nameOf(declaration, 'AlarmName');
/** On AWS a key has a UUID. */
const keyId = (declaration: Declaration) => shortId(declaration, 32);
const queueName = (declaration: Declaration) => nameOf(declaration, 'QueueName');
const queueUrl = (declaration: Declaration) =>
  `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${queueName(declaration)}`;
const policyName: ResourceType['ref'] = ({ stack, logicalId }) => `${stack}-${logicalId}`;

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
const webAclPath = (declaration: Declaration) => `${nameOf(declaration, 'Name')}/${webAclId(declaration)}`;

const alarmType: ResourceType = {
  properties: anyProperties,
  ref: alarmName,
  attributes: { Arn: declaration => regionalArn('cloudwatch', `alarm:${alarmName(declaration)}`) },
};

export const INERT_RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::Budgets::Budget': { properties: anyProperties, ref: policyName },
  'AWS::CloudWatch::Alarm': alarmType,
  'AWS::CloudWatch::Dashboard': {
    properties: anyProperties,
    ref: declaration => nameOf(declaration, 'DashboardName'),
  },
  'AWS::KMS::Key': {
    properties: anyProperties,
    ref: keyId,
    attributes: { Arn: declaration => regionalArn('kms', `key/${keyId(declaration)}`), KeyId: keyId },
  },
  'AWS::SNS::TopicPolicy': { properties: anyProperties, ref: policyName },
  // EventBridge puts events there that it cannot deliver. Here it can deliver every event.
  'AWS::SQS::Queue': {
    properties: anyProperties,
    ref: queueUrl,
    attributes: {
      Arn: declaration => regionalArn('sqs', queueName(declaration)),
      QueueName: queueName,
      QueueUrl: queueUrl,
    },
  },
  'AWS::SQS::QueuePolicy': { properties: anyProperties, ref: policyName },
  'AWS::WAFv2::WebACL': {
    properties: WebAcl,
    ref: declaration => `${webAclPath(declaration).replace('/', '|')}|REGIONAL`,
    attributes: {
      Arn: declaration => regionalArn('wafv2', `regional/webacl/${webAclPath(declaration)}`),
      Id: webAclId,
    },
  },
  'AWS::WAFv2::WebACLAssociation': { properties: WebAclAssociation, ref: webAclId },
};
