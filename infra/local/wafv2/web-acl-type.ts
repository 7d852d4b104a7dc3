import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  type Declaration,
  nameOf,
  noEffect,
  type ResourceType,
  shortId,
} from '../cloudformation/resource-type.ts';

const VisibilityConfig = z.strictObject({
  MetricName: z.string().regex(/^[\w#:./-]{1,255}$/),
  CloudWatchMetricsEnabled: z.boolean(),
  SampledRequestsEnabled: z.boolean(),
});

/** A rule that blocks addresses with too many requests. Other rules are not supported by the local runtime. */
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

/** AWS::WAFv2::WebACL. It is accepted and blocks nobody: all clients of the local runtime have the same address. */
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

/** AWS::WAFv2::WebACLAssociation: a web ACL in front of the stage of an API. It has no effect, as the web ACL has none. */
const WebAclAssociation = z.strictObject({
  ResourceArn: z.string().regex(/^arn:[\w-]+:apigateway:[\w-]+::\/restapis\/[^/]+\/stages\/[^/]+$/),
  WebACLArn: z.string().regex(/^arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/),
});

const ID_LENGTH = 12;
const id = (declaration: Declaration) => shortId(declaration, ID_LENGTH);

export const webAclType: ResourceType = {
  properties: WebAcl,
  ref: declaration => `${nameOf(declaration, 'Name')}|${id(declaration)}|REGIONAL`,
  attributes: {
    Arn: declaration =>
      regionalArn('wafv2', `regional/webacl/${nameOf(declaration, 'Name')}/${id(declaration)}`),
    Id: id,
  },
};

export const webAclAssociationType: ResourceType = { properties: WebAclAssociation, ref: id };
