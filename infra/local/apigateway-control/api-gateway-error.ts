/** An answer of the API Gateway API that is an error, by the name its clients know it by. */
export class ApiGatewayError extends Error {
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
  AccessDeniedException: 403,
  BadRequestException: 400,
  ConflictException: 409,
  NotFoundException: 404,
  NotImplemented: 501,
};
