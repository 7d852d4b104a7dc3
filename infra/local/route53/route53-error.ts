import { AwsApiError } from '../aws-api-error.ts';

/** An answer of the Route 53 API that is an error, by the name its clients know it by. */
export class Route53Error extends AwsApiError<keyof typeof STATUS_BY_ERROR> {
  get status(): number {
    return STATUS_BY_ERROR[this.name];
  }
}

const STATUS_BY_ERROR = {
  AccessDenied: 403,
  HostedZoneAlreadyExists: 409,
  HostedZoneNotEmpty: 400,
  InvalidChangeBatch: 400,
  InvalidDomainName: 400,
  InvalidInput: 400,
  NoSuchChange: 404,
  NoSuchHostedZone: 404,
  NotImplemented: 501,
  ThrottlingException: 400,
};
