import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The errors of the API Gateway API and their HTTP status. */
export const API_GATEWAY_STATUS_BY_ERROR = {
  AccessDeniedException: 403,
  BadRequestException: 400,
  ConflictException: 409,
  LimitExceededException: 429,
  NotFoundException: 404,
  TooManyRequestsException: 429,
};

/** AwsApiError with the names of the table above. */
export const ApiGatewayError = AwsApiError<keyof typeof API_GATEWAY_STATUS_BY_ERROR>;
