import type { OperationDeclaration, Route } from './operation-declaration.ts';
import { ORDER_OPERATIONS } from './orders/operations.ts';
import { PET_OPERATIONS } from './pets/operations.ts';

/**
 * Every operation of the interface, and what follows from the table alone: `Allow`, preflights, names in the access log. A
 * function imports its own declaration, not this file, so no bundle contains the whole table.
 */
export const OPERATIONS: readonly OperationDeclaration[] = [...PET_OPERATIONS, ...ORDER_OPERATIONS];

type Operation = (typeof PET_OPERATIONS | typeof ORDER_OPERATIONS)[number];
export type OperationName = Operation['name'];

/** The errors that operations declare. */
export type OperationError = Operation['errors'][number];

/** A path of the interface, and the headers that depend on its methods. */
export interface OperationPath {
  readonly path: string;
  /** The `Allow` of a 405 and of OPTIONS. */
  readonly allow: string;
  /** The methods that a page may call after a preflight. */
  readonly methods: string;
  /** The request headers that a page may send. */
  readonly requestHeaders: string;
}

export const OPERATION_PATHS: readonly OperationPath[] = [...Map.groupBy(OPERATIONS, ({ path }) => path)].map(
  ([path, operations]) => {
    const methods = operations.flatMap(methodsOf);
    return {
      path,
      allow: listed([...methods, 'OPTIONS']),
      methods: listed(methods),
      requestHeaders: listed(operations.flatMap(requestHeadersOf)),
    };
  },
);

/** The methods a route adds to its path: GET also adds HEAD, served by the same function. */
export function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The request headers of an operation that browsers ask about in a preflight. */
export function requestHeadersOf({ request }: OperationDeclaration): string[] {
  const { headers, body } = request.shape;
  return ['Authorization', ...(body ? ['Content-Type'] : []), ...Object.keys(headers?.shape ?? {})];
}

/** Names as a header value: sorted, without duplicates. */
export function listed(names: Iterable<string>): string {
  return [...new Set(names)].toSorted().join(', ');
}

/** The operation that serves a method of a path, as the access log has them. */
export function operationAt(method: string, path: string): OperationDeclaration | undefined {
  return OPERATIONS.find(operation => operation.path === path && methodsOf(operation).includes(method));
}

/** The first line of a request to an operation, such as `GET /pets/1`. No pet or order has the id 1. */
export function requestLine({ method, path }: Route): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`;
}
