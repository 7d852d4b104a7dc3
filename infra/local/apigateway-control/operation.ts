import * as z from 'zod';
import { ApiGatewayError } from './api-gateway-error.ts';

/** A request to the API Gateway API. */
export interface ControlRequest {
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** An operation of the API Gateway API; throws an ApiGatewayError when it cannot be. */
export type Operation = (request: ControlRequest) => ControlAnswer;

/** The operations by method and path, such as `DELETE /apikeys/{apiKey}`. */
export type Operations = Readonly<Record<string, Operation>>;

/** What was sent, as a schema reads it. A member that the schema does not list is not supported by the local runtime. */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const message = `The parameter ${issue.keys.join(', ')} of the API Gateway API is not supported by the local runtime.`;
    throw new ApiGatewayError('NotImplemented', message);
  }
  throw new ApiGatewayError('BadRequestException', issue?.message ?? 'Invalid request input');
}

/** A boolean in a query. */
export const Flag = z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false);
