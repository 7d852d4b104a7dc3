import { readCloudAssembly } from '../cloudformation/cloud-assembly.ts';
import { resolveDynamicReferences } from '../cloudformation/stack.ts';
import { declaredTables } from '../dynamodb/tables.ts';
import { developerKey } from '../iam/principal.ts';
import { functionEnvironment } from '../lambda/execution-environment.ts';
import { declaredFunctions, type FunctionConfiguration } from '../lambda/function-configuration.ts';
import { Secrets } from '../secrets.ts';
import { readResources } from '../template.ts';

export type { FunctionConfiguration };

/** The functions and tables of a synthesized stack, by the prefixes of their logical ids. Its secrets are generated anew. */
export function deployedStack(assembly: string, stack: string) {
  const { assets } = readCloudAssembly(assembly);
  const declared = readResources(assembly, stack);
  const secrets = new Secrets();
  secrets.create(declared);
  const resources = declared.map(resource => resolveDynamicReferences(resource, secrets.secretString));
  const functions = declaredFunctions(resources, assets);

  return {
    function(prefix: string): FunctionConfiguration {
      const found = functions.find(({ declaredAt }) => declaredAt.logicalId?.startsWith(prefix));
      if (!found) throw new Error(`${stack} has no function ${prefix}….`);
      return found;
    },
    table(prefix: string): string {
      const [found] = declaredTables(resources.filter(({ logicalId }) => logicalId.startsWith(prefix)));
      if (!found) throw new Error(`${stack} has no table ${prefix}….`);
      return found.name;
    },
  };
}

/** The environment of a function that calls an engine directly, which separates data by access key. */
export function environmentOf(configuration: FunctionConfiguration, awsEndpoint: string) {
  return {
    ...functionEnvironment(configuration, 'bench', { awsEndpoint, accessKey: developerKey(undefined) }),
    AWS_ACCESS_KEY_ID: 'local',
  };
}
