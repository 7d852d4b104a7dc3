import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { RESOURCE_TYPES } from '../../infra/local/cloudformation/resource-types.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { declaredTables, deployTables } from '../../infra/local/dynamodb/tables.ts';

/** An empty table of its own, as the staging stack declares the one whose logical id starts like this. */
export async function tableLike(logicalIdPrefix: string): Promise<string> {
  const artifact = readCloudAssembly(inject('assembly')).stacks.find(
    ({ name }) => name === 'Petstore-Staging',
  );
  if (!artifact) throw new Error('The assembly has no stack Petstore-Staging.');
  const { resources } = resolveStack(artifact, RESOURCE_TYPES);
  const declared = resources.filter(({ logicalId }) => logicalId.startsWith(logicalIdPrefix));
  const [table] = declaredTables(declared);
  if (!table) throw new Error(`Petstore-Staging has no table ${logicalIdPrefix}….`);
  const name = `${logicalIdPrefix}-${randomUUID()}`;
  await deployTables(inject('dynamoDbEndpoint'), [{ ...table, name }]);
  return name;
}
