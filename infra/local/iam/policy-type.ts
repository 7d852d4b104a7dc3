import * as z from 'zod';
import { type ResourceType, shortId } from '../cloudformation/resource-type.ts';
import { PolicyDocument } from './policy-document.ts';

/** AWS::IAM::Policy: an inline policy of the listed roles. */
export const Policy = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument,
  Roles: z.array(z.string()).default([]),
});

export const policyType: ResourceType = {
  properties: Policy,
  ref: declaration => String(declaration.property('PolicyName')),
  attributes: { Id: declaration => shortId(declaration, 17) },
};
