/**
 * What a request uses, as measured. CPU time is that of a warm invocation on one arm64 core (`npm run bench`, part warm,
 * on a busy machine: an upper bound). Capacity units are those that the engine reports for a request (part dynamodb).
 * Sizes are those of the answers. What cannot be measured without AWS is among the assumptions.
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
  readonly answerBytes: number;
  /** Whether the authorizer is asked when its cached answer has expired. */
  readonly isAuthorized: boolean;
}

const operation = (request: Omit<MeasuredRequest, 'isAuthorized'>): MeasuredRequest => ({
  ...request,
  isAuthorized: true,
});

/** What a request to the documentation uses; it reads no table. */
const docs = (name: string, construct: string, answerBytes: number): MeasuredRequest => {
  const table = { tableCalls: 0, readUnits: 0, writeUnits: 0 };
  return { name, construct, cpuMs: 1, ...table, answerBytes, isAuthorized: false };
};

export const REQUESTS: readonly MeasuredRequest[] = [
  operation({
    name: 'listPets, 20 animals',
    construct: 'PetsListPets',
    cpuMs: 1.3,
    tableCalls: 1,
    readUnits: 0.5,
    writeUnits: 0,
    answerBytes: 1_441,
  }),
  operation({
    name: 'listPets, 100 animals',
    construct: 'PetsListPets',
    cpuMs: 1.8,
    tableCalls: 1,
    readUnits: 2,
    writeUnits: 0,
    answerBytes: 7_201,
  }),
  operation({
    name: 'createPet',
    construct: 'PetsCreatePet',
    cpuMs: 1.0,
    tableCalls: 1,
    readUnits: 0,
    writeUnits: 2,
    answerBytes: 71,
  }),
  operation({
    name: 'getPet',
    construct: 'PetsGetPet',
    cpuMs: 0.8,
    tableCalls: 1,
    readUnits: 1,
    writeUnits: 0,
    answerBytes: 71,
  }),
  operation({
    name: 'listOrders, 20 orders',
    construct: 'OrdersListOrders',
    cpuMs: 1.3,
    tableCalls: 1,
    readUnits: 0.5,
    writeUnits: 0,
    answerBytes: 1_821,
  }),
  docs('the reference page', 'DocsGetReference', 1_728),
  docs('the OpenAPI document', 'DocsGetOpenapi', 40_414),
  docs('the script of the reference page', 'DocsGetRenderer', 1_261_466),
];

/** An invocation of the authorizer: it records the use of the key in the same call that finds it. */
export const AUTHORIZATION = { construct: 'ApiKeysAuthorize', cpuMs: 0.8, tableCalls: 1, writeUnits: 1 };

/** A run of a scheduled function that finds nothing to do. */
export const IDLE_RUN = { cpuMs: 5, tableCalls: 3, readUnits: 3, loggedBytes: 200 };

export const ASSUMED = {
  /** A call to DynamoDB from Lambda, in milliseconds; AWS states single digits. */
  tableCallMs: 5,
  /** Lambda gives a function a whole processor at this memory, and a share of it below. */
  memoryMbOfOneCpu: 1769,
  /** Invocations of the authorizer per request: its answer is cached for 5 minutes, so a key that sends one request in 3 s. */
  authorizationsPerRequest: 0.01,
  /** Headers of an answer that API Gateway and the service add. */
  headerBytes: 700,
  /** What Lambda writes to the log of a function for an invocation: platform.start and platform.report. */
  invocationLogBytes: 480,
  /** What CloudWatch Logs adds to an event. */
  logEventBytes: 26,
  /** What is left of a log when CloudWatch Logs has compressed it. */
  logCompression: 0.15,
} as const;
