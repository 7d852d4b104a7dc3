import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { LocalRuntimeError } from '../host/local-runtime-error.ts';
import type { Table } from './table-type.ts';

/** The parts of a table, declared or existing, that define its keys. */
type Keys = Pick<TableDescription, 'AttributeDefinitions' | 'KeySchema'>;

/** Rejects changed keys: DynamoDB cannot change those of an existing table or index. */
export function refuseChangedKeys(
  name: string,
  declared: Table,
  existing: TableDescription | undefined,
): void {
  if (existing === undefined) {
    return;
  }
  const changed = changedIndexes(declared, existing).map(index => `the index ${index} of the table ${name}`);
  if (keysOf(declared, declared) !== keysOf(existing, existing)) {
    changed.unshift(`the table ${name}`);
  }
  if (changed.length > 0) {
    throw new LocalRuntimeError(
      `The keys of ${changed.join(', ')} differ from those of the kept data: delete the data folder, or start with --memory.`,
    );
  }
}

function changedIndexes(declared: Table, existing: TableDescription): string[] {
  const existingIndexes = [
    ...(existing.GlobalSecondaryIndexes ?? []),
    ...(existing.LocalSecondaryIndexes ?? []),
  ];
  return [...declared.GlobalSecondaryIndexes, ...declared.LocalSecondaryIndexes]
    .filter(index => {
      const same = existingIndexes.find(({ IndexName }) => IndexName === index.IndexName);
      return same !== undefined && keysOf(same, existing) !== keysOf(index, declared);
    })
    .map(({ IndexName }) => IndexName);
}

function keysOf({ KeySchema }: Pick<Keys, 'KeySchema'>, { AttributeDefinitions }: Keys): string {
  const typeOf = (name: string | undefined) =>
    AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return JSON.stringify(
    KeySchema?.map(({ AttributeName, KeyType }) => [KeyType, AttributeName, typeOf(AttributeName)]),
  );
}
