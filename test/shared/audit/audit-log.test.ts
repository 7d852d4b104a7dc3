import { beforeEach, describe, expect, test } from 'vitest';
import { type AuditEntry, type AuditLog, auditLog } from '../../../shared/audit/audit-log.ts';
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
  by: 'jane',
  command: 'keys.create',
  input: { name: 'Acme', scopes: ['pets:read'] },
  result: { id: 'key_1', expiresAt: null },
  ...more,
});

test('a change is found by its request, as it was recorded', async () => {
  await transact([audit.record(entryOf('r'))]);
  expect(await audit.find('r')).toEqual(entryOf('r'));
  expect(await audit.find('R')).toBeUndefined();
});

test('the newest are listed first, as many as are asked for', async () => {
  const entries = ['02', '01', '03'].map(day => entryOf(day, { at: `2026-01-${day}T00:00:00.000Z` }));
  for (const entry of entries) await transact([audit.record(entry)]);
  const [second, first, third] = entries;
  expect(await audit.list(5)).toEqual([third, second, first]);
  expect(await audit.list(2)).toEqual([third, second]);
});

test('two of one instant are both listed', async () => {
  for (const requestId of ['a', 'b']) await transact([audit.record(entryOf(requestId))]);
  expect((await audit.list(5)).map(({ requestId }) => requestId).toSorted()).toEqual(['a', 'b']);
});

describe('a request that was carried out before', () => {
  test('is refused with what came of it', async () => {
    await transact([audit.record(entryOf('r'))]);
    const again = transact([audit.record(entryOf('r', { by: 'joe' }))]);
    await expect(again).rejects.toMatchObject({ name: 'AlreadyDone', entry: entryOf('r') });
    expect(await audit.list(5)).toEqual([entryOf('r')]);
  });

  test('is not taken for one whose own answer was lost', async () => {
    const engine = await faultyEngine(['answer lost']);
    const { transact: faulty } = await engine.under(() => import('../../../shared/aws/transaction.ts'));
    const write = audit.record(entryOf('r'));
    await faulty([write]);
    // As an attempt that DynamoDB does not recognise any more.
    await transact([write]);
    expect(await audit.list(5)).toEqual([entryOf('r')]);
  });
});
