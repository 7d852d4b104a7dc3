import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

/** AWS::Logs::LogGroup. Log files are kept until their folder is deleted. */
const LogGroup = z.strictObject({
  LogGroupName: z.string().optional(),
  DataProtectionPolicy: noEffect,
  DeletionProtectionEnabled: noEffect,
  FieldIndexPolicies: noEffect,
  KmsKeyId: noEffect,
  LogGroupClass: noEffect,
  /** Shown by DescribeLogGroups; no event expires. */
  RetentionInDays: z.int().optional(),
  Tags: noEffect,
});

/** The ARN of a log group and its streams. */
export function logGroupArn(name: string): string {
  return regionalArn('logs', `log-group:${name}:*`);
}

export const logGroupType: ResourceType = {
  properties: LogGroup,
  ref: declaration => nameOf(declaration, 'LogGroupName'),
  attributes: {
    Arn: declaration => logGroupArn(nameOf(declaration, 'LogGroupName')),
  },
};
