import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, inject, onTestFinished, TestRunner } from 'vitest';
import type { DeclaredTable } from '../../infra/local/template.ts';
import { deployTables } from '../../infra/local/testing/tables.ts';

/** The engine separates data by access key, and verifies no signature. */
const ENGINE_KEY = { accessKeyId: 'local', secretAccessKey: 'local' };

/** A table that was created for a test, and the file whose tests use it; undefined once a test has given it back. */
interface LentTable {
  readonly kind: string;
  readonly name: string;
  user: string | undefined;
}

/**
 * The tables that this process has created. Creating one costs the engine more than most tests do, and every table that
 * exists costs it a little all the time: so one that no test uses any more is emptied and used again.
 */
const lent: LentTable[] = tablesOfProcess();

/**
 * Returns the name of an empty table as the staging stack declares the one whose logical id starts like this. Nobody else
 * uses it: until the end of the test that asks for it, or of the file if no test does.
 */
export async function tableLike(logicalIdPrefix: string): Promise<string> {
  const declared = Object.entries(inject('tables')).find(([id]) => id.startsWith(logicalIdPrefix))?.[1];
  if (!declared) throw new Error(`Petstore-Staging has no table ${logicalIdPrefix}….`);
  const file = expect.getState().testPath ?? '';
  const table = takeUnused(logicalIdPrefix, file);
  const name =
    (table && (await emptied(table, declared))) ?? (await created(logicalIdPrefix, declared, file));
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => giveBack(name));
  return name;
}

/**
 * The table that has been unused for the longest, if there are two: what a test has given back rests during the next one,
 * so that a request that nobody waited for has long been completed.
 */
function takeUnused(kind: string, file: string): LentTable | undefined {
  const [table, next] = lent.filter(other => other.kind === kind && other.user !== file);
  if (!table || !next) return undefined;
  lent.splice(lent.indexOf(table), 1);
  lent.push(table);
  table.user = file;
  return table;
}

function giveBack(name: string): void {
  const table = lent.find(other => other.name === name);
  if (!table) return;
  lent.splice(lent.indexOf(table), 1);
  lent.push(table);
  table.user = undefined;
}

/** Empties a table. One that has many items is deleted instead, and undefined returned. */
async function emptied(table: LentTable, declared: DeclaredTable): Promise<string | undefined> {
  const keyNames = declared.KeySchema.map(({ AttributeName }) => AttributeName);
  if (await removeItems(inject('dynamoDbEndpoint'), table.name, keyNames)) return table.name;
  lent.splice(lent.indexOf(table), 1);
  return undefined;
}

async function created(kind: string, declared: DeclaredTable, file: string): Promise<string> {
  const name = `${kind}-${randomUUID()}`;
  await deployTables({ endpoint: inject('dynamoDbEndpoint'), credentials: ENGINE_KEY }, [
    { ...declared, name },
  ]);
  lent.push({ kind, name, user: file });
  return name;
}

/** Modules are evaluated anew for some files (fresh-modules.ts), but the process stays. */
function tablesOfProcess(): LentTable[] {
  const key = Symbol.for('petstore.test-tables');
  const process = globalThis as { [key]?: LentTable[] };
  process[key] ??= [];
  return process[key];
}

/** The most items of one BatchWriteItem. */
const BATCH_LENGTH = 25;

/** To delete a table costs about as much as this many items. */
const MAX_REMOVED_ITEMS = 100;

/** Removes the items of a table. Deletes the table instead if it has many, and returns false then. */
async function removeItems(endpoint: string, table: string, keyNames: readonly string[]): Promise<boolean> {
  const client = clientOf(endpoint);
  const { Items: keys = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({
      TableName: table,
      ProjectionExpression: keyNames.map((_, index) => `#${index}`).join(),
      ExpressionAttributeNames: Object.fromEntries(keyNames.map((name, index) => [`#${index}`, name])),
      ConsistentRead: true,
      Limit: MAX_REMOVED_ITEMS,
    }),
  );
  if (LastEvaluatedKey) {
    await client.send(new DeleteTableCommand({ TableName: table }));
    return false;
  }
  for (let first = 0; first < keys.length; first += BATCH_LENGTH) {
    await removeBatch(client, table, keys.slice(first, first + BATCH_LENGTH));
  }
  return true;
}

async function removeBatch(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, AttributeValue>[],
): Promise<void> {
  const { UnprocessedItems = {} } = await client.send(
    new BatchWriteItemCommand({ RequestItems: { [table]: keys.map(Key => ({ DeleteRequest: { Key } })) } }),
  );
  if (Object.keys(UnprocessedItems).length > 0) throw new Error(`The engine left items in ${table}.`);
}

let known: DynamoDBClient | undefined;

function clientOf(endpoint: string): DynamoDBClient {
  known ??= new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: ENGINE_KEY,
  });
  return known;
}
