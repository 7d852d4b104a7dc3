import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from './errors.ts';

/** Who calls: what the authorizer found out about the API key. */
export interface Caller {
  readonly keyId: string;
}

/** Refuses to work without the authorizer's word, whatever way the request has come here. */
export function requireCaller(): MiddlewareObj<APIGatewayProxyEvent & { caller?: Caller }> {
  return {
    before({ event }) {
      const keyId = event.requestContext?.authorizer?.keyId;
      if (typeof keyId !== 'string' || keyId === '') {
        throw new ApiError('unauthorized', 'The API key is missing or invalid.');
      }
      event.caller = { keyId };
    },
  };
}
