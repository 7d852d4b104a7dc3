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
  RetentionInDays: noEffect,
  Tags: noEffect,
});

export const logGroupType: ResourceType = {
  properties: LogGroup,
  ref: declaration => nameOf(declaration, 'LogGroupName'),
  attributes: {
    Arn: declaration => regionalArn('logs', `log-group:${nameOf(declaration, 'LogGroupName')}:*`),
  },
};
