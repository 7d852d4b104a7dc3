import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The errors of the ACM API and their HTTP status. */
export const ACM_STATUS_BY_ERROR = {
  AccessDeniedException: 400,
  LimitExceededException: 400,
  RequestInProgressException: 400,
  ResourceInUseException: 400,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  ThrottlingException: 400,
  TooManyTagsException: 400,
  ValidationException: 400,
};

/** AwsApiError with the names of the table above. */
export const AcmError = AwsApiError<keyof typeof ACM_STATUS_BY_ERROR>;
