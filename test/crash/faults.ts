import type { Random } from '../../infra/local/testing/random.ts';
import type { ErrorResponse, Fault, ProxiedRequest } from '../fault-proxy.ts';

/**
 * How long a phase lasts, and the share of requests that it disturbs. In a storm, retries succeed within their deadline
 * more often than not; in a hurricane a request that writes twice often stops between the two. An outage is shorter or
 * longer than the 3.5 s for which the functions wait for DynamoDB.
 */
const PHASES = [
  { weight: 3, seconds: [3, 6], rates: [0, 0.01] },
  { weight: 3, seconds: [3, 6], rates: [0.05, 0.45] },
  { weight: 3, seconds: [3, 6], rates: [0.6, 0.85] },
  { weight: 1, seconds: [1, 5], rates: [1, 1] },
] as const;

/** Together they take a minute at most. */
const DRAWN = PHASES.flatMap(phase => Array.from({ length: phase.weight }, () => phase));

/** The share of requests that is disturbed, by the time that the run has taken. Every minute has all phases, in any order. */
export function weather(random: Random): (atMs: number) => number {
  let untilMs = 0;
  let rate = 0;
  let left: (typeof DRAWN)[number][] = [];
  return atMs => {
    while (atMs >= untilMs) {
      if (left.length === 0) left = [...DRAWN];
      const phase = random.pick(left);
      left.splice(left.indexOf(phase), 1);
      const { seconds, rates } = phase;
      untilMs += 1000 * random.between(seconds[0], seconds[1]);
      rate = rates[0] + random.next() * (rates[1] - rates[0]);
    }
    return rate;
  };
}

/**
 * A fault of a request to DynamoDB. Errors are those of its service model; an InternalServerError may come before or after
 * the request was carried out, which its sender doesn't know.
 */
export function dynamoDbFault(request: ProxiedRequest, random: Random): Fault {
  const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
  const faults: Fault[] = [
    { name: 'request lost', lost: 'before' },
    { name: 'response lost', lost: 'after' },
    { name: 'response cut', lost: 'after', instead: 'half of the response' },
    { name: 'no response', lost: random.pick(['before', 'after'] as const), instead: 'silence' },
    { name: 'slow', delayMs: random.between(20, 900) },
    { name: 'failed before', lost: 'before', instead: failure(500, 'InternalServerError') },
    { name: 'failed after', lost: 'after', instead: failure(500, 'InternalServerError') },
    { name: 'unavailable', lost: 'before', instead: failure(503, 'ServiceUnavailable') },
    { name: 'throttled', lost: 'before', instead: failure(400, 'ThrottlingException') },
    { name: 'throttled', lost: 'before', instead: failure(400, 'ProvisionedThroughputExceededException') },
    { name: 'throttled', lost: 'before', instead: failure(400, 'RequestLimitExceeded') },
  ];
  if (operation === 'TransactWriteItems') {
    faults.push(
      { name: 'conflict', lost: 'before', instead: canceled(request, random) },
      { name: 'conflict', lost: 'before', instead: failure(400, 'TransactionInProgressException') },
      // Losing the response of a transaction is what idempotent creation is built for.
      { name: 'response lost', lost: 'after' },
    );
  }
  if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)) {
    faults.push({ name: 'conflict', lost: 'before', instead: failure(400, 'TransactionConflictException') });
  }
  return random.pick(faults);
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

function failure(status: number, type: string, fields: object = {}): ErrorResponse {
  const error = {
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: `${type}, injected`,
    ...fields,
  };
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(error) };
}
