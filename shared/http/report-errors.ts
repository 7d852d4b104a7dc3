import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';
import { errorAnswer } from './error-answer.ts';

/** Turns whatever an operation throws into an answer with the Error body; what is our fault is logged. */
export function reportErrors(): MiddlewareObj<APIGatewayProxyEvent, Answer> {
  return {
    onError(request) {
      request.response = errorAnswer(request.error, request.event);
    },
  };
}
