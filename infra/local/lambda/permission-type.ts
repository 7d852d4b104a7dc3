import * as z from 'zod';
import { noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

/** AWS::Lambda::Permission. The local runtime has one account, so that the source account always matches. */
export const Permission = z.strictObject({
  Action: z.enum(['lambda:InvokeFunction', 'lambda:*']),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: noEffect,
});

export const permissionType: ResourceType = {
  properties: Permission,
  ref: ({ stack, logicalId }) => `${stack}-${logicalId}`,
};
