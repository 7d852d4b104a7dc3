import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { told } from '../contract/api-error.ts';
import { everyAnswer } from '../contract/headers.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** A handler by hand: what it answers or throws, with the headers of every answer. */
export function answering(
  work: (event: APIGatewayProxyEvent) => Promise<Answer>,
  operationHeaders?: (event: APIGatewayProxyEvent) => Record<string, string>,
) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { status, body, headers }: Answer = await work(event).catch(told);
    return {
      statusCode: status,
      headers: { ...everyAnswer(event), ...headers, ...operationHeaders?.(event) },
      body,
    };
  };
}
