import { account } from './account.ts';
import { openCertificateAuthority } from './acm/certificate-authority.ts';
import { lookupAt } from './acm/dns-validation.ts';
import type { RestApis } from './apigateway/rest-apis.ts';
import { DeployedStacks } from './deployed-stacks.ts';
import { startDnsServers } from './dns/public-dns.ts';
import { dynamoDbService } from './dynamodb/dynamodb-service.ts';
import { type Engine, startEngine } from './dynamodb/engine.ts';
import type { EngineName } from './dynamodb/engine-program.ts';
import { EventBus } from './events/event-bus.ts';
import { Schedules } from './events/schedules.ts';
import { type DataFolder, openDataFolder, temporaryDataFolder } from './host/data-folder.ts';
import { close, listen, originOf } from './host/http-servers.ts';
import { GrantLedgerFile } from './iam/grant-ledger.ts';
import { developerKey } from './iam/principal.ts';
import { AsynchronousInvocations } from './lambda/asynchronous-invocations.ts';
import type { EdgeRoute } from './lambda/execution-environment.ts';
import { LambdaFunctions, type Report } from './lambda/functions.ts';
import { LogGroups } from './logs/log-groups.ts';
import { HostedZones } from './route53/hosted-zones.ts';
import { Secrets } from './secrets.ts';
import { type AwsBehavior, steadyBehavior, surroundings as surroundingsOf } from './surroundings.ts';
import { Topics } from './topics.ts';

/** Where a developer sees the events of the bus: aws-events-default.log. */
const EVENT_LOG_GROUP = '/aws/events/default';

/** Where a developer sees the mails that SNS would send: aws-sns-email.log. */
const MAIL_LOG_GROUP = '/aws/sns/email';

export interface ServicesOptions {
  /** Of the AWS endpoint; a free one by default. */
  readonly awsPort?: number;
  /** Of the DNS resolver; a free one by default. */
  readonly dnsPort?: number;
  /** Where data is kept. Without it, data is kept in memory. */
  readonly dataFolder?: string;
  /** The DynamoDB engine to start; Dynoxide where it can, else DynamoDB Local. */
  readonly engine?: EngineName;
  /** A DynamoDB engine to use instead of starting one. */
  readonly dynamoDbEndpoint?: string;
  /** What the waits of AWS are multiplied by; 1 by default. */
  readonly waitScale?: number;
  /** How long certificates are valid; ACM's 198 days by default. They are renewed in the last third. */
  readonly certificateMinutes?: number;
  /** What the time-outs of functions and of integrations are multiplied by; 1 by default. */
  readonly patience?: number;
  /** Environment variables of every function, which override those of the template. */
  readonly functionVariables?: Readonly<Record<string, string>>;
  /** A file to which the calls of all roles are appended, with the grants that allow them (iam/grant-ledger.ts). */
  readonly grantLedger?: string;
  readonly report: Report;
}

/** The AWS services with their state, before something is deployed to them. */
export type Services = Awaited<ReturnType<typeof startServices>>;

/** Starts the services, and registers with `parts` how each is stopped. */
export async function startServices(options: ServicesOptions, parts: AsyncDisposableStack) {
  const { awsPort = 0, dnsPort = 0, dataFolder, waitScale = 1, patience = 1, report } = options;
  const behavior = behaviorOf(options);
  const surroundings = surroundingsOf({ waitScale, behavior: () => behavior });
  const data = dataFolder === undefined ? temporaryDataFolder() : openDataFolder(dataFolder);
  parts.defer(data.release);
  const accessKey = developerKey(data.accessKeyFile);
  const grantLedger =
    options.grantLedger === undefined ? undefined : new GrantLedgerFile(options.grantLedger);
  parts.defer(() => grantLedger?.close());
  const logGroups = parts.adopt(new LogGroups(data.logFolder), groups => groups.close());
  // DynamoDB Local takes two seconds to start: the engine starts first, and the rest does not wait for it.
  const engine = parts.adopt(engineFor(data, options), ({ stop }) => stop());
  const dynamoDb = parts.adopt(dynamoDbService(engine), ({ close: closeAgents }) => closeAgents());
  const hostedZones = new HostedZones({ file: data.hostedZonesFile, ...surroundings });
  const dns = parts.adopt(
    await startDnsServers(hostedZones, { port: dnsPort, ...surroundings }),
    ({ stop }) => stop(),
  );
  // The URL is given to functions now; the request listener is added when all services exist.
  const awsServer = parts.adopt(await listen(awsPort, 'for the AWS endpoint'), close);
  const [{ address: resolver }, { address: secondResolver }] = dns.resolvers;
  // Where functions reach the edge, which starts later.
  const edge: { route: EdgeRoute | undefined } = { route: undefined };
  const network = {
    awsEndpoint: originOf(awsServer),
    dynamoDbEndpoint: originOf(awsServer),
    dnsResolvers: [resolver, secondResolver] as const,
    accessKey,
  };
  const functions = parts.adopt(
    new LambdaFunctions({
      ...network,
      edge: () => edge.route,
      waitScale,
      patience,
      variables: options.functionVariables ?? {},
      logGroups,
      report,
    }),
    started => started.stop(),
  );
  const stacks = new DeployedStacks();
  const topics = new Topics(mail => logGroups.write(MAIL_LOG_GROUP, JSON.stringify(mail)));
  const authority = await openCertificateAuthority(data.authorityFolder);
  // The APIs of the current deployment.
  const deployed: { restApis: RestApis | undefined } = { restApis: undefined };
  const accountServices = account({
    surroundings,
    files: data,
    hostedZones,
    lookup: lookupAt(dns.resolverOfAcm),
    signer: authority,
    executions: {
      invoke: (functionArn, event) => functions.invoke(functionArn, JSON.stringify(event)),
      aws: { topics },
    },
    restApis: () => deployed.restApis,
    publish: event => void bus.put(event),
  });
  const { executions, issuance } = accountServices;
  parts.defer(() => executions.close());
  const asynchronous = parts.adopt(new AsynchronousInvocations(waitScale), started => started.stop());
  const delivery = {
    invoke: functions.invokeForService,
    startExecution: executions.startByRule.bind(executions),
    asynchronous,
    report,
    ...surroundings,
  };
  const bus = new EventBus({ ...delivery, record: line => logGroups.write(EVENT_LOG_GROUP, line) });
  const schedules = new Schedules(delivery);
  parts.defer(() => schedules.stop());
  parts.defer(issuance.start(report).stop);
  const secrets = new Secrets(data.secretsFile);
  return {
    surroundings,
    data,
    stacks,
    topics,
    logGroups,
    engine,
    dynamoDb: dynamoDb.service,
    ...accountServices,
    authority,
    deployed,
    secrets,
    hostedZones,
    dns,
    awsServer,
    functions,
    asynchronous,
    bus,
    schedules,
    edge,
    grantLedger,
    patience,
    accessKey,
  };
}

function behaviorOf({ waitScale, certificateMinutes }: ServicesOptions): AwsBehavior {
  const steady = steadyBehavior(waitScale);
  if (certificateMinutes === undefined) return steady;
  return { ...steady, validityMs: () => certificateMinutes * 60_000 };
}

function engineFor(
  { databaseFolder }: DataFolder,
  { engine: name, dynamoDbEndpoint: endpoint, report }: ServicesOptions,
): Engine {
  if (endpoint !== undefined) {
    return {
      title: `the engine at ${endpoint}`,
      endpoint: Promise.resolve(endpoint),
      accessKeyId: 'local',
      commitSeconds: 0,
      stop: async () => {},
    };
  }
  const onDied = () => report('The DynamoDB engine stopped: start again.');
  return startEngine({ name, databaseFolder, onDied });
}
