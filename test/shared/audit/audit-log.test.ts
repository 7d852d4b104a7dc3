import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AuditEntry, type AuditLog, auditLog } from '../../../shared/audit/audit-log.ts';
import { shownAuthor } from '../../../shared/audit/author.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';

let table: string;
let audit: AuditLog;
beforeEach(async () => {
  table = await tableLike('OperatorAudit');
  audit = auditLog(table);
});

const entryOf = (requestId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  requestId,
  at: '2026-01-31T12:00:00.000Z',
  by: 'arn:aws:iam::111122223333:user/jane',
  claimedBy: 'jane',
  command: 'keys.create',
  input: { name: 'Acme', scopes: ['pets:read'] },
  result: { id: 'key_1', expiresAt: null },
  ...more,
});

test('find returns an entry by its request id, as it was recorded', async () => {
  await transact([audit.record(entryOf('r'))]);
  expect(await audit.find('r')).toEqual(entryOf('r'));
  expect(await audit.find('R')).toBeUndefined();
});

test('find returns input and result of any depth as they were recorded', async () => {
  const input = { empty: '', nothing: null, none: {}, list: [{ a: 1 }, []], fraction: 0.5, yes: true };
  await transact([audit.record(entryOf('deep', { input, result: null }))]);
  expect(await audit.find('deep')).toEqual(entryOf('deep', { input, result: null }));
  const Key = { requestId: { S: 'deep' } };
  const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key }));
  expect(Item).toMatchObject({ input: { M: { list: { L: [{ M: { a: { N: '1' } } }, { L: [] }] } } } });
});

test('list returns the newest entries first, up to the limit', async () => {
  const entries = ['02', '01', '03'].map(day => entryOf(day, { at: `2026-01-${day}T00:00:00.000Z` }));
  for (const entry of entries) await transact([audit.record(entry)]);
  const [second, first, third] = entries;
  expect(await audit.list(5)).toEqual([third, second, first]);
  expect(await audit.list(2)).toEqual([third, second]);
});

test('list leaves out what came after a time, and the results if they are not asked for', async () => {
  const entries = ['01', '02', '03'].map(day => entryOf(day, { at: `2026-01-${day}T00:00:00.000Z` }));
  for (const entry of entries) await transact([audit.record(entry)]);
  const [{ result, ...first }, { at: until, result: _, ...second }] = entries as [AuditEntry, AuditEntry];
  expect(await audit.list(5, { until, brief: true })).toEqual([{ at: until, ...second }, first]);
});

describe('a record', () => {
  test('is refused with AlreadyDone and the first entry when the request was carried out before', async () => {
    await transact([audit.record(entryOf('r'))]);
    const again = transact([audit.record(entryOf('r', { by: 'joe' }))]);
    await expect(again).rejects.toMatchObject({ name: 'AlreadyDone', entry: entryOf('r') });
    expect(await audit.list(5)).toEqual([entryOf('r')]);
  });

  test('succeeds when a retry finds its own write committed', async () => {
    const engine = await faultyEngine(['response lost']);
    const { transact: faulty } = await engine.under(() => import('../../../shared/aws/transaction.ts'));
    const write = audit.record(entryOf('r'));
    await faulty([write]);
    // DynamoDB recognizes a repetition only for ten minutes; this one carries another token, as a later one would.
    await transact([write]);
    expect(await audit.list(5)).toEqual([entryOf('r')]);
  });
});

const JANE = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';

test.each<[by: string, claimedBy: string | null, name: string, note: string]>([
  [JANE, null, 'Operators/jane', ''],
  [JANE, 'jane', 'Operators/jane', ''],
  [JANE, 'joe', 'Operators/jane', 'joe'],
  ['arn:aws:iam::123456789012:user/jane', JANE, 'jane', 'Operators/jane'],
  ['unverified', JANE, 'Operators/jane', 'not verified'],
  ['unverified', 'sam', 'sam', 'not verified'],
  ['unverified', null, 'unknown', 'not verified'],
])('%s, who says to be %s', (by, claimedBy, name, note) => {
  expect(shownAuthor({ by, claimedBy })).toEqual({ name, note });
});
