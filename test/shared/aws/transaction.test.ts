import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { type Item, transact, type Write } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from './fast-time.ts';
import { always, type Fault, faultyEngine } from './faulty-engine.ts';

let table: string;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
});

/** A write that wants its place to be free, and is told apart from others by its token. */
function put(id: string, token = 'ours'): Write {
  return {
    item: {
      Put: {
        TableName: table,
        Item: { id: { S: id }, token: { S: token } },
        ConditionExpression: 'attribute_not_exists(id)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: present =>
      present?.token?.S === token ? undefined : new Error(`${id} is ${present?.token?.S}`),
  };
}

async function found(id: string): Promise<Item | undefined> {
  const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key: { id: { S: id } } }));
  return Item;
}

const canceledBy = (...CancellationReasons: object[]) => ({
  status: 400,
  type: 'TransactionCanceledException',
  CancellationReasons,
});
const CONFLICT = canceledBy({ Code: 'TransactionConflict' }, { Code: 'None' });

async function behind(faults: Iterable<Fault>) {
  const engine = await faultyEngine(faults);
  const module = await engine.under(() => import('../../../shared/aws/transaction.ts'));
  return { engine, transact: module.transact };
}

test('all writes are made', async () => {
  await transact([put('a'), put('b')]);
  expect([await found('a'), await found('b')]).toMatchObject([{ token: { S: 'ours' } }, { id: { S: 'b' } }]);
});

describe('a refusal', () => {
  test('is that of the write whose condition does not hold, and nothing is made', async () => {
    await transact([put('b', 'theirs')]);
    await expect(transact([put('a'), put('b'), put('c')])).rejects.toThrow('b is theirs');
    expect([await found('a'), await found('c')]).toEqual([undefined, undefined]);
  });

  test('is that of the first write if there are several', async () => {
    await transact([put('b', 'theirs'), put('c', 'hers')]);
    await expect(transact([put('a'), put('c'), put('b')])).rejects.toThrow('c is hers');
  });

  test('is told what is there, and nothing when that is nothing', async () => {
    const refusal = vi.fn(() => new Error('refused'));
    const Key = { id: { S: 'a' } };
    const condition = { ConditionExpression: 'attribute_exists(id)' };
    const write = { item: { ConditionCheck: { TableName: table, Key, ...condition } }, refusal };
    await expect(transact([write])).rejects.toThrow('refused');
    expect(refusal.mock.calls).toEqual([[undefined]]);
  });
});

describe('a write that finds itself there', () => {
  test('speaks for all of them', async () => {
    const writes = [put('a'), put('b')];
    await transact(writes);
    await transact(writes);
  });

  test('counts more than the refusal of another, which has changed since', async () => {
    const own = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'b' }, token: { S: 'ours' } } };
    const other = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'a' }, token: { S: 'theirs' } } };
    const { transact: faulty } = await behind(['answer lost', canceledBy(other, own)]);
    await faulty([put('a'), put('b')]);
    expect(await found('b')).toMatchObject({ token: { S: 'ours' } });
  });
});

describe('faults', () => {
  test.each<[string, Fault[]]>([
    ['a conflict', [CONFLICT]],
    ['nineteen of them', Array(19).fill(CONFLICT)],
    ['a throttled item', [canceledBy({ Code: 'None' }, { Code: 'ThrottlingError' })]],
    ['a reason that is not told', [canceledBy()]],
    ['a lost request', ['request lost']],
    ['a lost answer', ['answer lost', 'answer lost']],
    ['a conflict after a lost answer', ['answer lost', CONFLICT]],
  ])('%s is outlasted', async (_, faults) => {
    const { engine, transact: faulty } = await behind(faults);
    const { error } = await outcomeInFastTime(() => faulty([put('a'), put('b')]), engine);
    expect(error).toBeUndefined();
    expect(await found('b')).toBeDefined();
    expect(engine.requests).toHaveLength(faults.length + 1);
  });

  test('Unavailable: conflicts without end, in under 5 s', async () => {
    const { engine, transact: faulty } = await behind(always(CONFLICT));
    const { error, tookMs } = await outcomeInFastTime(() => faulty([put('a')]), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(tookMs).toBeLessThan(5000);
    expect(engine.requests).toHaveLength(20);
  });

  test.each<[string, ReturnType<typeof canceledBy> | { status: number; type: string }]>([
    ['a write that DynamoDB cannot read', canceledBy({ Code: 'ValidationError' }, { Code: 'None' })],
    [
      'one beside a conflict',
      canceledBy({ Code: 'TransactionConflict' }, { Code: 'ValidationError', Message: 'too large' }),
    ],
    ['a request that DynamoDB cannot read', { status: 400, type: 'ValidationException' }],
  ])('%s is thrown as it is, at once', async (_, fault) => {
    const { engine, transact: faulty } = await behind(always(fault));
    await expect(faulty([put('a'), put('b')])).rejects.toMatchObject({ name: fault.type });
    expect(engine.requests).toHaveLength(1);
  });
});

test('eight who want one place: one gets it, the others are told whose it is', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, number) => transact([put('a', `token ${number}`)])),
  );
  const { token } = (await found('a')) ?? {};
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason.message).toBe(`a is ${token?.S}`);
  }
});
