import {
  type AttributeValue,
  DynamoDBClient,
  ListTablesCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { Engine } from '../engine.ts';

export type TableItem = Record<string, AttributeValue | undefined>;

function clientOf(engine: Engine): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: engine.endpoint ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'auditor', secretAccessKey: 'x' },
  });
}

/** The names of all tables. */
export async function tableNames(engine: Engine): Promise<string[]> {
  const client = clientOf(engine);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

/** All items of a table, read from the engine itself, without the proxy. */
export async function itemsOf(engine: Engine, TableName: string): Promise<TableItem[]> {
  const client = clientOf(engine);
  const items: TableItem[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    items.push(...Items);
  }
  client.destroy();
  return items;
}

/** The items of a table of a stage, by the beginning of its logical id: `Petstore-Staging-PetsTable…` is its name here. */
export async function tableItems(engine: Engine, stage: string, logicalId: string): Promise<TableItem[]> {
  const stack = `Petstore-${stage[0]?.toUpperCase()}${stage.slice(1)}`;
  const name = (await tableNames(engine)).find(table => table.startsWith(`${stack}-${logicalId}`));
  if (name === undefined) throw new Error(`There is no table ${stack}-${logicalId}…`);
  return itemsOf(engine, name);
}
