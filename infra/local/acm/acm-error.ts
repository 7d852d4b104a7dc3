import { AwsApiError } from '../aws-api-error.ts';

/** An answer of the ACM API that is an error, by the name its clients know it by. */
export class AcmError extends AwsApiError<keyof typeof STATUS_BY_ERROR> {
  get status(): number {
    return STATUS_BY_ERROR[this.name];
  }
}

const STATUS_BY_ERROR = {
  AccessDeniedException: 400,
  LimitExceededException: 400,
  NotImplemented: 501,
  RequestInProgressException: 400,
  ResourceInUseException: 400,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  ThrottlingException: 400,
  TooManyTagsException: 400,
  ValidationException: 400,
};
