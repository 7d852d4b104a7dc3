import type { Random } from '../../../infra/local/virtual/random.ts';
import type { ErrorResponse, Fault, ProxiedRequest } from '../../fault-proxy.ts';

/** A stretch of time with one rate of faults. Times are counted from the start of the run. */
export interface Phase {
  readonly kind: 'calm' | 'unrest' | 'storm' | 'outage';
  readonly fromMs: number;
  readonly toMs: number;
  /** The share of requests that are disturbed. */
  readonly rate: number;
}

/**
 * How long a phase of a kind lasts and how often it disturbs. In a storm, retries still succeed within their deadline more
 * often than not. An outage is shorter and longer than the 3.5 s for which the functions wait for DynamoDB.
 */
const KINDS = [
  { kind: 'calm', weight: 3, seconds: [3, 8], rates: [0, 0.01] },
  { kind: 'unrest', weight: 4, seconds: [4, 10], rates: [0.05, 0.15] },
  { kind: 'storm', weight: 3, seconds: [3, 8], rates: [0.25, 0.45] },
  { kind: 'outage', weight: 1, seconds: [1, 5], rates: [1, 1] },
] as const;

const DRAWN = KINDS.flatMap(kind => Array.from({ length: kind.weight }, () => kind));

/** The phases of a run of this length, one after the other without a gap. */
export function forecast(random: Random, lengthMs: number): Phase[] {
  const phases: Phase[] = [];
  let fromMs = 0;
  while (fromMs < lengthMs) {
    const { kind, seconds, rates } = random.pick(DRAWN.filter(drawn => drawn.kind !== phases.at(-1)?.kind));
    const [least, most] = rates;
    const toMs = Math.min(lengthMs, fromMs + 1000 * random.between(seconds[0], seconds[1]));
    phases.push({ kind, fromMs, toMs, rate: least + random.next() * (most - least) });
    fromMs = toMs;
  }
  return phases;
}

/** The phase at a time; undefined before and after the run. */
export function phaseAt(phases: readonly Phase[], atMs: number): Phase | undefined {
  return phases.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];

/**
 * A fault of a request to DynamoDB. `rate` is the share of requests that have one. Errors are those of DynamoDB's service
 * model; an InternalServerError may come before or after the request was carried out, which is not known to the client.
 */
export function dynamoDbFault(request: ProxiedRequest, rate: number, random: Random): Fault | undefined {
  if (!random.chance(rate)) return undefined;
  const operation = operationOf(request);
  const isTransaction = operation === 'TransactWriteItems';
  const faults: Fault[] = [
    { name: 'request lost', lost: 'before' },
    { name: 'response lost', lost: 'after' },
    { name: 'response cut', lost: 'after', instead: 'half of the response' },
    { name: 'no response', lost: random.pick(['before', 'after'] as const), instead: 'silence' },
    { name: 'delay', delayMs: random.between(20, 900) },
    { name: 'internal error before', lost: 'before', instead: failure(500, 'InternalServerError') },
    { name: 'internal error after', lost: 'after', instead: failure(500, 'InternalServerError') },
    { name: 'service unavailable', lost: 'before', instead: failure(503, 'ServiceUnavailable') },
    { name: 'throttled', lost: 'before', instead: failure(400, 'ThrottlingException') },
    {
      name: 'throughput exceeded',
      lost: 'before',
      instead: failure(400, 'ProvisionedThroughputExceededException'),
    },
    { name: 'request limit', lost: 'before', instead: failure(400, 'RequestLimitExceeded') },
  ];
  if (isTransaction) {
    const conflict = canceled(request, random);
    const inProgress = failure(400, 'TransactionInProgressException');
    faults.push(
      { name: 'transaction conflict', lost: 'before', instead: conflict },
      { name: 'transaction conflict', lost: 'before', instead: conflict },
      { name: 'transaction in progress', lost: 'before', instead: inProgress },
      // Losing the response of a transaction is what idempotent creation is built for.
      { name: 'response lost', lost: 'after' },
    );
  }
  if (WRITES.includes(operation)) {
    const conflict = failure(400, 'TransactionConflictException');
    faults.push(
      { name: 'write conflict', lost: 'before', instead: conflict },
      { name: 'response lost', lost: 'after' },
    );
  }
  return random.pick(faults);
}

function operationOf({ headers }: ProxiedRequest): string {
  return String(headers['x-amz-target']).replace(/^.*\./, '');
}

function failure(status: number, type: string, fields: object = {}): ErrorResponse {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({
      __type: `com.amazonaws.dynamodb.v20120810#${type}`,
      message: `${type}, injected by the soak`,
      ...fields,
    }),
  };
}

/** One of the items conflicts with another transaction: the others have the reason None. */
function canceled({ body }: ProxiedRequest, random: Random): ErrorResponse {
  const { TransactItems = [] }: { TransactItems?: unknown[] } = JSON.parse(body.toString());
  const conflicting = random.between(0, Math.max(0, TransactItems.length - 1));
  const CancellationReasons = TransactItems.map((_, position) => ({
    Code: position === conflicting ? 'TransactionConflict' : 'None',
  }));
  return failure(400, 'TransactionCanceledException', { CancellationReasons });
}

/**
 * A call fails so often in a row at most. The waits between the attempts of one call are then 100 + 200 + 400 ms, so that a
 * step of a flow, which makes a dozen calls, ends within the time that a removal waits for it (processes.ts).
 */
const MOST_IN_A_ROW = 3;
const LONGEST_DELAY_MS = 400;

/** A call that times out takes 3 s, so that a sender has one of them at most in this time. */
const BETWEEN_TIMEOUTS_MS = 15_000;

/** Credential=<access key id>/<date>/<region>/<service>/aws4_request in the Authorization header of SigV4. */
const CREDENTIAL_SCOPE = /Credential=([^/,\s]+)\/\d+\/[^/]*\/([^/,\s]+)\/aws4_request/;

/** The errors by which a service throttles, in its own protocol. */
const THROTTLES: Readonly<Record<string, readonly ErrorResponse[]>> = {
  acm: [json(400, 'ThrottlingException'), json(400, 'RequestLimitExceeded')],
  states: [json(400, 'ThrottlingException')],
  events: [json(400, 'ThrottlingException')],
  apigateway: [rest(429, 'TooManyRequestsException')],
  lambda: [rest(429, 'TooManyRequestsException')],
  route53: [xml(400, 'Throttling'), xml(400, 'PriorRequestNotComplete')],
};

/** The errors of a service that fails itself. */
const FAILURES: Readonly<Record<string, readonly ErrorResponse[]>> = {
  acm: [json(500, 'InternalFailure'), json(503, 'ServiceUnavailable')],
  states: [json(500, 'InternalFailure'), json(503, 'ServiceUnavailable')],
  events: [json(500, 'InternalException'), json(503, 'ServiceUnavailable')],
  apigateway: [rest(500, 'InternalFailure'), rest(503, 'ServiceUnavailableException')],
  lambda: [rest(500, 'ServiceException')],
  route53: [xml(500, 'InternalFailure'), xml(503, 'ServiceUnavailable')],
};

/** Chooses the faults of requests to the AWS endpoint: throttles, failures, lost requests and lost responses, delays. */
export class AwsFaults {
  readonly #random: Random;
  readonly #inARow = new Map<string, number>();
  readonly #timedOutAtMs = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  choose({ method, path, headers }: ProxiedRequest, rate: number, nowMs: number): Fault | undefined {
    const [, principal = '', service = ''] = CREDENTIAL_SCOPE.exec(headers.authorization ?? '') ?? [];
    const [throttles, failures] = [THROTTLES[service], FAILURES[service]];
    if (!throttles || !failures) return undefined;
    // The calls of one sender are counted together, so that no sender fails for long.
    const call = `${principal} ${service} ${headers['x-amz-target'] ?? `${method} ${path.split('?')[0]}`}`;
    const inARow = this.#inARow.get(call) ?? 0;
    if (inARow >= MOST_IN_A_ROW || !this.#random.chance(rate)) {
      this.#inARow.delete(call);
      return undefined;
    }
    const timedOutAtMs = this.#timedOutAtMs.get(principal) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - timedOutAtMs > BETWEEN_TIMEOUTS_MS && this.#random.chance(0.15)) {
      this.#timedOutAtMs.set(principal, nowMs);
      return {
        name: `${service} time-out`,
        lost: this.#random.pick(['before', 'after']),
        instead: 'silence',
      };
    }
    const fault = this.#random.pick<Fault>([
      { name: `${service} throttled`, lost: 'before', instead: this.#random.pick(throttles) },
      { name: `${service} failed before`, lost: 'before', instead: this.#random.pick(failures) },
      { name: `${service} failed after`, lost: 'after', instead: this.#random.pick(failures) },
      { name: `${service} request lost`, lost: 'before' },
      { name: `${service} response lost`, lost: 'after' },
      { name: `${service} response cut`, lost: 'after', instead: 'half of the response' },
      { name: `${service} delay`, delayMs: this.#random.between(20, LONGEST_DELAY_MS) },
    ]);
    if (fault.lost) this.#inARow.set(call, inARow + 1);
    return fault;
  }
}

function json(status: number, type: string): ErrorResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  return {
    status,
    headers,
    body: JSON.stringify({ __type: type, message: `${type}, injected by the soak` }),
  };
}

function rest(status: number, type: string): ErrorResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': type };
  return { status, headers, body: JSON.stringify({ message: `${type}, injected by the soak` }) };
}

function xml(status: number, code: string): ErrorResponse {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${code}, injected by the soak</Message></Error>`;
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0"?>\n<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${error}<RequestId>injected</RequestId></ErrorResponse>`,
  };
}
