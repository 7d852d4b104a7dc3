import { AwsApiError } from '../aws-api-error.ts';

/** The errors of the Lambda API that occur here. */
type LambdaErrorName =
  | 'AccessDeniedException'
  | 'InvalidParameterValueException'
  | 'InvalidRequestContentException'
  | 'RequestTooLargeException'
  | 'ResourceNotFoundException'
  | 'ServiceException'
  | 'TooManyRequestsException';

/** An error of the Lambda API, known by its name as callers of Lambda know it. */
export class LambdaError extends AwsApiError<LambdaErrorName> {}
