import type { Random } from '../../simulation/random.ts';
import type { ErrorAnswer, Fault, ProxiedRequest } from './fault-proxy.ts';

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
    { name: 'answer lost', lost: 'after' },
    { name: 'answer cut', lost: 'after', instead: 'half of the answer' },
    { name: 'no answer', lost: random.pick(['before', 'after'] as const), instead: 'silence' },
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
      // Losing the answer of a transaction is what idempotent creation is built for.
      { name: 'answer lost', lost: 'after' },
    );
  }
  if (WRITES.includes(operation)) {
    const conflict = failure(400, 'TransactionConflictException');
    faults.push(
      { name: 'write conflict', lost: 'before', instead: conflict },
      { name: 'answer lost', lost: 'after' },
    );
  }
  return random.pick(faults);
}

export function operationOf({ headers }: ProxiedRequest): string {
  return String(headers['x-amz-target']).replace(/^.*\./, '');
}

function failure(status: number, type: string, fields: object = {}): ErrorAnswer {
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
function canceled({ body }: ProxiedRequest, random: Random): ErrorAnswer {
  const { TransactItems = [] }: { TransactItems?: unknown[] } = JSON.parse(body.toString());
  const conflicting = random.between(0, Math.max(0, TransactItems.length - 1));
  const CancellationReasons = TransactItems.map((_, position) => ({
    Code: position === conflicting ? 'TransactionConflict' : 'None',
  }));
  return failure(400, 'TransactionCanceledException', { CancellationReasons });
}
