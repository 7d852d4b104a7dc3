import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { OperationDeclaration, RequestSchema } from '../operation-declaration.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import { endpoint } from './endpoint.ts';
import { readRequest } from './read-request.ts';
import { type Caller, requireCaller } from './require-caller.ts';

interface OperationEvent<Schema extends RequestSchema> extends APIGatewayProxyEvent {
  /** What the client sent, validated. */
  request: z.output<Schema>;
  caller: Caller;
}

/** The endpoint of a declared operation: the handler is reached by a known caller with a valid request. */
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
