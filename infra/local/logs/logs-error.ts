import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The errors of the CloudWatch Logs API and their HTTP status. */
export const LOGS_STATUS_BY_ERROR = {
  AccessDeniedException: 400,
  InvalidParameterException: 400,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  ThrottlingException: 400,
};

/** AwsApiError with the names of the table above. */
export const LogsError = AwsApiError<keyof typeof LOGS_STATUS_BY_ERROR>;
