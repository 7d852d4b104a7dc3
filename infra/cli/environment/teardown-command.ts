import { setTimeout as sleepFor } from 'node:timers/promises';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { reasonOf } from '../../operator/connection/aws-error.ts';
import { CommandError, EXIT_CODES } from '../../operator/connection/command-error.ts';
import type { Target } from '../../operator/connection/target.ts';
import { inOrderOfRemoval } from '../../operator/domains/domain-report.ts';
import { HostedZones } from '../../operator/domains/hosted-zones.ts';
import { destroyCommandOf } from '../../settings/environment-name.ts';
import { listProjectDomains } from '../domains/domain-session.ts';
import { readDurationMs } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { countOf, listOf, prose, type Style } from '../framework/style.ts';
import { interruptible } from '../framework/terminal.ts';
import { listDomainNames } from './account-resources.ts';
import { readStack, unprotectCommandOf } from './deployed-stack.ts';

/** API Gateway deletes one domain name in 30 seconds: enough for the 120 that an account may have, and a removal's own waits. */
const DEFAULT_TIMEOUT = '2h';

interface Options {
  readonly confirm?: string;
  readonly timeout?: string;
}

/** What is printed with --json. */
interface Result {
  readonly stage: string;
  readonly domains: {
    readonly removed: readonly string[];
    readonly remaining: readonly Pick<DomainReport, 'project' | 'domain' | 'status' | 'reason' | 'message'>[];
  };
  /** The names of default URLs that API Gateway no longer has. */
  readonly defaultUrls: { readonly removed: readonly string[]; readonly remaining: number };
  /** The ids of the API keys that API Gateway no longer has. */
  readonly keys: { readonly removed: readonly string[]; readonly remaining: number };
  readonly leaves: readonly string[];
  /** What of others keeps the stack from being deleted, a sentence each. */
  readonly obstacles: readonly string[];
  /** The commands that delete the rest; empty while something keeps the stack from being deleted. */
  readonly next: readonly string[];
}

export function declareGroup(teardown: PetstoreCommand): void {
  teardown
    .description(
      "Removes what keeps an environment's stack from being deleted, and what would outlive it: every custom domain of every project, with its mapping, DNS records and certificate, the default URLs of all projects, and every API key in API Gateway. Shows what will be removed and asks first; for production, you type the environment's name. If it's interrupted, run it again. It leaves the tables, the hosted zone and the logs, and prints the command that deletes the stack.\n\nExit codes: 0 the stack can be deleted, 1 error, 2 usage error, 3 action needed, 4 still pending.",
    )
    .option('--confirm <stage>', "the environment's name, instead of typing it")
    .option('--timeout <duration>', `how long to wait, such as 30m or 2h (default: ${DEFAULT_TIMEOUT})`)
    .examples(
      'teardown',
      'teardown --stage staging --yes',
      'teardown --stage production --confirm production',
      'teardown --local --yes',
    )
    .action(async (options: Options, command: PetstoreCommand) => {
      const timeoutMs = readDurationMs('--timeout', options.timeout ?? DEFAULT_TIMEOUT);
      const session = new Session(command);
      const domains = await listDomains(session);
      for (const line of planLines(session, domains)) session.progress(line);
      await confirmTeardown(session, options.confirm);
      const result = await interruptible(
        signal => tearDown(session, timeoutMs, signal),
        'Interrupted. Removals that have started will finish.',
        `Run it again with: ${session.commandLine('teardown')}`,
      );
      session.show(result, style => resultText(result, session, style));
      session.endWith(exitCodeOf(result));
    });
}

export async function tearDown(session: Session, timeoutMs: number, signal: AbortSignal): Promise<Result> {
  const endMs = Date.now() + timeoutMs;
  await stopCanary(session);
  const domains = await removeDomains(session, endMs, signal);
  const isFree = domains.remaining.length === 0;
  const defaultUrls = isFree ? await withdrawUrls(session, endMs, signal) : { removed: [], remaining: 0 };
  // The keys go last: while domains remain, the service is in use.
  const keys = isFree ? await withdrawKeys(session) : { removed: [], remaining: 0 };
  const isDone = isFree && defaultUrls.remaining === 0 && keys.remaining === 0;
  const obstacles = isDone
    ? await findObstacles(session).catch(error => {
        session.progress(
          `Couldn't look for other people's records and mappings, which would keep the stack from being deleted: ${reasonOf(error)}`,
        );
        return [];
      })
    : [];
  const { leaves, deletion } = remainsOf(session.target);
  const next = isDone && obstacles.length === 0 ? deletion : [];
  return { stage: session.target.stage, domains, defaultUrls, keys, leaves, obstacles, next };
}

/** What others have put into the zone, which goes with the stack, and onto the APIs: AWS deletes neither with it. */
async function findObstacles(session: Session): Promise<string[]> {
  const { aws, isLocal, stackName } = session.target;
  const stack = isLocal ? undefined : await readStack(stackName, aws);
  const zones = await HostedZones.of({ aws });
  const { platformDomain } = await session.read('environment.inspect');
  const { projects } = await session.read('projects.list');
  const apis = stack?.resourcesOf('AWS::ApiGateway::RestApi') ?? [
    projects.find(({ id }) => id === SERVICE_PROJECT_ID)?.apiId,
  ];
  const doomed = keepsData(session.target)
    ? []
    : (await zones.list()).filter(({ id, name }) =>
        stack
          ? stack.resourcesOf('AWS::Route53::HostedZone').includes(id.replace('/hostedzone/', ''))
          : name === platformDomain,
      );
  const found: string[] = [];
  for (const zone of doomed) {
    const foreign = (await zones.recordsOf(zone)).filter(
      ({ Name, Type = '' }) => Name !== zone.name || !['NS', 'SOA'].includes(Type),
    );
    if (foreign.length === 0) continue;
    const records = foreign.map(({ Name, Type }) => `${Name} ${Type}`);
    found.push(
      `The hosted zone of ${zone.name} has records that this environment didn't create: ${listOf(records)}. Delete them.`,
    );
  }
  for (const { domainName, basePath } of await mappingsTo(apis, aws)) {
    found.push(
      `${domainName} is mapped to the API by somebody else. Delete the mapping: aws apigateway delete-base-path-mapping --domain-name ${domainName} --base-path '${basePath}'`,
    );
  }
  return found;
}

async function mappingsTo(
  apis: readonly (string | undefined)[],
  aws: Target['aws'],
): Promise<{ domainName: string; basePath: string }[]> {
  const { APIGatewayClient, paginateGetBasePathMappings } = await import('@aws-sdk/client-api-gateway');
  // A call for each domain name soon exceeds API Gateway's rate; in this mode the client slows down to it.
  const client = new APIGatewayClient({ ...aws, retryMode: 'adaptive', maxAttempts: 8 });
  const found: { domainName: string; basePath: string }[] = [];
  for (const { id: domainName } of await listDomainNames(aws)) {
    for await (const { items = [] } of paginateGetBasePathMappings({ client }, { domainName })) {
      for (const { restApiId, basePath = '(none)' } of items) {
        if (apis.includes(restApiId)) found.push({ domainName, basePath });
      }
    }
  }
  return found;
}

/**
 * Disables the canary's rule: without its key the canary would page. Nothing else depends on it, so a failure is only
 * reported. On this machine nobody is paged.
 */
async function stopCanary(session: Session): Promise<void> {
  const { isLocal, aws, stackName } = session.target;
  if (isLocal) return;
  const { DisableRuleCommand, EventBridgeClient } = await import('@aws-sdk/client-eventbridge');
  const client = new EventBridgeClient(aws);
  try {
    const stack = await readStack(stackName, aws);
    for (const Name of stack?.resourcesOf('AWS::Events::Rule', 'MonitoringCanary') ?? []) {
      await client.send(new DisableRuleCommand({ Name }));
      session.progress('Stopped the canary.');
    }
  } catch (error) {
    session.progress(`The canary couldn't be stopped, so its alarm may page: ${reasonOf(error)}`);
  }
}

function planLines(session: Session, domains: readonly DomainReport[]): string[] {
  const names = domains.map(({ domain, project }) => `  ${domain} (${project})`);
  return [
    domains.length === 0
      ? `There are no custom domains in ${session.environment}.`
      : `These custom domains will be removed, with their platform DNS records and certificates, and will stop working:`,
    ...names,
    'The default URLs of all projects, if any, will stop working.',
    'The canary will stop. Every API key will be removed from API Gateway: all client requests will get 401.',
  ];
}

async function confirmTeardown(session: Session, confirmed: string | undefined): Promise<void> {
  const what = `This takes ${session.environment} out of service.`;
  if (session.target.stage === 'production' || confirmed !== undefined) {
    await session.confirmByName(what, confirmed);
  } else {
    await session.confirm(what);
  }
}

function resultText(result: Result, session: Session, style: Style): string {
  const { domains, defaultUrls, keys, leaves, obstacles, next } = result;
  const removed = `Removed from ${session.environment}: ${countOf(domains.removed.length, 'domain')}, ${countOf(defaultUrls.removed.length, 'domain name')} of default URLs, ${countOf(keys.removed.length, 'API key')}.`;
  const again = session.commandLine('teardown');
  const lines = [
    prose(removed, style),
    ...domains.remaining.map(({ domain, status, message }) =>
      prose(`${domain} is still ${status}: ${message}`, style),
    ),
    ...(defaultUrls.remaining > 0
      ? [prose('AWS still holds domain names or the certificate of the default URLs.', style)]
      : []),
    ...(keys.remaining > 0
      ? [prose(`${countOf(keys.remaining, 'API key')} still in API Gateway.`, style)]
      : []),
    ...obstacles.map(line => prose(line, style)),
    '',
    'Left in place:',
    ...leaves.map(line => prose(line, style, '  ')),
    '',
    next.length === 0
      ? "The stack can't be deleted yet. Run again:"
      : `Next${next.length === 1 ? '' : ', right away (the stack protects itself again within an hour)'}:`,
    ...(next.length === 0 ? [again] : next).map(line => `  ${line}`),
  ];
  return lines.join('\n');
}

function exitCodeOf({ domains, obstacles, next }: Result): number {
  if (next.length > 0) return EXIT_CODES.done;
  const isStalled = obstacles.length > 0 || domains.remaining.some(({ reason }) => reason !== null);
  return isStalled ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}

/** A removal takes minutes on AWS; on this machine the waits may be scaled down. */
const AWS_INTERVAL_MS = 10_000;
const LOCAL_INTERVAL_MS = 1_000;

interface Removal {
  readonly removed: readonly string[];
  readonly remaining: readonly DomainReport[];
}

async function listDomains(session: Session): Promise<DomainReport[]> {
  return (await listProjectDomains(session)).flatMap(({ domains }) => domains);
}

/**
 * Removes all domains and waits until they are gone, or nothing more can be done, or the time is over. A removal that has
 * stalled is asked for once more.
 */
async function removeDomains(session: Session, endMs: number, signal: AbortSignal): Promise<Removal> {
  const asked = new Set<string>();
  const removed: string[] = [];
  let remaining = await listDomains(session);
  for (;;) {
    for (const report of inOrderOfRemoval(remaining)) {
      if (!canBeAsked(report) || asked.has(keyOf(report))) continue;
      asked.add(keyOf(report));
      await remove(session, report);
      signal.throwIfAborted();
    }
    const present = await listDomains(session);
    const left = new Set(present.map(keyOf));
    for (const [index, report] of remaining.filter(each => !left.has(keyOf(each))).entries()) {
      removed.push(report.domain);
      session.progress(`Removed ${report.domain}; ${remaining.length - 1 - index} to go.`);
    }
    remaining = present;
    const isWaiting = remaining.some(report => !canBeAsked(report) || !asked.has(keyOf(report)));
    if (!isWaiting || Date.now() >= endMs) return { removed, remaining };
    await interval(session, signal);
  }
}

function interval({ target }: Session, signal: AbortSignal): Promise<void> {
  return sleepFor(target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS, undefined, { signal });
}

/** A domain that is not being removed, or whose removal has stalled. */
function canBeAsked(report: DomainReport): boolean {
  return factsOf(report).flow !== 'removal';
}

function keyOf({ project, domain }: DomainReport): string {
  return `${project} ${domain}`;
}

async function remove(session: Session, { project, domain }: DomainReport): Promise<void> {
  try {
    await session.change('domains.remove', { project, domain }, '', { isConfirmed: true });
    session.progress(`Deleting the AWS resources of ${domain} …`);
  } catch (error) {
    // Another removal, or an earlier run of this command, has finished meanwhile.
    const isGone = error instanceof CommandError && error.reason === 'domain_unknown';
    if (!isGone) throw error;
  }
}

/** Removes the default URLs. API Gateway deletes a domain name in 30 seconds, and holds the certificate for minutes. */
async function withdrawUrls(
  session: Session,
  endMs: number,
  signal: AbortSignal,
): Promise<Result['defaultUrls']> {
  const removed: string[] = [];
  for (;;) {
    const run = await session.change('projects.withdraw', {}, '', { isConfirmed: true });
    removed.push(...run.removed);
    for (const name of run.removed) session.progress(`Removed ${name}.`);
    if (run.remaining === 0 || Date.now() >= endMs) return { removed, remaining: run.remaining };
    await interval(session, signal);
  }
}

/** Removes the API keys from API Gateway. One run of the command removes keys for half a minute, so it is repeated. */
async function withdrawKeys(
  session: Session,
): Promise<{ readonly removed: readonly string[]; readonly remaining: number }> {
  const removed: string[] = [];
  for (;;) {
    const run = await session.change('keys.withdraw', {}, '', { isConfirmed: true });
    removed.push(...run.removed);
    if (run.removed.length > 0) session.progress(`API keys removed from API Gateway: ${removed.length}.`);
    if (run.remaining === 0 || run.removed.length === 0) return { removed, remaining: run.remaining };
  }
}

interface Remains {
  readonly leaves: readonly string[];
  readonly deletion: readonly string[];
}

const DATA = 'pets, orders, projects, the records of API keys, the audit log';

/** As `keepsData` of infra/stack/environments.ts, which this command does not load: it takes seconds. */
function keepsData({ stage, isLocal }: Target): boolean {
  return stage === 'production' && !isLocal;
}

export function remainsOf(target: Target): Remains {
  if (target.isLocal) {
    return {
      leaves: [`The tables: ${DATA}.`, 'The hosted zone of the platform domain, without records of domains.'],
      deletion: ['rm -r .local   # after npm start has ended; deletes the data of all environments'],
    };
  }
  const isKept = keepsData(target);
  const fate = (pronoun: string, verb: string) =>
    isKept
      ? `Deleting the stack keeps ${pronoun}.`
      : `${pronoun === 'it' ? 'It' : 'They'} ${verb} deleted with the stack.`;
  return {
    leaves: [
      `The tables: ${DATA}. ${fate('them', 'are')}`,
      `The hosted zone of the platform domain, if there is one, without records of domains. ${fate('it', 'is')}`,
      'The role that API Gateway writes logs with, for all APIs in the account and region, if this environment has set it (gatewayLogRole). Deleting the stack keeps it: others use it.',
      "The logs of the functions, which are deleted with the stack, and API Gateway's own logs, which are not.",
      'The DNS records that domain owners created at their DNS providers: ask them to delete those.',
    ],
    deletion: [
      ...(isKept ? [withAwsOptions(unprotectCommandOf(target.stackName), target)] : []),
      withAwsOptions(destroyCommandOf(target.stage), target),
    ],
  };
}

function withAwsOptions(command: string, { aws: { profile } }: Target): string {
  return profile ? `${command} --profile ${profile}` : command;
}
