import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the tables of %s', stack => {
  const tables = resourcesOf(templateOf(stack), 'AWS::DynamoDB::Table');
  const keepsData = stack === 'Petstore-Production';

  test('can be taken back to any second', () => {
    for (const [name, { Properties }] of tables) {
      const recovery = { PointInTimeRecoveryEnabled: true };
      expect(Properties.PointInTimeRecoverySpecification, name).toMatchObject(recovery);
    }
  });

  test(keepsData ? 'outlive the stack and resist deletion' : 'go with the stack', () => {
    const policies = keepsData ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
    for (const [name, { Properties, DeletionPolicy, UpdateReplacePolicy }] of tables) {
      expect([Properties.DeletionProtectionEnabled, DeletionPolicy, UpdateReplacePolicy], name).toEqual([
        keepsData,
        ...policies,
      ]);
    }
  });

  test('grow with the load, without a capacity to be set', () => {
    for (const [name, { Properties }] of tables) {
      expect(Properties.BillingMode, name).toBe('PAY_PER_REQUEST');
    }
  });

  test('what was created for an Idempotency-Key is forgotten by itself', () => {
    expect(tables.get('PetsCreations')?.Properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'expiresAt',
      Enabled: true,
    });
  });

  test.each([
    ['PetsTable', ['id', 'name', 'categoryId', 'status']],
    ['OrdersTable', ['id', 'petId', 'status', 'placedAt']],
  ])('a page of %s by status is read from the index alone', (name, fields) => {
    const [index] = tables.get(name)?.Properties.GlobalSecondaryIndexes ?? [];
    const keys = index.KeySchema.map(({ AttributeName }: { AttributeName: string }) => AttributeName);
    const inIndex = [...keys, ...index.Projection.NonKeyAttributes];
    expect(inIndex).toEqual(expect.arrayContaining(fields));
  });
});
