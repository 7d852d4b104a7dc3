import { describe, test } from 'vitest';
import { refuses, startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { petstoreHere as petstore } from '../petstore-here.ts';

const ORDER = {
  id: 482961476313088,
  petId: 482957181345792,
  status: 'placed',
  placedAt: '2026-01-31T12:00:00.000Z',
};
const { id, petId } = ORDER;

describe.concurrent('orders', () => {
  test.for([
    ['place', { petId }, `Placed order ${id} in staging. Pet ${petId} is now pending.\n`],
    ['approve', { id }, `Approved order ${id} for pet ${petId} in staging.\n`],
    ['deliver', { id }, `Delivered order ${id} in staging. Pet ${petId} is now sold.\n`],
    ['cancel', { id }, `Canceled order ${id} in staging. Pet ${petId} is available again.\n`],
  ] as const)('0: %s', async ([name, fields, said], { expect }) => {
    const operator = await startOperatorStandIn(succeeds(ORDER));
    const run = await petstore(['orders', name, String(Object.values(fields)[0])], operator.environment);
    expect(run).toEqual({ stdout: said, stderr: '', exitCode: 0 });
    expect(operator.invocations).toEqual([
      {
        functionName: 'petstore-staging-operator',
        proof: expect.anything(),
        payload: { command: `orders.${name}`, requestId: expect.any(String), by: USER_NAME, ...fields },
      },
    ]);
  });

  test('0: list prints a line per order, and how to see older ones', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ orders: [ORDER], hasMore: true }));
    const { stdout } = await petstore(
      ['orders', 'list', '--status', 'placed', '--limit', '1', '--before', '482961476313089'],
      operator.environment,
    );
    expect(stdout.trimEnd().split('\n')).toEqual([
      'ID               STATUS  PET              PLACED',
      '482961476313088  placed  482957181345792  2026-01-31 12:00 UTC',
      '',
      'Older ones: petstore orders list --status placed --before 482961476313088',
    ]);
    const fields = { status: 'placed', limit: 1, before: 482961476313089 };
    expect(operator.invocations[0]?.payload).toEqual({ command: 'orders.list', ...fields });
  });

  test('0: list says that there are no orders', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ orders: [], hasMore: false }));
    const { stdout } = await petstore(['orders', 'list', '--status', 'placed'], operator.environment);
    expect(stdout).toBe('No placed orders in staging.\n');
  });

  test('2: list refuses an unknown status', async ({ expect }) => {
    const { stderr, exitCode } = await petstore(['orders', 'list', '--status', 'lost'], {});
    expect(stderr).toContain('placed, approved, delivered');
    expect(exitCode).toBe(2);
  });

  test('0: the text is broken between words at the width of the terminal', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(ORDER));
    const { stdout } = await petstore(['orders', 'place', String(petId)], operator.environment, 50);
    expect(stdout).toBe(`Placed order ${id} in staging. Pet\n${petId} is now pending.\n`);
  });

  test.for([
    ['place', 'pet_unknown', 'There is no animal 1.', 'The API lists them: GET /pets?status=available'],
    ['deliver', 'order_unknown', "Order 1 doesn't exist.", 'List them: petstore orders list'],
  ] as const)(
    '1: %s of an unknown id says what lists the ids',
    async ([name, reason, message, advice], { expect }) => {
      const operator = await startOperatorStandIn(refuses(reason, message, 'not_found'));
      const { stderr, exitCode } = await petstore(['orders', name, '1'], operator.environment);
      expect(stderr).toBe(`Error: ${message}\n  ${advice}\n`);
      expect(exitCode).toBe(1);
    },
  );
});
