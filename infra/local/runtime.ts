/** Runs what a synthesized cloud assembly declares on one machine. How a request travels through it: README.md. */
import { awsEndpoint } from './aws-api/endpoint.ts';
import { awsServices } from './aws-services.ts';
import { Deployments } from './deployments.ts';
import type { DnsFaults } from './dns/name-servers.ts';
import type { PublicDns } from './dns/public-dns.ts';
import { startEdge } from './edge/edge.ts';
import { addressOf, close, listen, originOf } from './host/http-servers.ts';
import { answerUnreadableRequests, plainAnswer } from './host/unreadable-requests.ts';
import { principalOutside } from './iam/principal.ts';
import { startServices } from './services.ts';

export interface RuntimeOptions {
  /** Folder of the cloud assembly (cdk.out). */
  assembly: string;
  /** Of the HTTP front (API Gateway); 0 chooses a free one. */
  port: number;
  /** Of the AWS endpoint; a free one by default. */
  awsPort?: number;
  /** Of the DNS resolver; a free one by default. */
  dnsPort?: number;
  /** Of the edge, which serves custom domain names; a free one by default. */
  edgePort?: number;
  /** Where data is kept. Without it, data is kept in memory. */
  dataFolder?: string;
  /** A DynamoDB engine to use instead of DynamoDB Local. It must not separate data by access key. */
  dynamoDbEndpoint?: string;
  /** What functions use as AWS, but for DynamoDB, such as a proxy that injects faults; the AWS endpoint by default. */
  functionAwsEndpoint?: string;
  /** What the waits of AWS are multiplied by; 1 by default. */
  waitScale?: number;
  /** What the time-outs of functions, of their calls of DynamoDB and of integrations are multiplied by; 1 by default. */
  patience?: number;
  /** A file to which the calls of all roles are appended, with the grants that allow them (iam/grant-ledger.ts). */
  grantLedger?: string;
  /** Ends the start, if it is not over yet: what was started is stopped, and the start fails with the signal's reason. */
  signal?: AbortSignal;
  /** Takes one-line messages for the person at the terminal. */
  report(line: string): void;
}

export interface Runtime {
  /** Such as http://127.0.0.1:3000. */
  readonly origin: string;
  readonly awsEndpoint: string;
  /** A recursive DNS resolver for the hosted zones and the names of AWS, such as 127.0.0.1:5353. */
  readonly dns: string;
  /** Both resolvers, which tests can let hold stale answers: the first is at `dns`. */
  readonly dnsResolvers: PublicDns['resolvers'];
  /** The zones and names whose name servers fail, for tests. */
  readonly dnsFaults: DnsFaults;
  /** Where custom domain names are served, such as 127.0.0.1:8443, and the file of the CA certificate to trust there. */
  readonly edge: { readonly https: string; readonly ca: string };
  readonly logFolder: string;
  /** Outputs by stack name, with the addresses of APIs on AWS replaced by the origin. */
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Replaces the running assembly without dropping requests. If the new one cannot be deployed, the old one goes on. */
  deploy(assembly: string): Promise<void>;
  /** Stops everything that was started. May be called again. */
  stop(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Starts what the assembly declares. If a part cannot be started, those that were started are stopped. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { assembly, port, edgePort = 0, waitScale = 1, signal = NEVER, report } = options;
  await using parts = new AsyncDisposableStack();
  const services = await startServices(options, parts);
  const { awsServer, customDomains, data, dns } = services;

  // The port is bound before something is deployed, to fail early if it is in use. Early requests wait.
  const front = parts.adopt(await listen(port, 'with --port'), close);
  const deployments = new Deployments(services, originOf(front));
  awsServer.on(
    'request',
    awsEndpoint({
      services: awsServices(services, deployments, waitScale),
      principal: accessKeyId =>
        deployments.current?.principals.get(accessKeyId) ?? principalOutside(accessKeyId),
      report,
    }),
  );
  front.on('request', async (request, response) => {
    const { restApis } = deployments.current ?? (await deployments.available());
    restApis.handle(request, response);
  });
  answerUnreadableRequests(
    front,
    request => deployments.current?.restApis.answerUnreadable(request) ?? plainAnswer(request),
  );
  const restApis = async () => (await deployments.available()).restApis;
  const edge = parts.adopt(
    await startEdge(edgePort, {
      ...customDomains,
      restApis,
      currentApis: () => deployments.current?.restApis,
    }),
    close,
  );

  services.edge.route = {
    port: Number(addressOf(edge).split(':').at(-1)),
    authority: customDomains.authority.certificate,
  };
  signal.throwIfAborted();
  await Promise.race([deployments.deploy(assembly), abortOf(signal)]);

  const running = parts.move();
  let stopped: Promise<void> | undefined;
  return {
    origin: originOf(front),
    awsEndpoint: originOf(awsServer),
    dns: dns.resolvers[0].address,
    dnsResolvers: dns.resolvers,
    dnsFaults: dns.faults,
    edge: { https: addressOf(edge), ca: customDomains.authority.file },
    logFolder: data.logFolder,
    get outputs() {
      return deployments.current?.outputs ?? new Map();
    },
    deploy: folder => deployments.deploy(folder),
    stop: () => {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** Rejects when the signal comes. */
function abortOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
