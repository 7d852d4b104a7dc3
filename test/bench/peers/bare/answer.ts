import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toApiError } from '../contract/api-error.ts';
import { everyAnswer } from '../contract/headers.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** Makes a handler that turns errors into answers and adds the headers that every answer has. */
export function answering(
  work: (event: APIGatewayProxyEvent) => Promise<Answer>,
  operationHeaders?: (event: APIGatewayProxyEvent) => Record<string, string>,
) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { status, body, headers }: Answer = await work(event).catch(toApiError);
    return {
      statusCode: status,
      headers: { ...everyAnswer(event), ...operationHeaders?.(event), ...headers },
      body,
    };
  };
}
