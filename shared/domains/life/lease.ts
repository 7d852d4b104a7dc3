import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { CONTROL_PLANE_DEADLINE_MS } from '../../aws/control-plane.ts';
import { documents, itemInError } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { transact, type Write } from '../../aws/transaction.ts';
import { timeOf } from '../clock.ts';
import { DOMAINS_TABLE } from './domain.ts';

/** Whoever may currently act on AWS for a name, and commit what was seen. */
export interface Holder {
  /** Commits writes; refused with LeaseLost if somebody else has the lease by now. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Throws LeaseLost if a call to AWS could outlast the lease, as in a function that runs for minutes. */
  requireTime(): void;
}

/**
 * The 55 s that the worker or a command may run, and a margin for clocks that differ: a holder whose lease is over is dead, or, in
 * a function that runs longer, may no longer call AWS (`requireTime`). It isn't scaled down with waits, since functions aren't.
 */
export const LEASE_MS = 90_000;

/** The end of a lease that was given back, which holds even for a clock that is behind. */
const OVER_MS = 0;

/** How long a command waits for the lease. Most holders keep it for a few seconds. */
export const PATIENCE_MS = 10_000;
const LOOK_MS = 1000;

/** Somebody else has the lease by now, or it ends before another call of AWS would. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Does work for a name under its lease, an item of the domains table (life/domain.ts). If somebody else keeps the lease for
 * longer than `patienceMs`, or has taken it over by the time of a commit, returns the result of `busy`, which gets the time they
 * may keep it.
 */
export function leases(tableName: string, now: () => number) {
  return async <Result>(
    domain: string,
    work: (holder: Holder) => Promise<Result>,
    patienceMs = 0,
    busy: (leftMs: number) => Result | undefined = () => undefined,
  ): Promise<Result | undefined> => {
    const item = { TableName: tableName, Key: { domain, project: DOMAINS_TABLE.leaseSortKey } };
    const id = randomUUID();
    let untilMs = 0;
    /** Zero once the lease is ours; otherwise how long somebody else may keep it. */
    const take = async (): Promise<number> => {
      const nowMs = now();
      untilMs = nowMs + LEASE_MS;
      const update = new UpdateCommand({
        ...item,
        UpdateExpression: 'SET holder = :holder, untilMs = :until, expiresAt = :expires',
        // The request may be a repetition whose first response was lost.
        ConditionExpression: 'attribute_not_exists(holder) OR holder = :holder OR untilMs <= :now',
        ExpressionAttributeValues: {
          ':holder': id,
          ':until': untilMs,
          ':expires': Math.ceil(untilMs / 1000),
          ':now': nowMs,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return orUnavailable(documents.send(update)).then(
        () => 0,
        error => leftOf(error, nowMs),
      );
    };
    const check: Write = {
      item: {
        ConditionCheck: {
          ...item,
          ConditionExpression: 'holder = :holder AND untilMs > :over',
          ExpressionAttributeValues: { ':holder': id, ':over': OVER_MS },
        },
      },
      refusal: () => new LeaseLost(`Somebody else works on ${domain}.`),
    };
    // The item stays, so no function needs the right to delete items; DynamoDB deletes it once it has expired.
    const giveBack = new UpdateCommand({
      ...item,
      UpdateExpression: 'SET untilMs = :over',
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': id, ':over': OVER_MS },
    });
    const patientUntilMs = now() + patienceMs;
    for (let leftMs = await take(); leftMs > 0; leftMs = await take()) {
      if (now() >= patientUntilMs) return busy(leftMs);
      await pause(LOOK_MS);
    }
    try {
      return await work({
        commit: writes => transact([check, ...writes]),
        requireTime() {
          if (now() <= untilMs - CONTROL_PLANE_DEADLINE_MS) return;
          throw new LeaseLost(`The lease of ${domain} ends at ${timeOf(untilMs)}.`);
        },
      });
    } catch (error) {
      if (error instanceof LeaseLost) return busy(LEASE_MS);
      throw error;
    } finally {
      // A lease that can't be given back ends by itself.
      await documents.send(giveBack).catch(() => {});
    }
  };
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/**
 * How long somebody else may keep the lease, from the error of our attempt to take it. A conflict means they're committing
 * now.
 */
function leftOf(error: unknown, nowMs: number): number {
  if (error instanceof TransactionConflictException) return LEASE_MS;
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return Number(itemInError(error.Item)?.untilMs ?? nowMs + LEASE_MS) - nowMs;
}
