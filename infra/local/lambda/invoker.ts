/** The caller of a function: an AWS service on behalf of one of its resources, as in a Lambda permission. */
export interface ServiceCaller {
  /** For example apigateway.amazonaws.com. */
  readonly principal: string;
  /** For example arn:aws:execute-api:us-east-1:000000000000:abc123/staging/GET/v1/pets. */
  readonly sourceArn: string;
}

/** The result of an invocation: the JSON text of the function's answer or of its error. */
export interface InvocationResult {
  readonly payload: string;
  /** 'Unhandled' when the function threw, timed out or could not be loaded; undefined when it answered. */
  readonly functionError?: string;
  /** The id of the invocation, under which the function's log has it. */
  readonly requestId?: string;
}

/**
 * Invokes a function by its ARN. Rejects with an Error named AccessDeniedException when no permission allows the
 * caller, ResourceNotFoundException when there is no such function, TooManyRequestsException when it is busy.
 */
export type InvokeFunction = (
  functionArn: string,
  event: unknown,
  caller: ServiceCaller,
) => Promise<InvocationResult>;
