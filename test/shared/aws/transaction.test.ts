import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type BareWrite, CommittedByOther, transactBare } from '../../../shared/aws/bare-transaction.ts';
import { documents, type Item } from '../../../shared/aws/document-client.ts';
import { transact, type Write } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from './fast-time.ts';
import { always, type Fault, faultyEngine } from './faulty-engine.ts';

let table: string;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
});

async function found(id: string): Promise<Item | undefined> {
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { id } }));
  return Item;
}

/** The part of a write that wants its id to be free. */
const IS_NEW = {
  ConditionExpression: 'attribute_not_exists(id)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

const refusalFor = (id: string, token: string, present: unknown) =>
  present === token ? undefined : new Error(`${id} is ${present}`);

/** The transaction with plain values and the one with attribute values, and their writes of an item with a token. */
const DOCUMENT = {
  transact,
  put: (id: string, token = 'ours'): Write => ({
    item: { Put: { TableName: table, Item: { id, token }, ...IS_NEW } },
    refusal: present => refusalFor(id, token, present?.token),
  }),
  key: (id: string): Record<string, unknown> => ({ id }),
  imported: async () => (await import('../../../shared/aws/transaction.ts')).transact,
};
const BARE = {
  transact: transactBare,
  put: (id: string, token = 'ours'): BareWrite => ({
    item: { Put: { TableName: table, Item: { id: { S: id }, token: { S: token } }, ...IS_NEW } },
    refusal: present => refusalFor(id, token, present?.token?.S),
  }),
  key: (id: string): Record<string, AttributeValue> => ({ id: { S: id } }),
  imported: async () => (await import('../../../shared/aws/bare-transaction.ts')).transactBare,
};
type Way = {
  transact(writes: readonly unknown[]): Promise<void>;
  put(id: string, token?: string): unknown;
  key(id: string): Record<string, unknown>;
  imported(): Promise<(writes: readonly unknown[]) => Promise<void>>;
};

const canceledBy = (...CancellationReasons: object[]) => ({
  status: 400,
  type: 'TransactionCanceledException',
  CancellationReasons,
});
const CONFLICT = canceledBy({ Code: 'TransactionConflict' }, { Code: 'None' });

describe.each([
  ['transact', DOCUMENT as Way],
  ['transactBare', BARE as Way],
])('%s', (_, { transact, put, key, imported }) => {
  async function behind(faults: Iterable<Fault>) {
    const engine = await faultyEngine(faults);
    return { engine, transact: await engine.under(imported) };
  }

  test('makes all writes', async () => {
    await transact([put('a'), put('b')]);
    expect([await found('a'), await found('b')]).toMatchObject([{ token: 'ours' }, { id: 'b' }]);
  });

  test('throws the refusal of the write whose condition does not hold, and makes none', async () => {
    await transact([put('b', 'theirs')]);
    await expect(transact([put('a'), put('b'), put('c')])).rejects.toThrow('b is theirs');
    expect([await found('a'), await found('c')]).toEqual([undefined, undefined]);
  });

  test('throws the refusal of the first write if there are several', async () => {
    await transact([put('b', 'theirs'), put('c', 'hers')]);
    await expect(transact([put('a'), put('c'), put('b')])).rejects.toThrow('c is hers');
  });

  test('calls the refusal with undefined when there is no item', async () => {
    const refusal = vi.fn(() => new Error('refused'));
    const condition = { ConditionExpression: 'attribute_exists(id)' };
    const write = { item: { ConditionCheck: { TableName: table, Key: key('a'), ...condition } }, refusal };
    await expect(transact([write])).rejects.toThrow('refused');
    expect(refusal.mock.calls).toEqual([[undefined]]);
  });

  test('succeeds when a retry finds its own writes committed', async () => {
    const writes = [put('a'), put('b')];
    await transact(writes);
    await transact(writes);
  });

  test('succeeds when a retry finds one of its own writes committed, although another item has changed since', async () => {
    const own = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'b' }, token: { S: 'ours' } } };
    const other = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'a' }, token: { S: 'theirs' } } };
    const { transact: faulty } = await behind(['response lost', canceledBy(other, own)]);
    await faulty([put('a'), put('b')]);
    expect(await found('b')).toMatchObject({ token: 'ours' });
  });

  test('is refused when another transaction has committed, although that made one of the same writes', async () => {
    await transact([put('a', 'theirs'), put('b')]);
    const refusal = () => new CommittedByOther('carried out before');
    const proof = { ...(put('a') as Write), refusal };
    await expect(transact([proof, put('b')] as never)).rejects.toThrow(CommittedByOther);
  });

  test.each<[string, Fault[]]>([
    ['a conflict', [CONFLICT]],
    ['nineteen conflicts', Array(19).fill(CONFLICT)],
    ['a throttled item', [canceledBy({ Code: 'None' }, { Code: 'ThrottlingError' })]],
    ['a cancellation without reasons', [canceledBy()]],
    ['a lost request', ['request lost']],
    ['a lost response', ['response lost', 'response lost']],
    ['a conflict after a lost response', ['response lost', CONFLICT]],
  ])('retries after %s', async (_, faults) => {
    const { engine, transact: faulty } = await behind(faults);
    const { error } = await outcomeInFastTime(() => faulty([put('a'), put('b')]), engine);
    expect(error).toBeUndefined();
    expect(await found('b')).toBeDefined();
    expect(engine.requests).toHaveLength(faults.length + 1);
  });

  test('throws Unavailable after twenty conflicts, in under 5 s', async () => {
    const { engine, transact: faulty } = await behind(always(CONFLICT));
    const { error, tookMs } = await outcomeInFastTime(() => faulty([put('a')]), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(tookMs).toBeLessThan(5000);
    expect(engine.requests).toHaveLength(20);
  });

  test.each<[string, ReturnType<typeof canceledBy> | { status: number; type: string }]>([
    ['an invalid write', canceledBy({ Code: 'ValidationError' }, { Code: 'None' })],
    [
      'an invalid write beside a conflict',
      canceledBy({ Code: 'TransactionConflict' }, { Code: 'ValidationError', Message: 'too large' }),
    ],
    ['an invalid request', { status: 400, type: 'ValidationException' }],
  ])('throws the error for %s as it is, without a retry', async (_, fault) => {
    const { engine, transact: faulty } = await behind(always(fault));
    await expect(faulty([put('a'), put('b')])).rejects.toMatchObject({ name: fault.type });
    expect(engine.requests).toHaveLength(1);
  });

  test('lets one of eight concurrent writers win, and gives the others its item', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, number) => transact([put('a', `token ${number}`)])),
    );
    const { token } = (await found('a')) ?? {};
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.message).toBe(`a is ${token}`);
    }
  });
});
