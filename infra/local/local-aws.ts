/** Runs what a synthesized cloud assembly declares on one machine. How a request travels through it: README.md. */
import { awsService } from './aws-api/aws-service.ts';
import { awsEndpoint } from './aws-api/endpoint.ts';
import type { AwsService } from './aws-api/service-api.ts';
import { cloudFormationService } from './deployed-stacks.ts';
import { Deployer } from './deployment.ts';
import type { DnsFaults } from './dns/name-servers.ts';
import type { DnsServers } from './dns/public-dns.ts';
import { startEdge } from './edge/edge.ts';
import { addressOf, close, listen, originOf } from './host/http-servers.ts';
import { plainResponse, respondToUnreadableRequests } from './host/unreadable-requests.ts';
import { type AccessKey, developerWith } from './iam/principal.ts';
import { lambdaService } from './lambda/lambda-service.ts';
import { logsService } from './logs/logs-service.ts';
import { secretsManagerService } from './secrets.ts';
import { type Services, type ServicesOptions, startServices } from './services.ts';
import { stsService } from './sts-service.ts';

export interface LocalAwsOptions extends ServicesOptions {
  /** Folder of the cloud assembly (cdk.out). */
  readonly assembly: string;
  /** Of the HTTP front (API Gateway); 0 chooses a free one. */
  readonly port: number;
  /** Of the edge, which serves custom domain names; a free one by default. */
  readonly edgePort?: number;
  /** Aborts the start: everything that was started is stopped, and the start fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface LocalAws {
  /** Such as http://127.0.0.1:3000. */
  readonly origin: string;
  readonly awsEndpoint: string;
  /** The developer's access key, kept in the data folder. */
  readonly awsCredentials: AccessKey;
  /** The DynamoDB engine that runs, such as "Dynoxide". */
  readonly engine: string;
  /** A recursive DNS resolver for the hosted zones and the names of AWS, such as 127.0.0.1:5353. */
  readonly dns: string;
  /** Both resolvers, in which tests can keep stale records. The first is at `dns`. */
  readonly dnsResolvers: DnsServers['resolvers'];
  /** The zones and names whose name servers fail, for tests. */
  readonly dnsFaults: DnsFaults;
  /** Where custom domain names are served, such as 127.0.0.1:8443, and the file of the CA certificate to trust there. */
  readonly edge: { readonly https: string; readonly ca: string };
  readonly logFolder: string;
  /** Lambda's metric Errors since the start, by the name of the function; those without an error are absent. */
  readonly functionErrors: ReadonlyMap<string, number>;
  /** Outputs by stack name, with the URLs of APIs on AWS replaced by the origin. */
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Replaces the running assembly without dropping requests. If the new one cannot be deployed, the old one stays. */
  deploy(assembly: string): Promise<void>;
  /** Stops everything that was started. May be called again. */
  stop(): Promise<void>;
}

const NEVER = new AbortController().signal;

/**
 * Starts what the assembly declares. If a part cannot be started, the others are stopped. An error that the developer
 * can fix is a LocalAwsError.
 */
export async function startLocalAws(options: LocalAwsOptions): Promise<LocalAws> {
  const { assembly, port, edgePort = 0, signal = NEVER, report } = options;
  await using parts = new AsyncDisposableStack();
  const services = await startServices(options, parts);
  const { awsServer, authority, data, dns, issuance } = services;

  // The port is bound before something is deployed, to fail early if it is in use. Early requests wait.
  const front = parts.adopt(await listen(port, 'with --port'), close);
  const deployer = new Deployer(services, originOf(front));
  const developerOf = developerWith(services.accessKey);
  respondToUnreadableRequests(awsServer, plainResponse);
  awsServer.on(
    'request',
    awsEndpoint({
      services: endpointServices(services),
      caller: accessKeyId => deployer.current?.callers.get(accessKeyId) ?? developerOf(accessKeyId),
      report,
    }),
  );
  front.on('request', async (request, response) => {
    const { restApis } = deployer.current ?? (await deployer.available());
    restApis.handle(request, response);
  });
  respondToUnreadableRequests(
    front,
    request => deployer.current?.restApis.respondToUnreadable(request) ?? plainResponse(request),
  );
  const edge = parts.adopt(
    await startEdge(edgePort, {
      authority,
      domainNames: services.domainNames,
      findCertificate: arn => services.certificates.find(arn),
      served: certificate => issuance.served(certificate),
      restApis: async () => (await deployer.available()).restApis,
      currentApis: () => deployer.current?.restApis,
    }),
    close,
  );

  services.edge.route = {
    port: Number(addressOf(edge).split(':').at(-1)),
    authority: authority.certificate,
  };
  signal.throwIfAborted();
  await Promise.race([deployer.deploy(assembly), abortOf(signal)]);

  const running = parts.move();
  let stopped: Promise<void> | undefined;
  return {
    origin: originOf(front),
    awsEndpoint: originOf(awsServer),
    // A copy: the SDK writes into what it is given.
    awsCredentials: { ...services.accessKey },
    engine: services.engine.title,
    dns: dns.resolvers[0].address,
    dnsResolvers: dns.resolvers,
    dnsFaults: dns.faults,
    edge: { https: addressOf(edge), ca: authority.file },
    logFolder: data.logFolder,
    functionErrors: services.functions.errors,
    get outputs() {
      return deployer.current?.outputs ?? new Map();
    },
    deploy: folder => deployer.deploy(folder),
    stop: () => {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** The services of the AWS endpoint, by their name in the credential scope. */
function endpointServices(services: Services): Readonly<Record<string, AwsService>> {
  const { apis, functions, logGroups, surroundings } = services;
  return {
    ...Object.fromEntries(Object.entries(apis).map(([name, api]) => [name, awsService(api)])),
    cloudformation: cloudFormationService(services.stacks),
    dynamodb: services.dynamoDb,
    lambda: lambdaService(functions, services.asynchronous),
    logs: logsService({ logGroups, ...surroundings }),
    secretsmanager: secretsManagerService(services.secrets),
    sts: stsService,
  };
}

/** Rejects when the signal is aborted. */
function abortOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
