import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from './api-error.ts';

/** Throws unless the authorizer's context names a valid key with the scope. */
export function requireScope(event: APIGatewayProxyEvent, scope: string): void {
  const { keyId, scopes, expiresAt } = event.requestContext.authorizer ?? {};
  const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > Date.now());
  if (!keyId || isExpired) throw new ApiError('unauthorized', 'The API key is missing or invalid.');
  if (!String(scopes).split(' ').includes(scope)) {
    throw new ApiError('forbidden', `The API key does not have the scope ${scope}.`);
  }
}
