import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Scope } from '../api-keys/scopes.ts';
import { ApiError, missingScope } from '../errors.ts';
import type { OperationDeclaration, RequestSchema } from '../operation-declaration.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import { endpoint } from './endpoint.ts';
import { headerValues } from './headers.ts';
import { readRequest } from './read-request.ts';

/** Who calls, as the authorizer identified it by its API key. */
interface Caller {
  /** Shared by all API keys that were rotated from one another. */
  readonly lineage: string;
}

interface OperationEvent<Schema extends RequestSchema> extends APIGatewayProxyEvent {
  /** What the client sent, validated. */
  request: z.output<Schema>;
  caller: Caller;
}

/** The endpoint of a declared operation: only a known caller with a valid request reaches the handler. */
export function operation<Schema extends RequestSchema>({
  path,
  scope,
  deprecation,
  request,
}: OperationDeclaration<Schema>) {
  return endpoint<OperationEvent<Schema>>(deprecation && deprecationHeaders(path, deprecation))
    .use(requireCaller(scope))
    .use(readRequest(request));
}

/** Rejects every request that the authorizer didn't admit with this scope, however it got here. */
function requireCaller(scope: Scope): MiddlewareObj<APIGatewayProxyEvent & { caller?: Caller }> {
  return {
    before({ event }) {
      // A key that was never rotated has no lineage but its own id.
      const { keyId, lineage = keyId, scopes, expiresAt } = event.requestContext?.authorizer ?? {};
      const isKnown = typeof keyId === 'string' && keyId !== '';
      // The authorizer's response is cached, so the key may have expired since.
      const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > Date.now());
      // API Gateway showed the authorizer one of several headers, and there's no way to know which.
      const isAmbiguous = headerValues(event, 'authorization').length > 1;
      if (!isKnown || isExpired || isAmbiguous) throw new ApiError('unauthorized');
      if (!String(scopes).split(' ').includes(scope)) throw new ApiError('forbidden', missingScope(scope));
      event.caller = { lineage };
    },
  };
}
