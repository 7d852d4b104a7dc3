import { AwsApiError } from '../aws-api/aws-api-error.ts';
import type { Operation, Permission, RestOperation } from '../aws-api/operation.ts';
import { performOperation, type ServiceApi } from '../aws-api/service-api.ts';
import { permissionsFor } from '../dynamodb/dynamodb-service.ts';
import type { Principal } from '../iam/principal.ts';
import type { Call, Service } from './calls.ts';
import type { Actor } from './virtual-time.ts';

/** Who sends a call, as the account sees it. */
export type PrincipalOf = (actor: Actor) => Principal;

/**
 * A service of the account without a wire: commands go the one path to every operation, in the name of who sends them.
 * REST-XML carries every value as text.
 */
export function apiService(api: ServiceApi, principalOf: PrincipalOf, { isText = false } = {}): Service {
  const operations = new Map(api.operations.map(operation => [operation.name, operation]));
  return async ({ operation: name, input, actor }: Call) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${api.title} has no ${name} here.`);
    const refusal = api.rate?.();
    if (refusal !== undefined) throw refusal;
    const sent = onWire(input, isText) as object;
    const call = { operation, input: sent, permission: permissionOf(api, operation, sent) };
    return fromWire(await performOperation(api, call, { principal: principalOf(actor), requestId: '' }));
  };
}

/** What a policy must allow, where the service names it by method and path. */
function permissionOf(
  api: ServiceApi & { permission?(method: string, path: string): Permission },
  operation: Operation & Partial<RestOperation>,
  input: object,
): Permission | undefined {
  const [method = '', path = ''] = operation.http?.route.split(' ') ?? [];
  const label = (_: string, member: string) => String(Reflect.get(input, member));
  return api.permission?.(method, path.replaceAll(/\{(\w+)\}/g, label));
}

/** Times are seconds there, and what is undefined isn't sent. */
function onWire(value: unknown, isText: boolean): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (isText && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return mapped(value, (_, member) => onWire(member, isText));
}

/** A member whose name says so is a time. */
function fromWire(value: unknown): unknown {
  return mapped(value, (name, member) =>
    typeof member === 'number' && TIME.test(name) ? new Date(member * 1000) : fromWire(member),
  );
}

const TIME = /(At|Date|NotBefore|NotAfter)$/;

function mapped(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => change('', item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, change(name, member)]));
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
