/**
 * Puts up on one machine what a synthesized cloud assembly declares:
 *
 *   client ─ HTTP front (API Gateway) ─ functions in worker threads ─ AWS endpoint ─ DynamoDB Local
 *                                       aws lambda invoke ────────────┘
 */
import type { RestApiServices } from './apigateway/rest-apis.ts';
import { apiGatewayService } from './apigateway-control/api-gateway-service.ts';
import { ApiKeys } from './apigateway-control/api-keys.ts';
import { awsEndpoint } from './aws-api/endpoint.ts';
import { ACCOUNT_ID, REGION } from './cloudformation/pseudo-parameters.ts';
import { openDataFolder, temporaryDataFolder } from './data-folder.ts';
import { type Deployment, prepareDeployment } from './deployment.ts';
import type { DnsFaults } from './dns/dns-faults.ts';
import { startDnsServer } from './dns/dns-server.ts';
import { startDynamoDbLocal } from './dynamodb/dynamodb-local.ts';
import { dynamoDbService } from './dynamodb/dynamodb-service.ts';
import { deployTables } from './dynamodb/tables.ts';
import { startCustomDomains } from './edge/custom-domains.ts';
import { startEdge } from './edge/edge.ts';
import { EventBus } from './events/event-bus.ts';
import { Schedules } from './events/schedules.ts';
import { stackStatusChange } from './events/stack-status-change.ts';
import { addressOf, close, listen, originOf } from './http-servers.ts';
import { developer } from './iam/principal.ts';
import { LambdaFunctions } from './lambda/functions.ts';
import { lambdaService } from './lambda/lambda-service.ts';
import { LogGroups } from './logs/log-groups.ts';
import { deployHostedZones } from './route53/declared-hosted-zones.ts';
import { HostedZones } from './route53/hosted-zones.ts';
import { route53Service } from './route53/route53-service.ts';
import { Secrets } from './secretsmanager/secrets.ts';
import { Executions } from './stepfunctions/executions.ts';
import { stepFunctionsService } from './stepfunctions/step-functions-service.ts';

export interface RuntimeOptions {
  /** Folder of the cloud assembly (cdk.out). */
  assembly: string;
  /** Of the HTTP front (API Gateway); 0 picks a free one. */
  port: number;
  /** Of the AWS endpoint; a free one by default. */
  awsPort?: number;
  /** Of the DNS server; a free one by default. */
  dnsPort?: number;
  /** Of the edge, which serves custom domain names; a free one by default. */
  edgePort?: number;
  /** Where data is kept. Absent: nothing is. */
  dataFolder?: string;
  /** Another DynamoDB engine instead of DynamoDB Local. One that keeps data apart by access key must not. */
  dynamoDbEndpoint?: string;
  /** What the waits of the stand-ins are multiplied by; 1 by default, which is as long as on AWS. */
  waitScale?: number;
  /** Takes one-line messages for the person at the terminal. */
  report(line: string): void;
}

export interface Runtime {
  /** Such as http://127.0.0.1:3000. */
  readonly origin: string;
  readonly awsEndpoint: string;
  /** The DNS server of the hosted zones, such as 127.0.0.1:5353. */
  readonly dns: string;
  /** Names whose servers are out of order, for tests. */
  readonly dnsFaults: DnsFaults;
  /** Where custom domain names are served, such as 127.0.0.1:8443, and the certificate to trust there. */
  readonly edge: { readonly https: string; readonly ca: string };
  readonly logFolder: string;
  /** Outputs by stack name, with the addresses of APIs on AWS replaced by the origin. */
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Puts a new assembly in place of the running one without dropping requests; if it cannot, the old goes on. */
  deploy(assembly: string): Promise<void>;
  /** Stops everything that was started. May be called again. */
  stop(): Promise<void>;
}

/** Starts what the assembly declares. Whatever was started by then is stopped again if something cannot be. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const stops: Stop[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopInReverse(stops);
    return stopped;
  };
  try {
    return await start(options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type Stop = () => unknown;

/** What was started last is stopped first. One that cannot be stopped does not keep the others from it. */
async function stopInReverse(stops: readonly Stop[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stopOne of stops.toReversed()) {
    try {
      await stopOne();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Not everything could be stopped.');
  }
}

async function start(options: RuntimeOptions, stops: Stop[], stop: () => Promise<void>): Promise<Runtime> {
  const { assembly, port, awsPort = 0, dnsPort = 0, edgePort = 0, dataFolder, dynamoDbEndpoint } = options;
  const { waitScale = 1, report } = options;
  const data = dataFolder === undefined ? temporaryDataFolder() : openDataFolder(dataFolder);
  stops.push(data.release);
  const logGroups = new LogGroups(data.logFolder);
  stops.push(() => logGroups.close());

  // The engine takes two seconds to start: it comes first, and the rest happens meanwhile.
  const engine =
    dynamoDbEndpoint === undefined
      ? startDynamoDbLocal(data.databaseFolder, () => report('DynamoDB Local stopped: start again.'))
      : { endpoint: Promise.resolve(dynamoDbEndpoint), stop: async () => {} };
  stops.push(engine.stop);
  const dynamoDb = dynamoDbService(engine.endpoint);
  stops.push(dynamoDb.close);

  const apiKeys = new ApiKeys(data.apiKeysFile);
  let deployed: Deployment | undefined;
  const firstDeployment = Promise.withResolvers<Deployment>();

  const hostedZones = new HostedZones({ file: data.hostedZonesFile, waitScale });
  const dns = await startDnsServer(hostedZones, dnsPort);
  stops.push(dns.stop);

  const awsServer = await listen(awsPort, 'for the AWS endpoint');
  stops.push(() => close(awsServer));
  const functions = new LambdaFunctions({
    awsEndpoint: originOf(awsServer),
    dnsServer: dns.address,
    logGroups,
    report,
  });
  stops.push(() => functions.stop());
  const executions = new Executions({
    file: data.executionsFile,
    waitScale,
    invoke: (functionArn, event) => functions.invoke(functionArn, JSON.stringify(event)),
  });
  stops.push(() => executions.close());
  const bus = new EventBus({ invoke: functions.invokeForService, report });
  const schedules = new Schedules({ waitScale, invoke: functions.invokeForService, report });
  stops.push(() => schedules.stop());
  const customDomains = await startCustomDomains({
    data,
    dnsServer: dns.address,
    waitScale,
    announce: event => bus.put(event),
    report,
  });
  stops.push(customDomains.stop);
  awsServer.on(
    'request',
    awsEndpoint({
      services: {
        acm: customDomains.acm,
        apigateway: apiGatewayService({
          restApis: () => deployed?.restApis,
          apiKeys,
          waitScale,
          ...customDomains,
        }),
        dynamodb: dynamoDb.service,
        lambda: lambdaService(functions),
        states: stepFunctionsService(executions),
        route53: route53Service({ hostedZones }),
      },
      principal: accessKeyId => deployed?.principals.get(accessKeyId) ?? developer,
      report,
    }),
  );

  // The port is taken before there is something to serve, to fail early if it is in use; early clients wait.
  const front = await listen(port, 'with --port');
  stops.push(() => close(front));
  front.on('request', async (request, response) => {
    const { restApis } = deployed ?? (await firstDeployment.promise);
    restApis.handle(request, response);
  });

  const edge = await startEdge(edgePort, {
    ...customDomains,
    restApis: async () => (deployed ?? (await firstDeployment.promise)).restApis,
  });
  stops.push(() => close(edge));

  const origin = originOf(front);
  const secrets = new Secrets(data.secretsFile);
  const services: RestApiServices = {
    invoke: functions.invokeForService,
    writeLog: logGroups.writeByArn,
    findApiKey: value => apiKeys.withValue(value),
    accountId: ACCOUNT_ID,
    region: REGION,
  };

  async function deploy(folder: string): Promise<Deployment> {
    const deployment = prepareDeployment(folder, secrets, origin, services);
    await deployTables(await engine.endpoint, deployment.tables);
    deployHostedZones(hostedZones, deployment.hostedZones);
    functions.deploy(deployment.functions, deployment.isPermitted);
    const isUpdate = deployed !== undefined;
    deployed = deployment;
    executions.deploy(deployment.stateMachines);
    schedules.deploy(deployment.resources);
    bus.deploy(deployment.resources);
    await Promise.all(
      [...deployment.outputs.keys()].map(stack => bus.put(stackStatusChange(stack, isUpdate))),
    );
    return deployment;
  }
  let lastDeployment = deploy(assembly);
  firstDeployment.resolve(await lastDeployment);

  return {
    origin,
    awsEndpoint: originOf(awsServer),
    dns: dns.address,
    dnsFaults: dns.faults,
    edge: { https: addressOf(edge), ca: customDomains.authority.file },
    logFolder: data.logFolder,
    get outputs() {
      return deployed?.outputs ?? new Map();
    },
    deploy: async folder => {
      // One after the other: two at once could leave the functions of one with the routes of the other.
      const previous = lastDeployment;
      lastDeployment = previous.catch(() => {}).then(() => deploy(folder));
      await lastDeployment;
    },
    stop,
  };
}
