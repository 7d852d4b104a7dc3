import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Scope } from '../api-keys/scopes.ts';
import { ApiError } from './errors.ts';
import { headerValues } from './header-values.ts';

/** Who calls, as the authorizer identified it by its API key. */
export interface Caller {
  readonly keyId: string;
}

/** Rejects every request that the authorizer has not admitted with this scope, however the request came here. */
export function requireCaller(scope: Scope): MiddlewareObj<APIGatewayProxyEvent & { caller?: Caller }> {
  return {
    before({ event }) {
      const { keyId, scopes, expiresAt } = event.requestContext?.authorizer ?? {};
      const isKnown = typeof keyId === 'string' && keyId !== '';
      // The authorizer's answer is cached, so the key may have expired since.
      const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > Date.now());
      // API Gateway has shown the authorizer one of several headers, and nobody can tell which.
      const isAmbiguous = headerValues(event, 'authorization').length > 1;
      if (!isKnown || isExpired || isAmbiguous) throw new ApiError('unauthorized');
      if (!String(scopes).split(' ').includes(scope)) throw new ApiError('forbidden', missingScope(scope));
      event.caller = { keyId };
    },
  };
}

/** The message of the 403 for a key without the scope. */
export function missingScope(scope: Scope): string {
  return `The API key does not have the scope ${scope}.`;
}
