import { type RestApiServices, type RestApis, restApis } from './apigateway/rest-apis.ts';
import { readCloudAssembly } from './cloudformation/cloud-assembly.ts';
import { resolveDynamicReferences } from './cloudformation/dynamic-references.ts';
import { REGION, URL_SUFFIX } from './cloudformation/pseudo-parameters.ts';
import { refusal } from './cloudformation/refusal.ts';
import type { Resource } from './cloudformation/resource.ts';
import { resolveStack } from './cloudformation/stack.ts';
import { type DeclaredTable, declaredTables } from './dynamodb/tables.ts';
import { LocalRuntimeError } from './host/local-runtime-error.ts';
import type { GrantLedger } from './iam/grant-ledger.ts';
import type { Principal } from './iam/principal.ts';
import { sessionCredentials } from './iam/principal.ts';
import { declaredRoles } from './iam/roles.ts';
import { declaredFunctions, type FunctionConfiguration } from './lambda/function-configuration.ts';
import { declaredPermissions, type IsPermitted } from './lambda/permissions.ts';
import { RESOURCE_TYPES } from './resource-types.ts';
import { type DeclaredHostedZone, declaredHostedZones } from './route53/hosted-zones.ts';
import type { Secrets } from './secretsmanager/secrets.ts';
import { type DeclaredStateMachine, declaredStateMachines } from './stepfunctions/state-machines.ts';

/** What a cloud assembly declares, checked and ready to deploy. */
export interface Deployment {
  readonly tables: readonly DeclaredTable[];
  readonly hostedZones: readonly DeclaredHostedZone[];
  readonly functions: readonly FunctionConfiguration[];
  readonly isPermitted: IsPermitted;
  /** The functions' roles by the access key that each function is given. */
  readonly principals: ReadonlyMap<string, Principal>;
  readonly restApis: RestApis;
  readonly stateMachines: readonly DeclaredStateMachine[];
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly resources: readonly Resource[];
}

/** Reads and checks a whole assembly. Nothing that runs is changed. */
export function prepareDeployment(
  assembly: string,
  secrets: Secrets,
  origin: string,
  services: RestApiServices,
  grantLedger?: GrantLedger,
): Deployment {
  const { stacks: artifacts, assets } = readCloudAssembly(assembly);
  const stacks = artifacts.map(artifact => resolveStack(artifact, RESOURCE_TYPES));
  const declared = stacks.flatMap(stack => stack.resources);
  secrets.create(declared);
  const resources = declared.map(resource => resolveDynamicReferences(resource, secrets.secretString));
  const functions = declaredFunctions(resources, assets);
  const roles = declaredRoles(resources, grantLedger);
  return {
    tables: declaredTables(resources),
    hostedZones: declaredHostedZones(resources),
    functions,
    isPermitted: declaredPermissions(resources),
    principals: new Map(
      functions.map(({ arn, name, roleArn, declaredAt }) => {
        const role = roles.get(roleArn);
        if (role === undefined) {
          throw refusal(declaredAt, `no stack declares its role ${roleArn}`);
        }
        return [sessionCredentials(arn).accessKeyId, role.assumedBy(name)];
      }),
    ),
    restApis: asLocalRuntimeError(() => restApis(resources, services)),
    stateMachines: declaredStateMachines(resources, roles),
    resources,
    outputs: new Map(stacks.map(({ name, outputs }) => [name, localOutputs(outputs, origin)])),
  };
}

/** API Gateway refuses with a plain Error of one line; the terminal shows only a LocalRuntimeError without its stack. */
function asLocalRuntimeError(make: () => RestApis): RestApis {
  try {
    return make();
  } catch (cause) {
    throw new LocalRuntimeError((cause as Error).message, { cause });
  }
}

/** The origin of an API on AWS, which the outputs have. The local runtime serves it at the HTTP front. */
const API_ORIGIN = new RegExp(
  `https://[a-z0-9]+.execute-api.${REGION}.${URL_SUFFIX}`.replaceAll('.', '\\.'),
  'g',
);

function localOutputs(outputs: Readonly<Record<string, string>>, origin: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, value.replace(API_ORIGIN, origin)]),
  );
}
