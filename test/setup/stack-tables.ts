import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { deployTables } from '../../infra/local/dynamodb/tables.ts';

/** Creates an empty table as the staging stack declares the one whose logical id starts like this; returns its name. */
export async function tableLike(logicalIdPrefix: string): Promise<string> {
  const declared = Object.entries(inject('tables')).find(([id]) => id.startsWith(logicalIdPrefix));
  if (!declared) throw new Error(`Petstore-Staging has no table ${logicalIdPrefix}….`);
  const name = `${logicalIdPrefix}-${randomUUID()}`;
  await deployTables(inject('dynamoDbEndpoint'), [{ ...declared[1], name }]);
  return name;
}
