import { isDeepStrictEqual } from 'node:util';
import type { RestApiServices } from './apigateway/rest-apis.ts';
import { ACCOUNT_ID, REGION } from './cloudformation/pseudo-parameters.ts';
import { type Deployment, prepareDeployment } from './deployment.ts';
import { type DeclaredTable, deployTables } from './dynamodb/tables.ts';
import { stackStatusChange } from './events/event-bus.ts';
import { LocalRuntimeError } from './host/local-runtime-error.ts';
import { deployHostedZones } from './route53/hosted-zones.ts';
import type { Services } from './services.ts';

/** Deploys assemblies to the services, one after the other. */
export class Deployments {
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
    const { secrets, engine, hostedZones, logGroups, functions, executions, schedules, bus, grantLedger } =
      this.#services;
    const deployment = prepareDeployment(
      assembly,
      secrets,
      this.#origin,
      this.#restApiServices(),
      grantLedger,
    );
    this.#refuseToDeleteMappedApis(deployment);
    await deployTables(await engine.endpoint, changedTables(this.#current?.tables, deployment.tables));
    logGroups.deploy(deployment.resources);
    deployHostedZones(hostedZones, deployment.hostedZones);
    functions.deploy(deployment.functions, deployment.isPermitted, deployment.principals);
    const isUpdate = this.#current !== undefined;
    this.#current = deployment;
    executions.deploy(deployment.stateMachines);
    schedules.deploy(deployment.resources);
    bus.deploy(deployment.resources);
    const stacks = [...deployment.outputs.keys()];
    await Promise.all(stacks.map(stack => bus.put(stackStatusChange(stack, isUpdate))));
    this.#first.resolve(deployment);
  }

  /** API Gateway does not delete a REST API while base path mappings name it, so such an update of a stack fails. */
  #refuseToDeleteMappedApis(next: Deployment): void {
    const { domainNames } = this.#services.customDomains;
    const deleted = restApiIds(this.#current).difference(restApiIds(next));
    const mapped = domainNames.list().find(({ mapping }) => mapping && deleted.has(mapping.restApiId));
    if (mapped !== undefined) {
      const { domainName, mapping } = mapped;
      throw new LocalRuntimeError(
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
