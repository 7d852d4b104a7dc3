import { setTimeout as delay } from 'node:timers/promises';
import {
  type CreateGlobalSecondaryIndexAction,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { LocalRuntimeError } from '../local-runtime-error.ts';
import { refuseChangedKeys } from './table-keys.ts';
import { Table } from './table-type.ts';

/** A table as the template declares it, with its physical name. */
export interface DeclaredTable extends Table {
  readonly name: string;
}

/** The tables that the resources declare. */
export function declaredTables(resources: readonly Resource[]): DeclaredTable[] {
  return resources
    .filter(({ type }) => type === 'AWS::DynamoDB::Table')
    .map(resource => ({
      ...parseProperties(Table, resource.properties, resource),
      name: resource.physicalId,
    }));
}

/**
 * Makes sure that the declared tables are there. Those that are keep their data. All are looked at before any is
 * changed, so that a table that cannot be updated leaves everything as it was.
 */
export async function deployTables(endpoint: string, tables: readonly DeclaredTable[]): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const present = await Promise.all(tables.map(table => describe(client, table.name)));
    for (const [index, table] of tables.entries()) {
      refuseChangedKeys(table.name, table, present[index]);
    }
    await Promise.all(
      tables.map((table, index) =>
        deployTable(client, table, present[index]).catch(cause => {
          const message = `The DynamoDB engine refuses the table ${table.name}: ${cause.message}`;
          throw new LocalRuntimeError(message, { cause });
        }),
      ),
    );
  } finally {
    client.destroy();
  }
}

async function deployTable(
  client: DynamoDBClient,
  table: DeclaredTable,
  present: TableDescription | undefined,
): Promise<void> {
  if (present === undefined) {
    await client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: table.AttributeDefinitions,
        KeySchema: table.KeySchema,
        ...(table.GlobalSecondaryIndexes.length > 0 && {
          GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(createIndex),
        }),
        ...(table.LocalSecondaryIndexes.length > 0 && { LocalSecondaryIndexes: table.LocalSecondaryIndexes }),
      }),
    );
    await active(client, table.name);
  } else {
    await deployIndexes(client, table, present);
  }
  await deployTimeToLive(client, table);
}

/** DynamoDB takes one index change per UpdateTable. */
async function deployIndexes(
  client: DynamoDBClient,
  table: DeclaredTable,
  present: TableDescription,
): Promise<void> {
  const presentNames = new Set(present.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const declaredNames = new Set(table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  const updates = [
    ...[...presentNames]
      .filter(name => name !== undefined && !declaredNames.has(name))
      .map(IndexName => ({ Delete: { IndexName } })),
    ...table.GlobalSecondaryIndexes.filter(({ IndexName }) => !presentNames.has(IndexName)).map(index => ({
      Create: createIndex(index),
    })),
  ];
  for (const update of updates) {
    await client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: table.AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [update],
      }),
    );
    await active(client, table.name);
  }
}

async function deployTimeToLive(client: DynamoDBClient, table: DeclaredTable): Promise<void> {
  const { AttributeName, Enabled } = table.TimeToLiveSpecification ?? {};
  if (Enabled !== true || AttributeName === undefined) {
    return;
  }
  try {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: table.name,
        TimeToLiveSpecification: { AttributeName, Enabled: true },
      }),
    );
  } catch (error) {
    // The answers when it is enabled already, and of an engine that has none.
    if (!['ValidationException', 'UnknownOperationException'].includes((error as Error).name)) {
      throw error;
    }
  }
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') {
      return undefined;
    }
    throw new LocalRuntimeError(
      `The DynamoDB engine does not answer DescribeTable ${name}: ${(error as Error).message || (error as Error).name}.`,
      { cause: error },
    );
  }
}

async function active(client: DynamoDBClient, name: string): Promise<void> {
  for (;;) {
    const table = await describe(client, name);
    const statuses = [
      table?.TableStatus,
      ...(table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus),
    ];
    if (statuses.every(status => status === 'ACTIVE')) {
      return;
    }
    await delay(20);
  }
}

function createIndex(index: Table['GlobalSecondaryIndexes'][number]): CreateGlobalSecondaryIndexAction {
  const { IndexName, KeySchema, Projection } = index;
  return { IndexName, KeySchema, Projection };
}
