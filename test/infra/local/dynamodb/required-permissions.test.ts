import { expect, test } from 'vitest';
import { requiredPermissions } from '../../../../infra/local/dynamodb/dynamodb-service.ts';

const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

test.each([
  ['GetItem', { TableName: 'Pets' }, [['GetItem', table('Pets')]]],
  ['GetItem', { TableName: table('Pets') }, [['GetItem', table('Pets')]]],
  ['Query', { TableName: 'Pets', IndexName: 'byStatus' }, [['Query', `${table('Pets')}/index/byStatus`]]],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 'Pets' } },
        { Update: { TableName: 'Pets' } },
        { Delete: { TableName: 'Orders' } },
        { ConditionCheck: { TableName: 'Keys' } },
      ],
    },
    [
      ['PutItem', table('Pets')],
      ['UpdateItem', table('Pets')],
      ['DeleteItem', table('Orders')],
      ['ConditionCheckItem', table('Keys')],
    ],
  ],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName: 'Pets' } }] }, [['GetItem', table('Pets')]]],
  [
    'BatchWriteItem',
    { RequestItems: { Pets: [], Orders: [] } },
    [
      ['BatchWriteItem', table('Pets')],
      ['BatchWriteItem', table('Orders')],
    ],
  ],
  ['ListTables', {}, [['ListTables', '*']]],
])('%s of %j needs its permissions', (operation, body, expected) => {
  expect(requiredPermissions(operation, JSON.stringify(body))).toEqual(
    expected.map(([action, resource]) => ({ action: `dynamodb:${action}`, resource })),
  );
});
