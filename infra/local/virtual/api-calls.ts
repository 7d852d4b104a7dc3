import type { Operation, Permission, RestOperation } from '../aws-api/operation.ts';
import { performOperation, type ServiceApi } from '../aws-api/service-api.ts';
import type { Principal } from '../iam/principal.ts';
import type { Call, Service } from './calls.ts';
import type { Actor } from './virtual-time.ts';

/** A service of the account without a wire: commands go the one path to every operation, in the name of who sends them. */
export function apiService(api: ServiceApi, principalOf: (actor: Actor) => Principal): Service {
  const operations = new Map(api.operations.map(operation => [operation.name, operation]));
  return async ({ operation: name, input, actor }: Call) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${api.title} has no ${name} here.`);
    const refusal = api.rate?.();
    if (refusal !== undefined) throw refusal;
    const sent = onWire(input) as object;
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
function onWire(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  return mapped(value, (_, member) => onWire(member));
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
