/** Invocations of functions: who makes them, how they end, and how they fail. */
import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The caller of a function: an AWS service on behalf of one of its resources, as in a Lambda permission. */
export interface ServiceCaller {
  /** For example apigateway.amazonaws.com. */
  readonly principal: string;
  /** For example arn:aws:execute-api:us-east-1:000000000000:abc123/staging/GET/v1/pets. */
  readonly sourceArn: string;
}

/** The result of an invocation: the JSON text of the function's response or of its error. */
export interface InvocationResult {
  readonly payload: string;
  /** 'Unhandled' when the function threw, timed out or could not be loaded. */
  readonly functionError?: string;
  /** The id of the invocation in the function's log. */
  readonly requestId?: string;
}

/**
 * Invokes a function by its ARN. Rejects with an Error named AccessDeniedException when no permission allows the
 * caller, ResourceNotFoundException when there is no such function, TooManyRequestsException when it is busy,
 * RequestTooLargeException when Lambda does not take an event of this size.
 */
export type InvokeFunction = (
  functionArn: string,
  event: unknown,
  caller: ServiceCaller,
) => Promise<InvocationResult>;

/** The errors of the Lambda API and their HTTP status. */
export const LAMBDA_STATUS_BY_ERROR = {
  AccessDeniedException: 403,
  InvalidParameterValueException: 400,
  InvalidRequestContentException: 400,
  RequestTooLargeException: 413,
  ResourceNotFoundException: 404,
  ServiceException: 500,
  TooManyRequestsException: 429,
};

/** AwsApiError with the names of the table above. */
export const LambdaError = AwsApiError<keyof typeof LAMBDA_STATUS_BY_ERROR>;

/** The error of an environment that ended before the function responded. */
export function exitError(requestId: string | undefined, reason: string): InvocationResult {
  return runtimeError('Runtime.ExitError', requestId, reason);
}

export function timedOut(requestId: string | undefined, seconds: number): InvocationResult {
  return runtimeError('Sandbox.Timedout', requestId, `Task timed out after ${seconds.toFixed(2)} seconds`);
}

export function initTimedOut(seconds: number): InvocationResult {
  return runtimeError('Sandbox.Timedout', undefined, `Init timed out after ${seconds.toFixed(2)} seconds`);
}

function runtimeError(errorType: string, requestId: string | undefined, reason: string): InvocationResult {
  const prefix = requestId === undefined ? '' : `RequestId: ${requestId} `;
  return functionError(JSON.stringify({ errorType, errorMessage: `${prefix}Error: ${reason}` }));
}

/** The result of an invocation that failed with this error, as JSON text. */
export function functionError(payload: string): InvocationResult {
  return { payload, functionError: 'Unhandled' };
}

/** Lambda's limit for a response: 6 MB and 100 bytes. */
const RESPONSE_LIMIT_BYTES = 6_291_556;

/** The result, or the error of a response above the limit. */
export function withinResponseLimit(result: InvocationResult): InvocationResult {
  const { payload } = result;
  // A character has at most three bytes, so most responses need not be counted.
  if (payload.length * 3 <= RESPONSE_LIMIT_BYTES || Buffer.byteLength(payload) <= RESPONSE_LIMIT_BYTES) {
    return result;
  }
  return functionError(
    JSON.stringify({
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: `Response payload size exceeded maximum allowed payload size (${RESPONSE_LIMIT_BYTES} bytes).`,
    }),
  );
}
