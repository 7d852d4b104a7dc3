import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Scope } from '../api-keys/scopes.ts';
import type { Answer } from './answer.ts';
import { completeAnswer, type OperationHeaders } from './complete-answer.ts';
import { type RequestSchema, readRequest } from './read-request.ts';
import { reportErrors } from './report-errors.ts';
import { type Caller, requireCaller } from './require-caller.ts';

export interface OperationEvent<Schema extends RequestSchema> extends APIGatewayProxyEvent {
  /** What the client sent, validated. */
  request: z.output<Schema>;
  caller: Caller;
}

/**
 * The one path that every request takes: the caller is known, the request is valid, errors become Error bodies.
 * middy unwinds from the last attached to the first, so what completes the answer comes first here.
 */
export function operation<Schema extends RequestSchema>(
  schema: Schema,
  scope: Scope,
  headers?: OperationHeaders,
) {
  // The store gives up long before the function's time limit, so middy's own timer would only cost.
  return middy<OperationEvent<Schema>, Answer>({ timeoutEarlyInMillis: 0 })
    .use(completeAnswer(headers))
    .use(reportErrors())
    .use(requireCaller(scope))
    .use(readRequest(schema));
}
