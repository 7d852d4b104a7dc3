/**
 * List prices of AWS in us-east-1, in US dollars, without free tiers and discounts, as published in September 2026. Other
 * regions cost up to a third more. Check the source before you rely on one.
 */
export const PRICES_AS_OF = '2026-09';

export interface Price {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
}

const APIGATEWAY = 'https://aws.amazon.com/api-gateway/pricing/';
const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const CLOUDWATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const EC2 = 'https://aws.amazon.com/ec2/pricing/on-demand/';

export const PRICES = {
  restRequests: { usd: 3.5, per: 'million requests to a REST API', source: APIGATEWAY },
  dataTransferOut: { usd: 0.09, per: 'GB to the internet', source: EC2 },
  lambdaRequests: { usd: 0.2, per: 'million invocations', source: LAMBDA },
  lambdaDuration: { usd: 0.0000133334, per: 'GB-second on arm64', source: LAMBDA },
  readUnits: { usd: 0.125, per: 'million read request units', source: DYNAMODB },
  writeUnits: { usd: 0.625, per: 'million write request units', source: DYNAMODB },
  logIngestion: { usd: 0.5, per: 'GB of logs', source: CLOUDWATCH },
  logStorage: { usd: 0.03, per: 'GB of compressed logs and month', source: CLOUDWATCH },
  alarmMetric: { usd: 0.1, per: 'metric of a standard alarm and month', source: CLOUDWATCH },
  compositeAlarm: { usd: 0.5, per: 'composite alarm and month', source: CLOUDWATCH },
  dashboard: { usd: 3, per: 'dashboard and month', source: CLOUDWATCH },
  customMetric: { usd: 0.3, per: 'custom metric and month', source: CLOUDWATCH },
  secret: { usd: 0.4, per: 'secret and month', source: 'https://aws.amazon.com/secrets-manager/pricing/' },
  kmsKey: { usd: 1, per: 'key and month', source: 'https://aws.amazon.com/kms/pricing/' },
  hostedZone: { usd: 0.5, per: 'hosted zone and month', source: 'https://aws.amazon.com/route53/pricing/' },
} as const satisfies Record<string, Price>;
