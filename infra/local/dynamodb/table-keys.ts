import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { LocalRuntimeError } from '../local-runtime-error.ts';
import type { Table } from './table-type.ts';

/** What keys are made of: the parts that a declared table and a present one have in common. */
type Keys = Pick<TableDescription, 'AttributeDefinitions' | 'KeySchema'>;

/** DynamoDB cannot change the keys of a table or of an index that it has. */
export function refuseChangedKeys(
  name: string,
  declared: Table,
  present: TableDescription | undefined,
): void {
  if (present === undefined) {
    return;
  }
  const changed = changedIndexes(declared, present).map(index => `the index ${index} of the table ${name}`);
  if (keysOf(declared, declared) !== keysOf(present, present)) {
    changed.unshift(`the table ${name}`);
  }
  if (changed.length > 0) {
    throw new LocalRuntimeError(
      `The keys of ${changed.join(', ')} differ from those of the kept data: delete the data folder, or start with --memory.`,
    );
  }
}

function changedIndexes(declared: Table, present: TableDescription): string[] {
  const presentIndexes = [
    ...(present.GlobalSecondaryIndexes ?? []),
    ...(present.LocalSecondaryIndexes ?? []),
  ];
  return [...declared.GlobalSecondaryIndexes, ...declared.LocalSecondaryIndexes]
    .filter(index => {
      const same = presentIndexes.find(({ IndexName }) => IndexName === index.IndexName);
      return same !== undefined && keysOf(same, present) !== keysOf(index, declared);
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
