import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import * as z from 'zod/mini';
import { type AuditLog, auditLog } from '../../../shared/audit/audit-log.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import type { Write } from '../../../shared/aws/transaction.ts';
import { command } from '../../../shared/operator/command.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { tableLike } from '../../setup/stack-tables.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
export const COMMANDS = 'boxes.fill, boxes.look, boxes.shake';

/**
 * An operator of boxes: `boxes.fill` adds to the content of a box, `boxes.look` answers with it, and `boxes.shake` throws
 * the error that the test has set.
 */
export async function boxOperator() {
  const [table, auditTable] = await Promise.all([tableLike('ApiKeysTable'), tableLike('OperatorAudit')]);
  const audit: AuditLog = auditLog(auditTable);
  const filled = async (box = 'red') => {
    const Key = { id: box };
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Number(Item?.amount ?? 0);
  };
  const adding = (box: string, amount: number): Write => ({
    item: {
      Update: {
        TableName: table,
        Key: { id: box },
        UpdateExpression: 'ADD amount :amount',
        ExpressionAttributeValues: { ':amount': amount },
      },
    },
    refusal: () => new Error('never'),
  });
  const failure = { error: new Error('boxes fell, password hunter2') as unknown };
  const followUp = vi.fn(async (_input: object) => {});
  const operate = operator(
    {
      'boxes.fill': command(
        z.strictObject({
          box: z.enum(['red', 'blue'], 'must be red or blue'),
          amount: z.number('must be a number'),
          note: z.optional(z.string('must be text')),
        }),
        async ({ box, amount }, change) => {
          const result = { box, amount };
          await change.commit([adding(box, amount)], result);
          return { ...result, secret: 'shown once' };
        },
        followUp,
      ),
      'boxes.look': command(z.strictObject({}), async () => ({ red: await filled() })),
      'boxes.shake': command(z.strictObject({}), async () => {
        throw failure.error;
      }),
    },
    audit,
    () => NOW_MS,
  );
  const fill = (more: object = {}, invocationId = 'invocation-1') =>
    operate({ command: 'boxes.fill', box: 'red', amount: 1, ...more }, invocationId);
  const expectNothingChanged = async () => {
    expect([await filled('red'), await filled('blue')]).toEqual([0, 0]);
    expect(await audit.list(10)).toEqual([]);
  };
  return { operate, fill, filled, audit, failure, followUp, expectNothingChanged };
}

export type BoxOperator = Awaited<ReturnType<typeof boxOperator>>;
