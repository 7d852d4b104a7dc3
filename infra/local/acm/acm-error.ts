/** An answer of the ACM API that is an error, by the name its clients know it by. */
export class AcmError extends Error {
  override readonly name: keyof typeof STATUS_BY_ERROR;

  constructor(name: keyof typeof STATUS_BY_ERROR, message: string) {
    super(message);
    this.name = name;
  }

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
