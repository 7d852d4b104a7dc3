import type * as z from 'zod/mini';
import type { Scope } from './api-keys/scopes.ts';
import type { ErrorCode } from './errors.ts';

/** Where a function is reached: the method, and the path below the base URL, such as `/pets/{petId}`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
}

/** The parts of a request that an operation may accept, each a zod object; the body may be any schema. */
export type RequestSchema = z.ZodMiniObject<{
  path?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  headers?: z.ZodMiniObject;
  body?: z.ZodMiniType;
}>;

/** Days are in UTC, such as `2030-12-05`. */
export interface Deprecation {
  readonly since: string;
  /** The day on which the operation is removed. */
  readonly sunset: string;
  /** The operation to use instead. */
  readonly successor: Route;
}

type Stability =
  | { readonly stability: 'stable' | 'experimental'; readonly deprecation?: undefined }
  | { readonly stability: 'deprecated'; readonly deprecation: Deprecation };

/**
 * An operation of the interface. The function, the stack, the OpenAPI document, the command and the tests all read this
 * one declaration. Every function bundles its own, so texts and examples are in infra/openapi instead.
 */
export type OperationDeclaration<Schema extends RequestSchema = RequestSchema> = Route &
  Stability & {
    readonly name: string;
    /** The scope that the caller's API key must have. */
    readonly scope: Scope;
    readonly request: Schema;
    /** The status of a successful response. */
    readonly success: 200 | 201 | 204;
    /** The documented errors, besides those that every operation has. */
    readonly errors: readonly ErrorCode[];
  };
