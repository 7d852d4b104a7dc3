import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { commonHeaders } from '../contract/headers.ts';
import { toApiError } from '../contract/rules.ts';

interface HandlerResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** Makes a handler that turns errors into responses and adds the headers that every response has. */
export function responding(
  work: (event: APIGatewayProxyEvent) => Promise<HandlerResponse>,
  operationHeaders?: (event: APIGatewayProxyEvent) => Record<string, string>,
) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { status, body, headers }: HandlerResponse = await work(event).catch(toApiError);
    return {
      statusCode: status,
      headers: { ...commonHeaders(event), ...operationHeaders?.(event), ...headers },
      body,
    };
  };
}

/** TypeScript does not declare JSON.rawJSON yet. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string | undefined): unknown };

/** A pet for JSON.stringify, which writes the digits of its integers unchanged. */
export function petFromItem({ id, name, categoryId, status }: Record<string, AttributeValue>) {
  return { id: rawJSON(id?.N), name: name?.S, categoryId: rawJSON(categoryId?.N), status: status?.S };
}
