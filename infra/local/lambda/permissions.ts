import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { matchesWildcards } from '../iam/wildcards.ts';
import { arnOfFunction } from './function-name.ts';
import type { ServiceCaller } from './invoker.ts';
import { Permission } from './permission-type.ts';

/** Whether a declared permission allows a service to invoke a function on behalf of one of its resources. */
export type IsPermitted = (functionArn: string, caller: ServiceCaller) => boolean;

export function declaredPermissions(resources: readonly Resource[]): IsPermitted {
  const permissionsByFunction = Map.groupBy(
    resources
      .filter(({ type }) => type === 'AWS::Lambda::Permission')
      .map(resource => {
        const permission = parseProperties(Permission, resource.properties, resource);
        return {
          functionArn: arnOfFunction(permission.FunctionName),
          principal: permission.Principal,
          sourcePattern: permission.SourceArn ?? '*',
        };
      }),
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
