import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { httpOf } from '../aws-api/codec.ts';
import type { Operation, Permission } from '../aws-api/operation.ts';
import { performOperation, type ServiceApi } from '../aws-api/service-api.ts';
import { permissionsFor } from '../dynamodb/dynamodb-service.ts';
import type { Principal } from '../iam/principal.ts';
import type { Call, Service } from './calls.ts';
import type { Actor } from './virtual-time.ts';

/** Who sends a call, as the account sees it. */
export type PrincipalOf = (actor: Actor) => Principal;

/**
 * A service of the account without a wire: commands go the one path to every operation, in the name of who sends them. `sdk`:
 * the package of its client, where policies name its operations by method and path.
 */
export function apiService(api: ServiceApi, principalOf: PrincipalOf, sdk?: object): Service {
  const operations = new Map(api.operations.map(operation => [operation.name, operation]));
  return async ({ operation: name, input, actor }: Call) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${api.title} has no ${name} here.`);
    const refusal = api.rate?.();
    if (refusal !== undefined) throw refusal;
    const sent = withoutUndefined(input) as object;
    const call = { operation, input: sent, permission: sdk && permissionOf(api, sdk, operation, sent) };
    return performOperation(api, call, { principal: principalOf(actor), callerArn: '', requestId: '' });
  };
}

/** What a policy must allow, by method and path. */
function permissionOf(
  api: ServiceApi,
  sdk: object,
  { name }: Operation,
  input: object,
): Permission | undefined {
  const [method, path] = httpOf(sdk, name);
  return api.permission?.(
    method,
    path.replaceAll(/\{(\w+)\}/g, (_, label: string) => String(Reflect.get(input, label))),
  );
}

/** What is undefined isn't sent. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}

/** DynamoDB, which has no table of operations here, as the role of the caller allows it. */
export function authorizedDynamoDb(service: Service, principalOf: PrincipalOf): Service {
  return call => {
    const principal = principalOf(call.actor);
    for (const { action, resource } of permissionsFor(call.operation, call.input as object)) {
      const denial = principal.denial(action, resource);
      if (denial !== undefined) throw new AwsApiError('AccessDeniedException', denial);
    }
    return service(call);
  };
}
