import { setTimeout as delay } from 'node:timers/promises';
import {
  type CreateGlobalSecondaryIndexAction,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  resourcesOf,
} from '../cloudformation/resource-type.ts';
import { LocalAwsError } from '../host/local-aws-error.ts';
import type { AccessKey } from '../iam/principal.ts';

const KeySchema = z
  .array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .min(1);

const Projection = z.strictObject({
  ProjectionType: z.literal('ALL', 'only indexes with all attributes are supported'),
});

/** Capacity, limits, backups, encryption and observation: DynamoDB Local has none of them. */
const indexWithoutEffect = {
  ContributorInsightsSpecification: noEffect,
  OnDemandThroughput: noEffect,
  ProvisionedThroughput: noEffect,
  WarmThroughput: noEffect,
};
const tableWithoutEffect = {
  ...indexWithoutEffect,
  DeletionProtectionEnabled: noEffect,
  PointInTimeRecoverySpecification: noEffect,
  SSESpecification: noEffect,
  TableClass: noEffect,
  Tags: noEffect,
};

/** AWS::DynamoDB::Table. */
export const Table = z.strictObject({
  ...tableWithoutEffect,
  TableName: z.string().optional(),
  BillingMode: z.literal('PAY_PER_REQUEST').optional(),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema,
  GlobalSecondaryIndexes: z
    .array(z.strictObject({ ...indexWithoutEffect, IndexName: z.string(), KeySchema, Projection }))
    .default([]),
  TimeToLiveSpecification: z
    .strictObject({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
});
export type Table = z.output<typeof Table>;

export const tableType: ResourceType = {
  properties: Table,
  ref: declaration => nameOf(declaration, 'TableName'),
  attributes: { Arn: declaration => regionalArn('dynamodb', `table/${nameOf(declaration, 'TableName')}`) },
};

/** A table as the template declares it, with its physical name. */
export interface DeclaredTable extends Table {
  readonly name: string;
}

/** The tables that the resources declare. */
export function declaredTables(resources: readonly Resource[]): DeclaredTable[] {
  return resourcesOf('AWS::DynamoDB::Table', Table, resources).map(({ physicalId: name, properties }) => ({
    ...properties,
    name,
  }));
}

/** An engine that has just started on a busy machine takes seconds to create a table. */
const RESPONSE_LIMIT_MS = 60_000;

/** How DynamoDB is reached. */
export interface DynamoDbAccess {
  readonly endpoint: string;
  readonly credentials: AccessKey;
}

/** Does something with a client of the engine. */
async function withEngine<Result>(
  access: DynamoDbAccess,
  use: (client: DynamoDBClient) => Promise<Result>,
): Promise<Result> {
  const client = new DynamoDBClient({
    ...access,
    // The SDK writes into what it is given.
    credentials: { ...access.credentials },
    region: REGION,
    requestHandler: { requestTimeout: RESPONSE_LIMIT_MS, throwOnRequestTimeout: true },
  });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

/**
 * Creates or updates the declared tables. Existing tables keep their data. All tables are checked before the first is
 * changed, so that a table that cannot be updated leaves the others unchanged.
 */
export async function deployTables(access: DynamoDbAccess, tables: readonly DeclaredTable[]): Promise<void> {
  if (tables.length === 0) return;
  await withEngine(access, async client => {
    const existing = await Promise.all(tables.map(table => describe(client, table.name)));
    for (const [index, table] of tables.entries()) {
      refuseChanges(table.name, table, existing[index]);
    }
    await Promise.all(
      tables.map((table, index) =>
        deployTable(client, table, existing[index]).catch(cause => {
          const message = `The DynamoDB engine rejects the table ${table.name}: ${cause.message}`;
          throw new LocalAwsError(message, { cause });
        }),
      ),
    );
  });
}

async function deployTable(
  client: DynamoDBClient,
  table: DeclaredTable,
  existing: TableDescription | undefined,
): Promise<void> {
  const found = existing ?? (await createTable(client, table));
  if (found !== undefined) {
    await deployIndexes(client, table, found);
  }
  await deployTimeToLive(client, table);
}

/** Creates a table. Returns the one that is there if another process has been faster: services can share an engine. */
async function createTable(
  client: DynamoDBClient,
  table: DeclaredTable,
): Promise<TableDescription | undefined> {
  try {
    const { TableDescription: created } = await client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: table.AttributeDefinitions,
        KeySchema: table.KeySchema,
        ...(table.GlobalSecondaryIndexes.length > 0 && {
          GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(createIndex),
        }),
      }),
    );
    await waitUntilActive(client, table.name, created);
    return undefined;
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) {
      throw error;
    }
    const found = await describe(client, table.name);
    await waitUntilActive(client, table.name, found);
    refuseChanges(table.name, table, found);
    return found;
  }
}

/** Creates and deletes indexes, one per UpdateTable as DynamoDB requires. */
async function deployIndexes(
  client: DynamoDBClient,
  table: DeclaredTable,
  existing: TableDescription,
): Promise<void> {
  const existingNames = new Set(existing.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const declaredNames = new Set(table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  const updates = [
    ...[...existingNames]
      .filter(name => name !== undefined && !declaredNames.has(name))
      .map(IndexName => ({ Delete: { IndexName } })),
    ...table.GlobalSecondaryIndexes.filter(({ IndexName }) => !existingNames.has(IndexName)).map(index => ({
      Create: createIndex(index),
    })),
  ];
  for (const update of updates) {
    const { TableDescription: updated } = await client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: table.AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [update],
      }),
    );
    await waitUntilActive(client, table.name, updated);
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
    // Time to live is already enabled, or the engine does not support it.
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
    throw new LocalAwsError(
      `The DynamoDB engine does not respond to DescribeTable ${name}: ${(error as Error).message || (error as Error).name}.`,
      { cause: error },
    );
  }
}

/** With DynamoDB Local a new table is active at once; other engines need time. */
async function waitUntilActive(
  client: DynamoDBClient,
  name: string,
  described: TableDescription | undefined,
): Promise<void> {
  for (let table = described; !isActive(table); table = await describe(client, name)) {
    await delay(20);
  }
}

function isActive(table: TableDescription | undefined): boolean {
  const statuses = [
    table?.TableStatus,
    ...(table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus),
  ];
  return statuses.every(status => status === 'ACTIVE');
}

function createIndex(index: Table['GlobalSecondaryIndexes'][number]): CreateGlobalSecondaryIndexAction {
  const { IndexName, KeySchema, Projection } = index;
  return { IndexName, KeySchema, Projection };
}

/** The parts of a table, declared or existing, that define its keys. */
type Keys = Pick<TableDescription, 'AttributeDefinitions' | 'KeySchema'>;

/** Refuses what DynamoDB can't change in an existing table: its keys and those of its indexes. */
function refuseChanges(name: string, declared: Table, existing: TableDescription | undefined): void {
  if (existing === undefined) return;
  const changed = declared.GlobalSecondaryIndexes.flatMap(index => {
    const same = existing.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName);
    if (same === undefined) return [];
    const isSame = keysOf(same, existing) === keysOf(index, declared);
    return isSame ? [] : [`the keys of the index ${index.IndexName} of the table ${name}`];
  });
  if (keysOf(declared, declared) !== keysOf(existing, existing)) {
    changed.unshift(`the keys of the table ${name}`);
  }
  if (changed.length > 0) {
    throw new LocalAwsError(
      `DynamoDB can't change ${changed.join(', ')}. Create an index or a table with another name, or give up the kept data: delete the data folder, or start with --memory.`,
    );
  }
}

function keysOf({ KeySchema }: Pick<Keys, 'KeySchema'>, { AttributeDefinitions }: Keys): string {
  const typeOf = (name: string | undefined) =>
    AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return JSON.stringify(
    KeySchema?.map(({ AttributeName, KeyType }) => [KeyType, AttributeName, typeOf(AttributeName)]),
  );
}
