import { isDeepStrictEqual } from 'node:util';
import { type RestApiServices, type RestApis, restApis } from './apigateway/rest-apis.ts';
import { readCloudAssembly } from './cloudformation/cloud-assembly.ts';
import { ACCOUNT_ID, REGION, URL_SUFFIX } from './cloudformation/pseudo-parameters.ts';
import { type Resource, refusal } from './cloudformation/resource-type.ts';
import { resolveDynamicReferences, resolveStack } from './cloudformation/stack.ts';
import { type DeclaredTable, declaredTables, deployTables } from './dynamodb/tables.ts';
import { stackStatusChange } from './events/event-bus.ts';
import { originOf } from './host/http-servers.ts';
import { LocalAwsError } from './host/local-aws-error.ts';
import type { GrantLedger } from './iam/grant-ledger.ts';
import { type AccessKey, type Caller, sessionCredentials } from './iam/principal.ts';
import { type DeclaredRole, declaredRoles, sessionArn } from './iam/roles.ts';
import { declaredFunctions, type FunctionConfiguration } from './lambda/function-configuration.ts';
import { declaredPermissions, type IsPermitted } from './lambda/permissions.ts';
import { RESOURCE_TYPES } from './resource-types.ts';
import { type DeclaredHostedZone, declaredHostedZones, deployHostedZones } from './route53/hosted-zones.ts';
import type { Secrets } from './secrets.ts';
import type { Services } from './services.ts';
import { type DeclaredStateMachine, declaredStateMachines } from './stepfunctions/state-machines.ts';

/** What a cloud assembly declares, checked and ready to deploy. */
export interface Deployment {
  readonly tables: readonly DeclaredTable[];
  readonly hostedZones: readonly DeclaredHostedZone[];
  readonly functions: readonly FunctionConfiguration[];
  readonly isPermitted: IsPermitted;
  /** The functions in their roles, by the access key that each is given. */
  readonly callers: ReadonlyMap<string, Caller>;
  readonly restApis: RestApis;
  readonly stateMachines: readonly DeclaredStateMachine[];
  /** By ARN. */
  readonly roles: ReadonlyMap<string, DeclaredRole>;
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly resources: readonly Resource[];
}

/** Deploys assemblies to the services, one after the other. */
export class Deployer {
  readonly #services: Services;
  readonly #origin: string;
  readonly #first = Promise.withResolvers<Deployment>();
  #current: Deployment | undefined;
  #last: Promise<void> = Promise.resolve();

  /** The origin is that of the HTTP front, which the outputs name. */
  constructor(services: Services, origin: string) {
    this.#services = services;
    this.#origin = origin;
  }

  /** What is deployed; undefined before the first deployment. */
  get current(): Deployment | undefined {
    return this.#current;
  }

  /** The current deployment. Before the first one it waits for that. */
  async available(): Promise<Deployment> {
    return this.#current ?? this.#first.promise;
  }

  /**
   * Replaces what is deployed. If the assembly cannot be deployed, the current deployment goes on. Two deployments at
   * once could combine the functions of one with the routes of the other, so the second waits.
   */
  deploy(assembly: string): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#deploy(assembly));
    return this.#last;
  }

  async #deploy(assembly: string): Promise<void> {
    const {
      secrets,
      engine,
      awsServer,
      hostedZones,
      logGroups,
      functions,
      executions,
      schedules,
      bus,
      stacks,
      topics,
      grantLedger,
      accessKey,
    } = this.#services;
    const deployment = prepareDeployment(
      assembly,
      secrets,
      this.#origin,
      this.#restApiServices(),
      accessKey,
      grantLedger,
    );
    this.#refuseToDeleteMappedApis(deployment);
    // Fails here if the engine does not start, with its own error.
    await engine.endpoint;
    await deployTables(
      { endpoint: originOf(awsServer), credentials: accessKey },
      changedTables(this.#current?.tables, deployment.tables),
    );
    logGroups.deploy(deployment.resources);
    deployHostedZones(hostedZones, deployment.hostedZones);
    functions.deploy(deployment.functions, deployment.isPermitted);
    this.#current = deployment;
    this.#services.deployed.restApis = deployment.restApis;
    topics.deploy(deployment.resources);
    executions.deploy(deployment.stateMachines, deployment.roles);
    schedules.deploy(deployment.resources);
    bus.deploy(deployment.resources);
    const deployed = stacks.deploy([...deployment.outputs.keys()]);
    await Promise.all(deployed.map(stack => bus.put(stackStatusChange(stack))));
    this.#first.resolve(deployment);
  }

  /** API Gateway does not delete a REST API while base path mappings name it, so such an update of a stack fails. */
  #refuseToDeleteMappedApis(next: Deployment): void {
    const { domainNames } = this.#services;
    const deleted = restApiIds(this.#current).difference(restApiIds(next));
    const mapped = domainNames.list().find(({ mapping }) => mapping && deleted.has(mapping.restApiId));
    if (mapped !== undefined) {
      const { domainName, mapping } = mapped;
      throw new LocalAwsError(
        `The REST API ${mapping?.restApiId} cannot be deleted: the domain name ${domainName} is mapped to it.`,
      );
    }
  }

  #restApiServices(): RestApiServices {
    const { functions, logGroups, apiKeys, restApiSettings, patience } = this.#services;
    return {
      invoke: functions.invokeForService,
      writeLog: logGroups.writeByArn,
      findApiKey: value => apiKeys.effectiveWithValue(value),
      isDefaultEndpointClosed: apiId => restApiSettings.of(apiId).isDefaultEndpointClosed,
      accountId: ACCOUNT_ID,
      patience,
      region: REGION,
    };
  }
}

/** Reads and checks a whole assembly. Nothing that runs is changed. */
function prepareDeployment(
  assembly: string,
  secrets: Secrets,
  origin: string,
  services: RestApiServices,
  accessKey: AccessKey,
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
    callers: new Map(
      functions.map(({ arn, name, roleArn, declaredAt }) => {
        const role = roles.get(roleArn);
        if (role === undefined) {
          throw refusal(declaredAt, `no stack declares its role ${roleArn}`);
        }
        const { accessKeyId, ...secrets } = sessionCredentials(arn, accessKey);
        const caller = { ...secrets, arn: sessionArn(roleArn.replace(/^.*\//, ''), name) };
        return [accessKeyId, { ...caller, principal: role.assumedBy(name) }];
      }),
    ),
    restApis: restApis(resources, services),
    stateMachines: declaredStateMachines(resources, roles),
    roles,
    resources,
    outputs: new Map(stacks.map(({ name, outputs }) => [name, localOutputs(outputs, origin)])),
  };
}

/** The origin of an API on AWS, which the outputs have. The local AWS serves it at the HTTP front. */
const API_ORIGIN = new RegExp(
  `https://[a-z0-9]+.execute-api.${REGION}.${URL_SUFFIX}`.replaceAll('.', '\\.'),
  'g',
);

function localOutputs(outputs: Readonly<Record<string, string>>, origin: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, value.replace(API_ORIGIN, origin)]),
  );
}

/** As CloudFormation does, a deployment leaves a table alone whose declaration is the same as before. */
function changedTables(
  current: readonly DeclaredTable[] = [],
  next: readonly DeclaredTable[],
): readonly DeclaredTable[] {
  return next.filter(table => !current.some(deployed => isDeepStrictEqual(deployed, table)));
}

function restApiIds(deployment: Deployment | undefined): ReadonlySet<string> {
  const restApis = deployment?.resources.filter(({ type }) => type === 'AWS::ApiGateway::RestApi') ?? [];
  return new Set(restApis.map(({ physicalId }) => physicalId));
}
