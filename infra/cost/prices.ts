/**
 * List prices of AWS in us-east-1, in US dollars, without free tiers and discounts, as published in September 2026. Other
 * regions cost up to a third more. Check the source before you rely on one.
 */
export const PRICES_AS_OF = '2026-09';

interface Price {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
}

const APIGATEWAY = 'https://aws.amazon.com/api-gateway/pricing/';
const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const CLOUDWATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const EC2 = 'https://aws.amazon.com/ec2/pricing/on-demand/';
const ROUTE53 = 'https://aws.amazon.com/route53/pricing/';
const CLOUDFRONT = 'https://aws.amazon.com/cloudfront/pricing/';

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
  dashboard: { usd: 3, per: 'dashboard and month', source: CLOUDWATCH },
  customMetric: { usd: 0.3, per: 'custom metric and month', source: CLOUDWATCH },
  secret: { usd: 0.4, per: 'secret and month', source: 'https://aws.amazon.com/secrets-manager/pricing/' },
  kmsKey: { usd: 1, per: 'key and month', source: 'https://aws.amazon.com/kms/pricing/' },
  hostedZone: { usd: 0.5, per: 'hosted zone and month', source: ROUTE53 },
  zoneRecord: { usd: 0.0015, per: 'record above 10,000 in a hosted zone and month', source: ROUTE53 },
  tenants: { usd: 20, per: 'month of up to 200 tenants', source: CLOUDFRONT },
  tenant: { usd: 0.1, per: 'tenant above 200 and month', source: CLOUDFRONT },
} as const satisfies Record<string, Price>;

/**
 * What a request uses, as measured. CPU time is that of a warm invocation on one arm64 core (`npm run bench`, part warm,
 * on a busy machine: an upper bound). Capacity units are those that the engine reports for a request (part dynamodb).
 * Sizes are those of the responses. What cannot be measured without AWS is assumed (ASSUMED).
 */
export const MEASURED_ON = '2026-11-15';

export interface MeasuredRequest {
  readonly name: string;
  /** The constructs of the function, as its logical id has them. */
  readonly construct: string;
  readonly cpuMs: number;
  readonly tableCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly responseBytes: number;
  /** Whether the authorizer is invoked when its cached response has expired. */
  readonly isAuthorized: boolean;
}

const operation = (request: Omit<MeasuredRequest, 'isAuthorized'>): MeasuredRequest => ({
  ...request,
  isAuthorized: true,
});

/** What a request to the documentation uses; it reads no table. */
const docs = (name: string, construct: string, responseBytes: number): MeasuredRequest => {
  const table = { tableCalls: 0, readUnits: 0, writeUnits: 0 };
  return { name, construct, cpuMs: 1, ...table, responseBytes, isAuthorized: false };
};

/** Three operations that show the range, and those that need no API key. A new operation needs no row. */
export const REQUESTS: readonly MeasuredRequest[] = [
  operation({
    name: 'listPets, 20 pets',
    construct: 'PetsListPets',
    cpuMs: 1.3,
    tableCalls: 1,
    readUnits: 0.5,
    writeUnits: 0,
    responseBytes: 1_441,
  }),
  operation({
    name: 'listPets, 100 pets',
    construct: 'PetsListPets',
    cpuMs: 1.8,
    tableCalls: 1,
    readUnits: 2,
    writeUnits: 0,
    responseBytes: 7_201,
  }),
  operation({
    name: 'createPet',
    construct: 'PetsCreatePet',
    cpuMs: 1.0,
    tableCalls: 1,
    readUnits: 0,
    writeUnits: 2,
    responseBytes: 71,
  }),
  {
    name: 'a redirect',
    construct: 'RedirectsRedirect',
    cpuMs: 1.3,
    tableCalls: 2,
    readUnits: 1,
    writeUnits: 0,
    responseBytes: 120,
    isAuthorized: false,
  },
  {
    name: 'the page of an owner',
    construct: 'SetupShowSetup',
    cpuMs: 1.3,
    tableCalls: 2,
    readUnits: 1,
    writeUnits: 0,
    responseBytes: 2_600,
    isAuthorized: false,
  },
  docs('the reference page', 'DocsGetReference', 12_100),
  docs('the OpenAPI document', 'DocsGetOpenapi', 41_000),
];

/** An invocation of the authorizer: it records the use of the key in the same call that finds it. */
export const AUTHORIZATION = { construct: 'ApiKeysAuthorize', cpuMs: 0.8, tableCalls: 1, writeUnits: 1 };

/** A run of a scheduled function that finds nothing to do. */
export const IDLE_RUN = { cpuMs: 5, tableCalls: 3, readUnits: 3, loggedBytes: 200 };

/** The canary, and the request that it makes in a run and waits for. */
export const CANARY = { construct: 'MonitoringCanaryCallApi', request: 'listPets, 20 pets', waitMs: 100 };

/**
 * A live domain: its item, what it takes to read it in a scan, how often its verification looks at its certificate, and how
 * long a look and a pass over it take, also where nobody responds.
 */
export const DOMAIN = {
  itemBytes: 3_000,
  readCpuMs: 0.19,
  readBytes: 27_000,
  certificateLooks: 10,
  functionMb: 150,
  lookSeconds: 0.5,
  noteBytes: 25,
  passSeconds: 2,
  silentPassSeconds: 20,
};

/** What AWS and the service itself set for custom domains: quotas as they are before AWS raises them, and rates. */
export const DOMAIN_LIMITS = {
  domainNames: 120,
  certificates: 2_500,
  certificateRequestsPerSecond: 5,
  certificateLooksPerSecond: 10,
  zoneRecords: 10_000,
  tenants: 10_000,
  /** API Gateway's 30 s between two creations of domain names, and a second for clocks that differ. */
  slotSeconds: 31,
  sweepMinutes: 5,
  looksAtATime: 32,
  looksSeconds: 60,
  passes: 60,
  passesAtATime: 4,
  passesSeconds: 120,
};

export const ASSUMED = {
  /** A call to DynamoDB from Lambda, in milliseconds; AWS states single digits. */
  tableCallMs: 5,
  /** Lambda gives a function a whole processor at this memory, and a share of it below. */
  memoryMbOfOneCpu: 1769,
  /** Invocations of the authorizer per request: its response is cached for 5 minutes, so this is a key that sends one request in 3 s. */
  authorizationsPerRequest: 0.01,
  /** Headers of a response that API Gateway and the service add. */
  headerBytes: 700,
  /** What Lambda writes to the log of a function for an invocation: platform.start and platform.report. */
  invocationLogBytes: 480,
  /** What CloudWatch Logs adds to an event. */
  logEventBytes: 26,
  /** What is left of a log when CloudWatch Logs has compressed it. */
  logCompression: 0.15,
} as const;
