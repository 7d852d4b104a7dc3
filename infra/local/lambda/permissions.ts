import * as z from 'zod';
import { noEffect, type Resource, type ResourceType, resourcesOf } from '../cloudformation/resource-type.ts';
import { matchesWildcards } from '../iam/wildcards.ts';
import { arnOfFunction } from './function-configuration.ts';
import type { ServiceCaller } from './invocation.ts';

/** AWS::Lambda::Permission. The local AWS has one account, so the source account always matches. */
const Permission = z.strictObject({
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

/** Whether a declared permission allows a service to invoke a function on behalf of one of its resources. */
export type IsPermitted = (functionArn: string, caller: ServiceCaller) => boolean;

export function declaredPermissions(resources: readonly Resource[]): IsPermitted {
  const permissionsByFunction = Map.groupBy(
    resourcesOf('AWS::Lambda::Permission', Permission, resources).map(({ properties }) => ({
      functionArn: arnOfFunction(properties.FunctionName),
      principal: properties.Principal,
      sourcePattern: properties.SourceArn ?? '*',
    })),
    ({ functionArn }) => functionArn,
  );
  return (functionArn, { principal, sourceArn }) =>
    permissionsByFunction
      .get(functionArn)
      ?.some(
        permission =>
          permission.principal === principal && matchesWildcards(permission.sourcePattern, sourceArn),
      ) ?? false;
}
