import { AwsApiError } from '../aws-api-error.ts';

/** An answer of the API Gateway API that is an error, by the name its clients know it by. */
export class ApiGatewayError extends AwsApiError<keyof typeof STATUS_BY_ERROR> {
  /** After which the same request may be allowed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(name: keyof typeof STATUS_BY_ERROR, message: string, retryAfterSeconds?: number) {
    super(name, message);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return STATUS_BY_ERROR[this.name];
  }
}

const STATUS_BY_ERROR = {
  AccessDeniedException: 403,
  BadRequestException: 400,
  ConflictException: 409,
  LimitExceededException: 429,
  NotFoundException: 404,
  NotImplemented: 501,
  TooManyRequestsException: 429,
};
