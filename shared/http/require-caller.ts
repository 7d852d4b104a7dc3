import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Scope } from '../api-keys/scopes.ts';
import { ApiError } from './errors.ts';

/** Who calls: what the authorizer found out about the API key. */
export interface Caller {
  readonly keyId: string;
}

/** Refuses to work without the authorizer's word that the key is good for this, whatever way the request has come. */
export function requireCaller(scope: Scope): MiddlewareObj<APIGatewayProxyEvent & { caller?: Caller }> {
  return {
    before({ event }) {
      const { keyId, scopes, expiresAt } = event.requestContext?.authorizer ?? {};
      const isKnown = typeof keyId === 'string' && keyId !== '';
      // The authorizer's answer is cached and may be older than the key's end.
      const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > Date.now());
      if (!isKnown || isExpired) throw new ApiError('unauthorized', 'The API key is missing or invalid.');
      if (!String(scopes).split(' ').includes(scope)) {
        throw new ApiError('forbidden', `The API key does not have the scope ${scope}.`);
      }
      event.caller = { keyId };
    },
  };
}
