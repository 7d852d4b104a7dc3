import * as z from 'zod';
import { ACCOUNT_ID, PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType, shortId } from '../cloudformation/resource-type.ts';
import { PolicyDocument } from './policy-document.ts';

/** The managed policies that allow to write logs and traces, which needs no permission in the local runtime. */
const MANAGED_POLICIES_WITHOUT_EFFECT = [
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  'AWSXRayDaemonWriteAccess',
  'AWSXrayWriteOnlyAccess',
];

const managedPolicyArn = z.enum(
  MANAGED_POLICIES_WITHOUT_EFFECT.map(name => `arn:${PARTITION}:iam::aws:policy/${name}`),
);

/** AWS::IAM::Role. */
export const Role = z.strictObject({
  RoleName: z.string().optional(),
  Path: z.literal('/').optional(),
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument })).default([]),
  ManagedPolicyArns: z.array(managedPolicyArn).default([]),
  Description: noEffect,
  MaxSessionDuration: noEffect,
  Tags: noEffect,
});

export const roleArn = (name: string) => `arn:${PARTITION}:iam::${ACCOUNT_ID}:role/${name}`;

export const roleType: ResourceType = {
  properties: Role,
  ref: declaration => nameOf(declaration, 'RoleName'),
  attributes: {
    Arn: declaration => roleArn(nameOf(declaration, 'RoleName')),
    RoleId: declaration => `AROA${shortId(declaration, 17).toUpperCase()}`,
  },
};
