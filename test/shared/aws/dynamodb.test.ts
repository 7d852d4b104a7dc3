import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { orUnavailable } from '../../../shared/aws/dynamodb.ts';
import { OPERATION_DEADLINE_MS } from '../../../shared/aws/retries.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from './fast-time.ts';
import { always, type Fault, type FaultyEngine, faultyEngine } from './faulty-engine.ts';

/** A read by each of the two clients, both imported anew and pointed at this engine. */
const CLIENTS = {
  async bare(engine: FaultyEngine) {
    const { orUnavailable } = await engine.under(() => import('../../../shared/aws/dynamodb.ts'));
    const { dynamoDb } = await import('../../../shared/aws/dynamodb.ts');
    const read = new GetItemCommand({ TableName: await tableLike('ApiKeysTable'), Key: { id: { S: 'x' } } });
    return () => orUnavailable(dynamoDb.send(read));
  },
  async document(engine: FaultyEngine) {
    const { orUnavailable } = await engine.under(() => import('../../../shared/aws/dynamodb.ts'));
    const { documents } = await import('../../../shared/aws/document-client.ts');
    const read = new GetCommand({ TableName: await tableLike('ApiKeysTable'), Key: { id: 'x' } });
    return () => orUnavailable(documents.send(read));
  },
};

describe('orUnavailable', () => {
  test('passes other errors on', async () => {
    const error = new Error('a mistake');
    await expect(orUnavailable(Promise.reject(error))).rejects.toBe(error);
  });
});

describe.each(['bare', 'document'] as const)('the %s client', name => {
  test('gives up with Unavailable at the deadline, with the last error as its cause', async () => {
    const engine = await faultyEngine(always({ status: 503, type: 'ServiceUnavailable' }));
    const read = await CLIENTS[name](engine);
    const { error } = await outcomeInFastTime(read, engine);
    expect(error).toMatchObject({ name: 'Unavailable', cause: { name: 'ServiceUnavailable' } });
    expect(engine.requests.length).toBeGreaterThan(8);
  });

  test('asks a silent engine twice within the deadline of an operation', async () => {
    const engine = await faultyEngine(always('no response'));
    const { error, tookMs } = await outcomeInFastTime(await CLIENTS[name](engine), engine);
    expect(error).toMatchObject({ name: 'Unavailable', cause: { name: 'TimeoutError' } });
    expect(engine.requests).toHaveLength(2);
    expect(tookMs).toBeLessThanOrEqual(OPERATION_DEADLINE_MS);
  });

  test('retries as often after an outage as before it', async () => {
    const faults: Fault[] = Array(10).fill('request lost');
    const engine = await faultyEngine([...faults, undefined, ...faults, undefined]);
    const read = await CLIENTS[name](engine);
    for (const round of [1, 2]) {
      const { error } = await outcomeInFastTime(read, engine);
      expect(error, `round ${round}`).toBeUndefined();
    }
  });

  test('retries a write that conflicts with a transaction on its item', async () => {
    const conflict = { status: 400, type: 'TransactionConflictException' };
    const engine = await faultyEngine([conflict, conflict]);
    const { error } = await outcomeInFastTime(await CLIENTS[name](engine), engine);
    expect(error).toBeUndefined();
    expect(engine.requests).toHaveLength(3);
  });
});
