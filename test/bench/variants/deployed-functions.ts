import { readCloudAssembly } from '../../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveDynamicReferences } from '../../../infra/local/cloudformation/dynamic-references.ts';
import { resolveStack } from '../../../infra/local/cloudformation/stack.ts';
import { declaredTables } from '../../../infra/local/dynamodb/tables.ts';
import {
  declaredFunctions,
  type FunctionConfiguration,
} from '../../../infra/local/lambda/function-configuration.ts';
import { RESOURCE_TYPES } from '../../../infra/local/resource-types.ts';
import { Secrets } from '../../../infra/local/secretsmanager/secrets.ts';

const STACK = 'Petstore-Production';

/** The functions and tables of the synthesized production stack. Its secrets are generated anew. */
export interface DeployedStack {
  /** The function whose logical id has this prefix. */
  function(logicalIdPrefix: string): FunctionConfiguration;
  /** The name of the table whose logical id has this prefix. */
  table(logicalIdPrefix: string): string;
}

export function deployedStack(assembly: string): DeployedStack {
  const { stacks, assets } = readCloudAssembly(assembly);
  const artifact = stacks.find(({ name }) => name === STACK);
  if (!artifact) throw new Error(`The assembly has no stack ${STACK}.`);
  const { resources: declared } = resolveStack(artifact, RESOURCE_TYPES);
  const secrets = new Secrets();
  secrets.create(declared);
  const resources = declared.map(resource => resolveDynamicReferences(resource, secrets.secretString));
  const functions = declaredFunctions(resources, assets);

  return {
    function(prefix) {
      const found = functions.find(({ declaredAt }) => declaredAt.logicalId?.startsWith(prefix));
      if (!found) throw new Error(`${STACK} has no function ${prefix}….`);
      return found;
    },
    table(prefix) {
      const [found] = declaredTables(resources.filter(({ logicalId }) => logicalId.startsWith(prefix)));
      if (!found) throw new Error(`${STACK} has no table ${prefix}….`);
      return found.name;
    },
  };
}
