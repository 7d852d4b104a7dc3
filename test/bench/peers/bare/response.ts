import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { everyAnswer } from '../contract/headers.ts';
import { toApiError } from '../contract/rules.ts';

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

/** TypeScript does not declare JSON.rawJSON yet. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string | undefined): unknown };

/** An animal for JSON.stringify, which writes the digits of its integers unchanged. */
export function petFromItem({ id, name, categoryId, status }: Record<string, AttributeValue>) {
  return { id: rawJSON(id?.N), name: name?.S, categoryId: rawJSON(categoryId?.N), status: status?.S };
}
