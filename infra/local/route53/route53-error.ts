import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The errors of the Route 53 API and their HTTP status. */
export const ROUTE53_STATUS_BY_ERROR = {
  AccessDenied: 403,
  HostedZoneAlreadyExists: 409,
  HostedZoneNotEmpty: 400,
  InvalidChangeBatch: 400,
  InvalidDomainName: 400,
  InvalidInput: 400,
  NoSuchChange: 404,
  NoSuchHostedZone: 404,
  PriorRequestNotComplete: 400,
  ThrottlingException: 400,
};

/** AwsApiError with the names of the table above. */
export const Route53Error = AwsApiError<keyof typeof ROUTE53_STATUS_BY_ERROR>;
