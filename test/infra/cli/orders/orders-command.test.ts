import { describe, expect, test } from 'vitest';
import { refuses, startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';

const ORDER = {
  id: 482961476313088,
  petId: 482957181345792,
  status: 'placed',
  placedAt: '2026-01-31T12:00:00.000Z',
};
const { id, petId } = ORDER;

describe('orders', () => {
  test.for([
    ['place', { petId }, `Placed order ${id} in staging. Pet ${petId} is now pending.\n`],
    ['approve', { id }, `Approved order ${id} for pet ${petId} in staging.\n`],
    ['deliver', { id }, `Delivered order ${id} in staging. Pet ${petId} is now sold.\n`],
    ['cancel', { id }, `Canceled order ${id} in staging. Pet ${petId} is available again.\n`],
  ] as const)('0: %s', async ([name, fields, said]) => {
    const run = await answered(`orders ${name} ${Object.values(fields)}`, succeeds(ORDER));
    expect(run).toMatchObject({ stdout: said, stderr: '', exitCode: 0 });
    expect(run.invocations).toEqual([
      {
        functionName: 'petstore-staging-operator',
        proof: expect.anything(),
        payload: { command: `orders.${name}`, requestId: expect.any(String), by: USER_NAME, ...fields },
      },
    ]);
  });

  test('0: list prints a line per order, and how to see older ones', async () => {
    const line = 'orders list --status placed --limit 1 --before 482961476313089';
    const { stdout, sent } = await answered(line, succeeds({ orders: [ORDER], hasMore: true }));
    expect(stdout.trimEnd().split('\n')).toEqual([
      'ID               STATUS  PET              PLACED',
      '482961476313088  placed  482957181345792  2026-01-31 12:00 UTC',
      '',
      'Older ones: petstore orders list --status placed --before 482961476313088',
    ]);
    const fields = { status: 'placed', limit: 1, before: 482961476313089 };
    expect(sent[0]).toEqual({ command: 'orders.list', ...fields });
  });

  test('0: list says that there are no orders', async () => {
    const none = succeeds({ orders: [], hasMore: false });
    const { stdout } = await answered('orders list --status placed', none);
    expect(stdout).toBe('No placed orders in staging.\n');
  });

  test('0: the text is broken between words at the width of the terminal', async () => {
    const operator = await startOperatorStandIn(succeeds(ORDER));
    const { stdout } = await petstoreHere(['orders', 'place', String(petId)], operator.environment, 50);
    expect(stdout).toBe(`Placed order ${id} in staging. Pet\n${petId} is now pending.\n`);
  });

  test.for([
    ['place', 'pet_unknown', 'There is no animal 1.', 'The API lists them: GET /pets?status=available'],
    ['deliver', 'order_unknown', "Order 1 doesn't exist.", 'List them: petstore orders list'],
  ] as const)('1: %s of an unknown id says what lists the ids', async ([name, reason, message, advice]) => {
    const run = await answered(`orders ${name} 1`, refuses(reason, message, 'not_found'));
    expect(run).toMatchObject({ stderr: `Error: ${message}\n  ${advice}\n`, exitCode: 1 });
  });
});
