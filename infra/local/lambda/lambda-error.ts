import { AwsApiError } from '../aws-api/aws-api-error.ts';

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
